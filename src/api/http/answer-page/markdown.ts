import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/**
 * Longer documents are shown as source: parsing takes about 25 ms of CPU for each thousand characters of dense Markdown, and for hostile
 * Markdown the time grows with the square of the length.
 */
const LONGEST = 40_000;

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
  if (text.length > LONGEST || DEEP.test(text)) return null;
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
    .replaceAll(/<a href="([^"]*)"/g, (tag, url: string) => {
      if (url.startsWith("#")) return tag;
      return /^(?:https?|mailto):/i.test(url) ? `${tag} rel="noopener noreferrer nofollow" target="_blank"` : "<a";
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
