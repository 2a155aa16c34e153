import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/**
 * Longer documents are shown as they are written: parsing takes about 25 ms of CPU for each thousand characters of dense Markdown, and
 * what a hostile one may cost grows with the square of its length.
 */
const LONGEST = 40_000;

/** Twenty containers, one in the other, in one line: nobody writes so, and the parser takes seconds for a thousand. */
const DEEP = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){20}/m;

/** The level above the headings of a document, which stands under a heading of the page. */
const HEADING_ABOVE = 3;

/**
 * Markdown (GFM) of a model as HTML that is safe to show: no HTML of its own, no images, no links but to the web and to mail. Null for a
 * document that is not worth the parsing.
 * @param id keeps the footnotes of several documents of a page apart
 */
export function renderMarkdown(text: string, id: string): string | null {
  if (text.length > LONGEST || DEEP.test(text)) return null;
  const html = micromark(text, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml({ clobberPrefix: `${id}-`, label: "Footnotes" })],
  });
  return tame(html, id);
}

/** micromark escapes every `<` of the document, so what looks like a tag here is one of its own. */
function tame(html: string, id: string): string {
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
