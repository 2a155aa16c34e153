import { line, escapeUntrusted } from "#workflow-kit/prompt-values";
import type { Critique, Idea, Revision } from "../artifacts";
import type { ShownPaper } from "../inputs";
import { keyOf } from "../rules/papers";

/** Limit of abstracts in prompts: their beginning is enough. Characters. */
const MAX_ABSTRACT_LENGTH = 2000;

/** The parts of an idea that tell one idea from another. */
export const coreValues = (idea: Idea) => ({
  name: line(idea.name),
  problem: escapeUntrusted(idea.problem),
  motivation: escapeUntrusted(idea.motivation),
  proposed_method: escapeUntrusted(idea.proposed_method),
});

export const ideaValues = (idea: Idea) => ({
  ...coreValues(idea),
  existing_methods: escapeUntrusted(idea.existing_methods),
  experiment_plan: escapeUntrusted(idea.experiment_plan),
});

/** A paper under its id. */
export const paperValues = (paper: ShownPaper, index: number) => ({
  key: keyOf(paper, index),
  title: line(paper.title),
  abstract: line(paper.abstract.slice(0, MAX_ABSTRACT_LENGTH)),
});

/** The method that is asked for, as a section of a prompt; false: any. */
export const methodValue = (method: string | null) => method !== null && line(method);

export const critiqueValues = ({ criticisms }: Critique) => ({
  criticisms: criticisms.map(({ idea, quote, category, criticism }) => ({
    idea: line(idea),
    quote: line(quote),
    category,
    criticism: line(criticism),
  })),
});

/** The criticisms of a round under ids that count through all critics. */
export function numberedCritiques(critiques: readonly Critique[]) {
  const ids = criticismIds(critiques);
  return critiques.map((critique, at) => ({
    criticisms: critiqueValues(critique).criticisms.map((values, index) => ({ id: ids[at]![index]!, ...values })),
  }));
}

/** The criticisms of the round before, each with the author's reply, if it has one. */
export const answeredCritiques = (critiques: readonly Critique[], replies: Revision["replies"]) =>
  numberedCritiques(critiques).map(({ criticisms }) => ({
    criticisms: criticisms.map(({ id, ...values }) => {
      const reply = replies.find(({ criticism }) => criticism.trim() === id)?.reply;
      return { ...values, reply: reply ? line(reply) : null };
    }),
  }));

/** `c1`, `c2`, … for the criticisms of each critic. */
export function criticismIds(critiques: readonly Critique[]): string[][] {
  let count = 0;
  return critiques.map(({ criticisms }) => criticisms.map(() => `c${++count}`));
}
