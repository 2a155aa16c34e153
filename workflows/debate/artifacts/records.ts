import type { Citation } from "./schemas";

/** Contents that code makes, not a model. */

/** A piece of evidence as it may be cited: a verbatim slice of a document. */
export interface Authority {
  id: string;
  /** The caller's own name of its document; null: the run's own evidence, or none was given. */
  external_id: string | null;
  /** `S1`, `S2`, …: its name in prompts. Models miscopy long ids, and a miscopied id would count as invented. */
  label: string;
  source: string;
  /** The document's title, such as an article's number. */
  title: string | null;
  /** Headings above the passage in its document. */
  heading: string | null;
  jurisdiction: string | null;
  language: string | null;
  date: string | null;
  url: string | null;
  excerpt: string;
  /** 0: found before the debate; else the round of the request. */
  round: number;
  /** The debater that requested it, or `human`; null: found for the question. */
  requested_by: string | null;
}

/** An answer that a debater can defend. */
export interface Position {
  /** Label of the choice; for an open question `P1`, `P2`, … in random order. */
  label: string;
  /** The choice's text, or the thesis. */
  statement: string;
  /** The governing rule of a thesis. */
  rule: string | null;
  /** Estimated before the debate, 0 to 1; null: not estimated. */
  probability: number | null;
}

/** Which debater defends which position. */
export interface PositionAssignment {
  /** `solved`: the answers that solvers gave. */
  mode: "ranked" | "solved" | "all_options" | "free" | "given";
  positions: (Position & { debater: string })[];
}

/**
 * How a quote stands in its authority: word for word; with marked omissions that change nothing; with an omission that is too long, or that
 * drops a negation, a condition or an exception; not at all.
 */
export const QUOTE_MATCHES = ["verbatim", "abridged", "altered", "missing"] as const;
export type QuoteMatch = (typeof QUOTE_MATCHES)[number];

/** A citation with the results of its checks: by code first, then by the clerk. */
export interface CheckedCitation extends Citation {
  /** The cited document's name in the caller's words: unlike passages, gold sources have it. */
  external_id: string | null;
  /** A debater, a sample, a solver, or `judge`. */
  cited_by: string;
  /** The round of the brief; null: an answer to a question before judgment, or the verdict. */
  round: number | null;
  /** `shown`: the debater was shown this authority. `not_shown`: the run has it, the debater had not seen it. */
  authority: "shown" | "not_shown" | "unknown";
  quote_match: QuoteMatch;
  /** The match is `verbatim` or `abridged`. */
  quote_found: boolean;
  /** The authority is from another jurisdiction than the question. */
  foreign: boolean;
  supported: boolean | null;
  note: string | null;
}

export interface CitationCheck {
  citations: CheckedCitation[];
  /** Ids of authorities that a debater cited without having been shown them. */
  invented: string[];
}

export interface Pruning {
  round: number;
  measure: "embedding" | "shared words";
  model: string | null;
  /** By reader: authors of the briefs that it still reads. */
  kept: Record<string, string[]>;
  /** By reader: authors of the removed briefs, each with the intervention that removed it. */
  dropped: Record<string, { debater: string; because: string }[]>;
}

/** Words that were hidden from a blind judge; `debater` null: from a person's note. */
export interface OmittedText {
  debater: string | null;
  round: number | null;
  words: string;
}

/** The debate as data, for experiments. */
export interface DebateRecord {
  question: Question;
  rounds: {
    round: number;
    briefs: {
      debater: string;
      artifact_id: string;
      position: string;
      confidence: number;
      concedes: string[];
      citations: number;
      /** Estimate without quotes: four characters per token. */
      tokens: number;
      over_limit: boolean;
    }[];
  }[];
  position_changes: { debater: string; round: number; from: string; to: string }[];
  ended: "rounds" | "agreed";
  /** The letter that the judge saw for each debater. */
  parties: { party: string; debater: string; model: string }[];
  /** The debater that argued best, as the judge says, and those whose position the answer is. */
  winner: string | null;
  prevailed: string[];
  /** Words that were hidden from a blind judge. */
  left_out: OmittedText[];
  /** The authority behind each label in briefs and verdict. */
  authorities: { label: string; authority_id: string; source: string; title: string | null }[];
  answers: { said: string; read: string | null }[];
  answer: string | null;
  decided_by: string;
}

export interface Vote {
  votes: Record<string, number>;
  /** Answers that named no choice. */
  invalid: number;
  answer: string | null;
  /** Number of the first sample that gave this answer, from 1. */
  sample: number | null;
}

export interface HumanReview {
  decision: string;
  note: string | null;
  questions: { debater: string; question: string }[];
  evidence: number;
  answered_by: string | null;
}

/** An answer that the question offers. */
export interface Choice {
  label: string;
  text: string;
}

export interface Question {
  text: string;
  /** Empty: the question is open. */
  choices: readonly Choice[];
  jurisdiction: string | null;
  language: string | null;
}
