import { line, escapeMaterial } from "#workflow-kit/prompt-values";
import type { Critique, Idea, Paper } from "../artifacts";

/** Limit of abstracts in prompts: their beginning is enough. Characters. */
const LONGEST_ABSTRACT = 2000;

export const ideaValues = (idea: Idea) => ({
  name: line(idea.name),
  problem: escapeMaterial(idea.problem),
  existing_methods: escapeMaterial(idea.existing_methods),
  motivation: escapeMaterial(idea.motivation),
  proposed_method: escapeMaterial(idea.proposed_method),
  experiment_plan: escapeMaterial(idea.experiment_plan),
});

export const paperValues = ({ title, abstract }: Pick<Paper, "title" | "abstract">) => ({
  title: line(title),
  abstract: line(abstract.slice(0, LONGEST_ABSTRACT)),
});

export const critiqueValues = ({ criticisms }: Critique) => ({
  criticisms: criticisms.map(({ idea, quote, category, criticism }) => ({
    idea: line(idea),
    quote: line(quote),
    category,
    criticism: line(criticism),
  })),
});
