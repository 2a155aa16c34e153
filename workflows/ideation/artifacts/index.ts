import { z } from "zod";
import type { KindDefinition } from "#workflow-kit/workflow";
import type { EmbeddedTexts } from "#workflow-kit/vectors";
import type { Role } from "../roles";
import type { Duplicate, Idea, Rubric } from "./outputs";

export * from "./outputs";

/** Contents of the artifacts. */

/** A paper of the bank. */
export interface Paper {
  id: string;
  title: string;
  abstract: string;
  year: number | null;
  citations: number | null;
  url: string | null;
  /** The librarian's score, 1 to 10; null: not scored. */
  score: number | null;
  /** The caller gave it, or a passage of the caller's corpora is it. */
  given?: boolean;
  /** Its id in all prompts and documents, `p1`, `p2`, … by its place in the bank; absent outside of a bank. */
  key?: string;
}

export interface PaperBank {
  source: "given" | "semantic_scholar" | "none";
  queries: { kind: string; query: string; found: number; new: number }[];
  /** Best first. */
  papers: Paper[];
  /** Failures while collecting, one sentence each. */
  notes: string[];
}

/** One dialogue: its participants, and its outputs as ids of artifacts. */
export interface Trial {
  configuration: string;
  trial: number;
  seed: number;
  critics: Persona[];
  /** Titles of the papers that the proposers saw. */
  papers: string[];
  dialogues: { proposer: Persona; proposal: string; critiques: string[]; revisions: string[] }[];
}

/** Limit of reasons, of which an output holds many. Characters. */
export const MAX_REASON_LENGTH = 300;

/** An idea with its origin. */
export interface SourcedIdea extends Idea {
  /** `i1`, `i2` …, in the order of deduplication. */
  id: string;
  configuration: string;
  /** null: a person added it. */
  trial: number | null;
  proposer: number | null;
  /** Ids of the artifacts with the criticisms before its last revision. */
  critiques?: string[];
}

export interface IdeaSet {
  topic: string;
  ideas: SourcedIdea[];
}

/** The measure of similarity. */
export interface Measure {
  method: "embedding" | "lexical";
  /** The embedding model, or the name of the lexical measure. */
  model: EmbeddedTexts["model"];
  threshold: number;
}

export interface Drop {
  idea: string;
  because: Because;
}

export interface KeptIdeas {
  measure: Measure;
  /** Ids, in order. */
  kept: string[];
  dropped: Drop[];
  /** The most similar pairs among the ideas that the measure kept, most similar first. */
  closest: ClosePair[];
}

/** Two ideas whose similarity is not above the threshold. */
export interface ClosePair {
  ideas: [earlier: string, later: string];
  similarity: number;
  /** The ranker's verdict; null: it was not asked. */
  verdict: Duplicate | null;
}

export interface SimilarityMatrix {
  measure: Measure;
  /** Ids of the listed ideas: the first ones. */
  ids: string[];
  /** One row per idea: its similarities to the ideas before it. */
  rows: number[][];
}

/** A person's changes at a review step. */
export interface Selection {
  about: string;
  picked: string[];
  dropped: string[];
  edited: string[];
  added: string[];
  comment: string | null;
  answered_by: string | null;
}

export interface Ranking {
  of: "ideas" | "proposals";
  rounds: Round[];
  /** Matches after the rounds that decide which ideas become proposals; they give no points. */
  play_off: Match[];
  /** Best first. */
  places: Place[];
}

/** One round: its matches, and the scores after it. */
export interface Round {
  round: number;
  matches: Match[];
  /** The entrant without an opponent, which gets a point. */
  bye: string | null;
  scores: Record<string, number>;
}

export interface Match {
  a: string;
  b: string;
  /** The entrant that the judge saw first; null: the judge was asked in both orders. */
  first: string | null;
  /** null: the judge's verdicts differed between the two orders, and each entrant got half a point. */
  winner: string | null;
  /** The judge's reasons, in the order of its calls; empty when none were requested. */
  reasons: string[];
  /** What spoke most strongly for the one that the judge rejected. */
  points: string[];
}

export interface Place {
  id: string;
  score: number;
  /** Only a random draw decided its place among equal scores. */
  tied: boolean;
  rubric: Omit<Rubric, "reason"> | null;
}

const ALL: Role[] = ["proposer", "critic", "reviser", "ranker"];

