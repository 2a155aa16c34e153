/** Texts of models and callers as Markdown that shows them as they are: nothing in them opens markup. */

const MARKUP = /[\\`*_[\]<>|~#]|&(?=#?\w+;)/gu;
/** Begins a list, or makes a heading of the line before it. */
const BLOCK = /^(?=[-+](?:\s|$)|-+$|=+$)|(?<=^\d+)(?=[.)](?:\s|$))/u;

/** One line. */
export const inline = (text: string): string =>
  text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(MARKUP, String.raw`\$&`);

/** Lines, of which those between empty ones are a paragraph. */
export const prose = (text: string): string =>
  text
    .trim()
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(MARKUP, String.raw`\$&`)
        .replace(BLOCK, "\\"),
    )
    .join("\n")
    .replace(/\n{3,}/gu, "\n\n");

/** Lines, of which each is a paragraph: models end a paragraph, or a step, with one line break as often as with two. */
export const paragraphs = (text: string): string => prose(text).replace(/\n+/gu, "\n\n");

/**
 * A document that a model wrote in Markdown, under a heading of ours: its own headings go below, HTML stays text, and so do images and
 * links, for whoever opens the report would load or follow what a model was talked into naming.
 */
export const subdocument = (text: string): string =>
  text
    .trim()
    .replace(/</gu, "&lt;")
    .replace(/\]\(/gu, "]&#40;")
    .replace(/\]:/gu, "]&#58;")
    .replace(/^(#{1,4})(?=\s)/gmu, "##$1");

export const quotation = (text: string): string =>
  prose(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/**
 * An entry of a list. Its paragraphs after the first stand under its text, not under its mark.
 * @param mark `-`, or a number with a point
 * @param markdown safe already
 */
export const listItem = (mark: string, markdown: string): string =>
  `${mark} ${markdown.replace(/\n\n/gu, `\n\n${" ".repeat(mark.length + 1)}`)}`;

export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");

/** Cells are safe inline Markdown already. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Sections one after the other, empty ones left out. */
export const sections = (...parts: readonly (string | false | null)[]): string =>
  parts.filter((part) => part).join("\n\n");
