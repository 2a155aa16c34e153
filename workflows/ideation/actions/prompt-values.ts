import { line, escapeMaterial } from "#workflow-kit/prompt-values";
import type { Critique, Idea } from "../artifacts";
import type { ShownPaper } from "../inputs";
import { paperKey } from "../rules/papers";

/** Limit of abstracts in prompts: their beginning is enough. Characters. */
const LONGEST_ABSTRACT = 2000;

/** The parts of an idea that tell one idea from another. */
export const coreValues = (idea: Idea) => ({
  name: line(idea.name),
  problem: escapeMaterial(idea.problem),
  motivation: escapeMaterial(idea.motivation),
  proposed_method: escapeMaterial(idea.proposed_method),
});

export const ideaValues = (idea: Idea) => ({
  ...coreValues(idea),
  existing_methods: escapeMaterial(idea.existing_methods),
  experiment_plan: escapeMaterial(idea.experiment_plan),
});

/** A paper under its id; by default the id of its place in the list. */
export const paperValues = ({ title, abstract, key }: ShownPaper & { key?: string }, index: number) => ({
  key: key ?? paperKey(index),
  title: line(title),
  abstract: line(abstract.slice(0, LONGEST_ABSTRACT)),
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
