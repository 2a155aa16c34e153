/** Text in drawings: safe in XML, with estimated widths, because a Worker has no fonts to measure. */

export const FONT =
  "DejaVu Sans, Verdana, Segoe UI, Noto Sans, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif";

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Escapes for text and attributes; `cleanLabel` removes the characters that XML forbids. */
export const escaped = (text: string): string => text.replace(/[&<>"']/gu, (character) => XML[character]!);

/** A text on one line, without characters that XML forbids, of at most `longest` characters. */
export function cleanLabel(text: string, longest: number): string {
  const words = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\uFFFE\uFFFF\s]+/gu, " ")
    .trim();
  const characters = [...words];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : words || "(no name)";
}

/**
 * The style of a drawing in the dark, for viewers that follow the reader's colour scheme; others show the colours of the attributes. Elements
 * within a group of the class `constant` keep theirs.
 * @param colours the dark colour for each colour of the attributes
 */
export const darkStyle = (colours: Readonly<Record<string, string>>): string => {
  const rules = Object.entries(colours).flatMap(([light, dark]) =>
    ["fill", "stroke"].map((paint) => `[${paint}="${light}"]:not(.constant *){${paint}:${dark}}`),
  );
  return `<style>@media (prefers-color-scheme:dark){${rules.join("")}}</style>`;
};

/** Dark colours of what all drawings share: ink, paper, lines. */
export const DARK: Readonly<Record<string, string>> = {
  "#1f2937": "#e5e7eb",
  "#64748b": "#a3adbb",
  "#ffffff": "#16191f",
  "#f8fafc": "#1d2128",
  "#e2e8f0": "#343b46",
  "#94a3b8": "#64748b",
};

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\uFF00-\uFFEF]/u;

/** Widths of the characters up to U+00FF, by their code. */
const LATIN = Array.from({ length: 256 }, (_, code) => widthByKind(String.fromCharCode(code)));

/** Width in units of the font size. */
const characterWidth = (character: string): number => LATIN[character.codePointAt(0)!] ?? widthByKind(character);

function widthByKind(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  if (character.codePointAt(0)! > 0xff && WIDE.test(character)) return 1.05;
  if (/[mwMW@%]/u.test(character)) return 0.95;
  if (/[\p{Lu}\p{N}]/u.test(character)) return 0.72;
  if (/[iljtfr.,:;'!|()[\] ]/u.test(character)) return 0.4;
  return 0.63;
}

/** Estimated width in a sans-serif font, pixels; rather too wide than too narrow. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width * fontSize;
}

const MAX_LINES = 5;

/** Breaks a text into at most five lines of a width in pixels: between words, and inside words that are too long. */
export function wrap(text: string, maxWidth: number, fontSize: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    const extended = current === "" ? word : `${current} ${word}`;
    if (textWidth(extended, fontSize) <= maxWidth) {
      current = extended;
      continue;
    }
    if (current !== "") lines.push(current);
    const pieces = breakWord(word, maxWidth, fontSize);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1)!;
  }
  lines.push(current);
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES - 1), `${lines[MAX_LINES - 1]!}…`];
}

function breakWord(word: string, maxWidth: number, fontSize: number): string[] {
  const pieces = [""];
  for (const character of word) {
    const last = pieces.length - 1;
    if (pieces[last] !== "" && textWidth(pieces[last] + character, fontSize) > maxWidth) pieces.push(character);
    else pieces[last] += character;
  }
  return pieces;
}

/** One line, truncated to a width in pixels. */
export function fitted(text: string, maxWidth: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= maxWidth) return text;
  const [first = ""] = breakWord(text, maxWidth - fontSize, fontSize);
  return `${first.trimEnd()}…`;
}
