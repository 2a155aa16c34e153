import type { AnalysisInput } from "./analysis-types";

/** Workflows that search the corpora which an input names; the others do not see them. */
const SEARCH_CORPORA = new Set(["debate", "ideation"]);

const named = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** Data that some variants see and others do not, as a sentence of Markdown; null: all see the same. */
export function unseenBy({ variants, items }: Pick<AnalysisInput, "variants" | "items">): string | null {
  const withCorpus = items.filter(({ has_corpus }) => has_corpus).length;
  const [seeing, blind] = [true, false].map((sees) =>
    variants.filter(({ workflow }) => SEARCH_CORPORA.has(workflow) === sees).map(({ name }) => name),
  );
  if (withCorpus === 0 || seeing!.length === 0 || blind!.length === 0) return null;
  const of = withCorpus === items.length ? "the items" : `${withCorpus} of ${items.length} items`;
  return `${named(seeing!)} can search the corpus of ${of}; ${named(blind!)} cannot, so a difference between them is one of what they read as well.`;
}
