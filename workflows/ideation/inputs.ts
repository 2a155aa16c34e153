import type { Critique, Idea, IDEA_FIELDS, Paper, Filter, Proposal, Revision } from "./artifacts";

/** Inputs of the actions. */

interface TopicInput {
  topic: string;
  /** The kind of method that the ideas are to propose; null: any that suits the topic. */
  method: string | null;
}

/** A paper as prompts show it. */
export type ShownPaper = Pick<Paper, "title" | "abstract" | "key">;

export interface ProposeIdeasInput extends TopicInput {
  persona: string;
  papers: readonly ShownPaper[];
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
  papers: readonly ShownPaper[] | null;
  /** Critiques of the previous round. */
  earlier: readonly Critique[];
  /** What the author replied to them. */
  replies: Revision["replies"];
  /** For each idea the fields that the last revision has changed; only these are shown, with the method. null: all is new. */
  changed: readonly (readonly (typeof IDEA_FIELDS)[number][])[] | null;
  /** Most criticisms. */
  most: number;
  seed: number;
}

export interface ReviseIdeasInput extends TopicInput {
  persona: string;
  ideas: readonly Idea[];
  critiques: readonly Critique[];
  /** Papers of the trial that criticisms name, with their ids in criticisms. */
  papers: readonly ShownPaper[];
}

export interface ExpandIdeaInput extends TopicInput {
  idea: Idea;
  /** Papers that may be close to the idea; null: no closest works are requested. */
  papers: readonly ShownPaper[] | null;
  /** Criticisms of the idea before its last revision. */
  criticisms: readonly Pick<Critique["criticisms"][number], "quote" | "category" | "criticism">[];
  /** The judge's reasons in the idea's matches. */
  verdicts: readonly {
    outcome: "won" | "lost" | "drew";
    other: string;
    reason: string;
    /** What spoke for the other one, although it lost; null: unknown. */
    although: string | null;
  }[];
}

export interface CheckProposalInput {
  topic: string;
  proposal: Proposal;
  papers: readonly ShownPaper[];
}

export interface CheckDuplicateInput {
  topic: string;
  one: Idea;
  other: Idea;
}

export interface JudgePairInput {
  topic: string;
  of: "ideas" | "proposals";
  /** For which the judge reviews. */
  venue: string;
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
  papers: readonly ShownPaper[];
}

export interface WriteNoveltyQueriesInput {
  topic: string;
  idea: Idea;
}

export interface ScorePapersInput {
  topic: string;
  papers: readonly ShownPaper[];
}

export interface WritePaperQueryInput {
  topic: string;
  /** The best papers so far. */
  best: readonly ShownPaper[];
  queries: readonly string[];
}
