import { normalForm } from "#workflow-kit/text";
import type { Critique, Idea } from "../artifacts";
import { IDEA_FIELDS } from "../artifacts";
import { ideaNameKey } from "./names";

type Criticism = Critique["criticisms"][number];

/** The idea that a criticism is about; names are compared by letters and digits. */
export const ideaOf = (criticism: Pick<Criticism, "idea">, ideas: readonly Idea[]): Idea | undefined =>
  ideas.find(({ name }) => ideaNameKey(name) === ideaNameKey(criticism.idea));

/** The letters and digits of a text: quotes often differ from their source in blanks, quotation marks and dashes. */
export const letters = (text: string): string =>
  normalForm(text, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Whether a text is in an idea. An ellipsis in the quote stands for a part that was left out. */
export function isQuoteOf(quote: string, idea: Idea): boolean {
  const parts = quote
    .split(/…|\.{3}|\[\s*\]/u)
    .map(letters)
    .filter(Boolean);
  const texts = [idea.name, ...IDEA_FIELDS.map((field) => idea[field])].map(letters);
  return parts.length > 0 && parts.every((part) => texts.some((text) => text.includes(part)));
}

/**
 * Errors of criticisms that a schema cannot state: an idea or a paper that does not exist, a quote that is not in the idea, an empty text, too
 * many of them. Each sentence tells the critic what to repair.
 * @param papers ids of the papers that the critic was shown
 */
export function criticismErrors(
  { criticisms }: Critique,
  { ideas, papers, most }: { ideas: readonly Idea[]; papers: readonly string[]; most: number },
): string[] {
  const many = criticisms.length > most ? [`There are ${criticisms.length} criticisms; raise at most ${most}.`] : [];
  return many.concat(
    criticisms.flatMap(({ idea: name, quote, criticism, papers: cited }, index) => {
      const at = `of criticism ${index + 1}`;
      const idea = ideaOf({ idea: name }, ideas);
      const unknown = cited.filter((paper) => !papers.includes(paper));
      return [
        ...(criticism.trim() ? [] : [`\`criticism\` ${at} is empty.`]),
        ...(idea ? [] : [`\`idea\` ${at} is "${name}", which is no idea's name; copy one of the names.`]),
        ...(!idea || isQuoteOf(quote, idea)
          ? []
          : [`\`quote\` ${at} is not in the idea "${idea.name}"; copy a part of it word for word.`]),
        ...unknown.map(
          (paper) => `\`papers\` ${at} has "${paper}", which is not the id of a paper that you were given.`,
        ),
      ];
    }),
  );
}
