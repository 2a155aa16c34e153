import type { Critique, Idea, Paper, Filter } from "./artifacts";

/** What each action is given. */

interface About {
  topic: string;
  /** What kind of method the ideas are to be. */
  method: string;
}

export interface ProposeIdeasInput extends About {
  persona: string;
  papers: readonly Pick<Paper, "title" | "abstract">[];
  examples: readonly Idea[];
  existing: readonly string[];
  count: number;
  /** Tells one proposal from another; a model is given it as its own seed. */
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
  /** Those of the round before. */
  earlier: readonly Critique[];
  seed: number;
}

export interface ReviseIdeasInput extends About {
  persona: string;
  ideas: readonly Idea[];
  critiques: readonly Critique[];
}

export interface ExpandIdeaInput extends About {
  idea: Idea;
  /** Papers that may be near to the idea; null: the nearest works are not asked for. */
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
  /** As the judge reads them; a proposal without its test cases and its fallback plan. */
  first: string;
  second: string;
  /** Whether the judge is to say what decided. */
  reasons: boolean;
}

export interface ScoreRubricInput {
  topic: string;
  plan: string;
}

export interface CheckIdeaInput extends About {
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
