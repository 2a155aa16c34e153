import { escapeMaterial } from "#llm/escape-material";

export { escapeMaterial };

/** `material` for what must stay on one line of a list. */
export const line = (text: string): string => escapeMaterial(text).replace(/\s+/gu, " ").trim();

/** Says which of some texts are blank, which strict schemas cannot forbid. */
export const blanks = (texts: readonly (readonly [where: string, text: string])[]): string[] =>
  texts.filter(([, text]) => text.trim() === "").map(([where]) => `${where} is empty.`);

/** Says which ids or names stand more than once. */
export const repeated = (what: string, names: readonly string[]): string[] =>
  [...new Set(names.filter((name, index) => names.indexOf(name) < index))].map(
    (name) => `The ${what} "${name}" stands more than once.`,
  );
