import { escapeUntrusted } from "#llm/escape-untrusted";

export { escapeUntrusted };

/** `escapeUntrusted` for one line of a list. */
export const line = (text: string): string => escapeUntrusted(text).replace(/\s+/gu, " ").trim();

/** A sentence for each blank text; strict schemas cannot forbid these. */
export const blanks = (texts: readonly (readonly [where: string, text: string])[]): string[] =>
  texts.filter(([, text]) => text.trim() === "").map(([where]) => `${where} is empty.`);

/** A sentence for each id or name that occurs more than once. */
export function repeated(what: string, names: readonly string[]): string[] {
  const seen = new Set<string>();
  const again = names.filter((name) => seen.size === seen.add(name).size);
  return [...new Set(again)].map((name) => `The ${what} "${name}" stands more than once.`);
}
