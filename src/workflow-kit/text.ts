/** Text functions for mock outputs: pure, and safe for any input of a caller. */

export { normalForm } from "#core/normal-form";

/** The mock model reads this much of a text. Characters. */
const MAX_READ = 6000;

/** Characters that open markup in Markdown, HTML or a prompt. */
const MARKUP = /[<>{}`|\\*~^$]/gu;

/** The words of a Markdown or plain text, one statement a line. */
export function plain(text: string): string {
  return text
    .slice(0, MAX_READ)
    .toWellFormed()
    .replace(/^\s*(```|~~~).*$/gmu, "")
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/gu, "$1")
    .replace(/<\/?[a-z!][^>\n]*>/giu, " ")
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d+[.)])\s+/gmu, "")
    .replace(/(^|\s)_+|_+(?=\s|$)/gu, "$1")
    .replace(MARKUP, " ")
    .replace(/[\p{Cc}\u2028\u2029]+/gu, "\n")
    .replace(/[^\S\n]+/gu, " ")
    .trim();
}

/** One line of at most `max` characters, cut between words if possible. */
export function clip(text: string, max: number): string {
  const line = text.replace(/\s+/gu, " ").trim();
  const characters = [...line];
  if (characters.length <= max) return line;
  const cut = characters.slice(0, max - 1).join("");
  const atWord = cut.replace(/\s+\S*$/u, "");
  return `${atWord.length > cut.length / 2 ? atWord : cut}…`;
}

/** A statement of a person or a model, as one safe line. */
export const quoted = (text: string, max = 200): string => clip(plain(text), max).replace(/[.。…]+$/u, "");

export const capitalized = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** "a, b and c" */
export const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

/** The item at an index modulo the length. The list must not be empty. */
export const at = <T>(items: readonly T[], index: number): T => items[index % items.length]!;
