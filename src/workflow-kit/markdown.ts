/** Escapes texts of models and callers for Markdown: nothing in them opens markup. */

const MARKUP = /[\\`*_[\]<>|~#]|&(?=#?\w+;)/gu;
/** The start of a list item, or the underline of a heading. */
const BLOCK = /^(?=[-+](?:\s|$)|-+$|=+$)|(?=[.)](?:\s|$))(?<=^\d+)/u;

/** One line. */
export const inline = (text: string): string =>
  text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(MARKUP, String.raw`\$&`);

/** Paragraphs. An empty line separates them; no line begins a list or a heading. */
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

/** A model's Markdown in which HTML, images and links stay text: the reader's browser would load or follow them. */
const withoutLinks = (markdown: string): string =>
  markdown
    .trim()
    .replace(/(?<!\\)\\*<(?=[a-z/!?])/giu, "&lt;")
    .replace(/\]\(/gu, "]&#40;")
    .replace(/\]:/gu, "]&#58;");

/**
 * A field that a model wrote in Markdown, each line a paragraph: emphasis, code and lists stay, what would begin a heading, a rule or a
 * fence is text.
 */
export const paragraphs = (markdown: string): string =>
  withoutLinks(markdown)
    .replace(/(?<!\s)\s*\n\s*/gu, "\n\n")
    .replace(/^(#{1,6}\s|[-=]{3,}\s*$|```|~~~)/gmu, "\\$1");

/** A document that a model wrote in Markdown, under a heading of ours: its own headings become lower ones. */
export const subdocument = (markdown: string): string => withoutLinks(markdown).replace(/^(#{1,4})(?=\s)/gmu, "##$1");

export const quotation = (text: string): string =>
  prose(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/**
 * A list item. Its further paragraphs are indented, so that they belong to the item.
 * @param mark `-`, or a number with a point
 * @param markdown safe Markdown
 */
export const listItem = (mark: string, markdown: string): string =>
  `${mark} ${markdown.replace(/\n\n/gu, `\n\n${" ".repeat(mark.length + 1)}`)}`;

export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");

/** @param rows cells of safe inline Markdown */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Joins sections, without empty ones. */
export const sections = (...parts: readonly (string | false | null)[]): string =>
  parts.filter((part) => part).join("\n\n");
