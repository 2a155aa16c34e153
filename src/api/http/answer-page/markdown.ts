import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Longer documents are shown as source: dense Markdown takes ten milliseconds for each thousand characters. */
const MAX_LENGTH = 40_000;

/**
 * Signs of a block, which is parsed at once, and its length. The time grows with the square of the signs for many kinds of them: two thousand
 * brackets take 30 ms, eight thousand take three seconds.
 */
const MAX_SIGNS = 2000;
const MAX_BLOCK_LENGTH = 10_000;

/** What may mean something to the parser: not letters, digits, single blanks and the punctuation of prose. */
const SIGN = /[^\p{L}\p{M}\p{N} .,;?'"]|(?<= ) /gu;

/** Twenty nested containers in one line: nobody writes this, and the parser takes seconds for a thousand. */
const DEEP = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){20}/m;

/** Level of the page's heading above a document. */
const HEADING_ABOVE = 3;

/**
 * Markdown (GFM) of a model as HTML that is safe to show: no HTML of its own, no images, only links to the web and to mail. Null for a
 * document that is too costly to parse. Other requests get their turn between its blocks.
 * @param id keeps the footnotes of several documents of a page apart
 */
export async function renderMarkdown(text: string, id: string): Promise<string | null> {
  if (text.length > MAX_LENGTH || DEEP.test(text)) return null;
  const blocks = blocksOf(text);
  if (!blocks) return null;
  const parts: string[] = [];
  for (const [at, block] of blocks.entries()) {
    if (at > 0) await scheduler.wait(0);
    parts.push(parse(block, at === 0 ? id : `${id}-${at}`));
  }
  return makeSafe(parts.join("\n"));
}

function parse(block: string, id: string): string {
  const html = micromark(block, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml({ clobberPrefix: `${id}-`, label: "Footnotes" })],
  });
  return html.replaceAll(/"footnote-label"/g, `"${id}-footnotes"`);
}

/**
 * The blocks of a document, which are parsed one by one: whole where it is small enough, else cut where a line at the margin begins a
 * paragraph, a heading or an entry of a list. A link or a footnote is then resolved within its block only.
 * @returns null when a block is too large
 */
function blocksOf(text: string): string[] | null {
  const blocks = [{ text: "", signs: 0 }];
  for (const piece of piecesOf(text)) {
    const signs = piece.match(SIGN)?.length ?? 0;
    let block = blocks.at(-1)!;
    if (block.signs + signs > MAX_SIGNS || block.text.length + piece.length > MAX_BLOCK_LENGTH)
      blocks.push((block = { text: "", signs: 0 }));
    block.text += piece;
    block.signs += signs;
    if (block.signs > MAX_SIGNS || block.text.length > MAX_BLOCK_LENGTH) return null;
  }
  return blocks.map((block) => block.text);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A line at the margin that begins something, whatever is above it. */
const BEGINS = /^(?:#{1,6} |[-+*] |\d{1,9}[.)] )/;

/** The smallest parts into which a document may be cut. */
function* piecesOf(text: string): Generator<string> {
  let piece = "";
  let fence: string | null = null;
  let isAfterBlank = false;
  for (const [line] of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    const isBlank = line.trim() === "";
    if (fence === null && piece !== "" && (BEGINS.test(line) || (isAfterBlank && !isBlank && /^\S/.test(line)))) {
      yield piece;
      piece = "";
    }
    piece += line;
    isAfterBlank = isBlank;
    const mark = FENCE.exec(line)?.[1];
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
  }
  yield piece;
}

/** micromark escapes every `<` of the document, so every tag here is its own. */
function makeSafe(html: string): string {
  let level = HEADING_ABOVE;
  return html
    .replaceAll(/<img src="[^"]*" alt="([^"]*)"(?: title="[^"]*")? \/>/g, (_, alt: string) =>
      alt ? `<span class="image">Image: ${alt}</span>` : "",
    )
    .replaceAll(/<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs, (link, url: string, more: string, words: string) => {
      if (url.startsWith("#")) return link;
      const target = targetOf(url);
      if (target === null) return `<a${more}>${words}</a>`;
      const says = words === target || (words === url && !url.includes("@")); // https://bank@evil.example leads to evil
      const shown = says ? "" : ` <span class="target">(${target})</span>`;
      return `<a href="${url}"${more} rel="noopener noreferrer nofollow" target="_blank">${words}</a>${shown}`;
    })
    .replaceAll(/<input type="checkbox" disabled=""( checked="")? \/>/g, (_, checked?: string) =>
      checked ? `<span role="img" aria-label="Done:">☑</span>` : `<span role="img" aria-label="To do:">☐</span>`,
    )
    .replaceAll("<table>", '<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll(/<h([1-6])(.*?)<\/h\1>/gs, (_, own: string, rest: string) => {
      level = Math.min(6, HEADING_ABOVE + Number(own), level + 1);
      return `<h${level}${rest}</h${level}>`;
    });
}

/**
 * The target of a link, shown beside its words, which may deceive: the host of a web page, or the address of a mail.
 * @param url as micromark wrote it: escaped
 * @returns safe HTML; null for a link that is no link to the web or to mail
 */
function targetOf(url: string): string | null {
  if (/^mailto:/i.test(url)) return url.slice("mailto:".length).split("?")[0]!;
  const address = url.replaceAll("&amp;", "&");
  return /^https?:/i.test(url) && URL.canParse(address) ? escaped(new URL(address).host) : null;
}

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!);
