import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/**
 * Longer documents are shown as source: parsing takes about 25 ms of CPU for each thousand characters of dense Markdown, and for hostile
 * Markdown the time grows with the square of the length.
 */
const MAX_LENGTH = 40_000;

/** Twenty nested containers in one line: nobody writes this, and the parser takes seconds for a thousand. */
const DEEP = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){20}/m;

/** Level of the page's heading above a document. */
const HEADING_ABOVE = 3;

/**
 * Markdown (GFM) of a model as HTML that is safe to show: no HTML of its own, no images, only links to the web and to mail. Null for a
 * document that is too costly to parse.
 * @param id keeps the footnotes of several documents of a page apart
 */
export function renderMarkdown(text: string, id: string): string | null {
  if (text.length > MAX_LENGTH || DEEP.test(text)) return null;
  const html = micromark(text, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml({ clobberPrefix: `${id}-`, label: "Footnotes" })],
  });
  return makeSafe(html, id);
}

/** micromark escapes every `<` of the document, so every tag here is its own. */
function makeSafe(html: string, id: string): string {
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
    .replaceAll(/"footnote-label"/g, `"${id}-footnotes"`)
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