/** Kinds of artifacts, with their recipients. */
export const KINDS = {
  paper_query: { summary: "The librarian's next query.", send_to: ["librarian"] },
  paper_scores: { summary: "How well each paper suits the topic, 1 to 10.", send_to: ["librarian"] },
  paper_search: {
    summary: "The answer of the source of papers, or the reason for its failure.",
    send_to: ["librarian"],
  },
  authorities: { summary: "Passages of corpora that suit the topic, or an idea.", send_to: ["librarian"] },
  paper_bank: { summary: "The papers that ground the ideas, best first.", send_to: ALL },
  proposed_ideas: { summary: "The ideas of one proposer in one trial.", send_to: ["critic", "reviser"] },
  critique: { summary: "Criticisms of a batch of ideas, each of a quoted sentence.", send_to: ["reviser"] },
  revised_ideas: { summary: "A batch of ideas after a round of critique.", send_to: ["critic", "reviser"] },
  trial: { summary: "One dialogue: its seed, personas, papers and artifacts.", send_to: ["human"] },
  idea_set: { summary: "All ideas of the run, with their ids.", send_to: ["ranker", "human"] },
  embeddings: { summary: "Vectors of ideas.", send_to: ["all"] },
  kept_ideas: { summary: "Which ideas were kept, and why each other one was dropped.", send_to: ["ranker", "human"] },
  similarity_matrix: { summary: "The similarity of each pair of ideas.", send_to: ["human"] },
  similarity_svg: { summary: "The similarities as a picture.", send_to: ["human"] },
  duplicate_verdict: { summary: "Whether two ideas are the same.", send_to: ["human"] },
  novelty_queries: { summary: "Queries for work that may have published an idea.", send_to: ["librarian"] },
  filter_verdict: { summary: "Whether an idea passes one of the filters.", send_to: ["human"] },
  rubric: { summary: "Scores of 1 to 10 for originality, feasibility and clarity.", send_to: ["human"] },
  proposal: {
    summary: "An idea written out in seven sections, with the works nearest to it.",
    send_to: ["ranker", "human"],
  },
  proposal_check: {
    summary: "Errors that a last reader found in a proposal, and the sections mended.",
    send_to: ["human"],
  },
  proposal_markdown: { summary: "A proposal as a document.", send_to: ["human"] },
  ideas_markdown: { summary: "The ideas that were kept, as a document.", send_to: ["human"] },
  report_markdown: { summary: "The whole result as a document.", send_to: ["human"] },
  match_verdict: { summary: "The judge's choice between two ideas or proposals, and the reason.", send_to: ["human"] },
  ranking: { summary: "The tournament: every match, the scores of every round, the places.", send_to: ["human"] },
  bracket_svg: { summary: "The tournament as a picture.", send_to: ["human"] },
  metrics: { summary: "Counts and scores of the ideas, for each configuration.", send_to: ["human"] },
  selection: { summary: "Ideas that a person picked, dropped, edited or added.", send_to: ["ranker"] },
} as const satisfies Record<string, KindDefinition<Role | "human" | "all">>;

export type Kind = keyof typeof KINDS;

export interface Persona {
  /** A built-in name, or `custom`. */
  name: string;
  /** Text for the agent's prompt; proposers and critics of a field get different texts. */
  text: string;
}

/** The filters of the spec, step 6, in the order in which they run. */
export const FILTERS = ["consistency", "feasibility", "significance", "novelty"] as const;

export type Filter = (typeof FILTERS)[number];

/** Why an idea was dropped. */
export const becauseSchema = z.strictObject({
  cause: z.enum(["similar", "same_name", "same_idea", "human", ...FILTERS]),
  similar_to: z.string().optional().describe("Id of the idea that was kept instead."),
  similarity: z.number().optional().describe("Above the threshold for `similar`, not above it for `same_idea`."),
  reason: z.string().optional().describe("The ranker's reason, for `same_idea` and filters."),
});

export type Because = z.infer<typeof becauseSchema>;

/** Kinds of whole sets of ideas, at which a person may pick, drop, edit and add ideas. */
export const SELECTION_KINDS = ["idea_set", "kept_ideas", "ranking"] as const satisfies readonly Kind[];

export type SelectionKind = (typeof SELECTION_KINDS)[number];

/** Kinds at which a run may wait for a person's feedback. */
export const REVIEW_KINDS = [
  "paper_query",
  "paper_scores",
  "proposed_ideas",
  "critique",
  "revised_ideas",
  ...SELECTION_KINDS,
  "filter_verdict",
  "rubric",
  "proposal",
] as const satisfies readonly Kind[];
