import type { Critique, Idea, Paper, Filter } from "./artifacts";

/** Inputs of the actions. */

interface TopicInput {
  topic: string;
  /** The kind of method that the ideas are to propose. */
  method: string;
}

export interface ProposeIdeasInput extends TopicInput {
  persona: string;
  papers: readonly Pick<Paper, "title" | "abstract">[];
  examples: readonly Idea[];
  existing: readonly string[];
  count: number;
  /** Differs between proposals; also the seed of the model call. */
  seed: number;
  /** The seed of the first trial. */
  base_seed: number;
}

export interface CritiqueIdeasInput {
  topic: string;
  persona: string;
  ideas: readonly Idea[];
  /** null: critics are not to judge novelty. */
  papers: readonly Pick<Paper, "title" | "abstract">[] | null;
  /** Critiques of the previous round. */
  earlier: readonly Critique[];
  seed: number;
}

export interface ReviseIdeasInput extends TopicInput {
  persona: string;
  ideas: readonly Idea[];
  critiques: readonly Critique[];
}

export interface ExpandIdeaInput extends TopicInput {
  idea: Idea;
  /** Papers that may be close to the idea; null: no closest works are requested. */
  papers: readonly Pick<Paper, "title" | "abstract">[] | null;
}

export interface CheckDuplicateInput {
  topic: string;
  one: Idea;
  other: Idea;
}

export interface JudgePairInput {
  topic: string;
  of: "ideas" | "proposals";
  /** The texts for the judge; a proposal without test cases and fallback plan. */
  first: string;
  second: string;
  /** Whether the judge gives its reason. */
  reasons: boolean;
}

export interface ScoreRubricInput {
  topic: string;
  plan: string;
}

export interface CheckIdeaInput extends TopicInput {
  criterion: Exclude<Filter, "novelty">;
  idea: Idea;
}

export interface CheckNoveltyInput {
  topic: string;
  idea: Idea;
  papers: readonly Pick<Paper, "title" | "abstract">[];
}

export interface ScorePapersInput {
  topic: string;
  papers: readonly Pick<Paper, "title" | "abstract">[];
}

export interface WritePaperQueryInput {
  topic: string;
  /** The best papers so far. */
  best: readonly Pick<Paper, "title" | "abstract">[];
  queries: readonly string[];
}
