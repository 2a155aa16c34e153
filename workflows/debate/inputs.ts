import type {
  Authority,
  Brief,
  Citation,
  Framing,
  Misconceptions,
  Position,
  Question,
  QuoteMatch,
  Supports,
} from "./artifacts";

/** Inputs of the actions. Debaters know each other by position, never by number, so that no identity can leak. */

export interface CaseInput {
  question: Question;
  authorities: readonly Authority[];
}

export interface AnswerBrieflyInput extends CaseInput {
  /** Number of the solver, from 1: each works in another way. */
  solver: number;
}

export interface FramePositionsInput extends CaseInput {
  /** Most positions to frame. */
  count: number;
  /** Debaters' proposals, to be made distinct; empty: the action finds all positions itself. */
  proposals: readonly Framing[];
}

/** A brief as others read it; its position identifies its author. */
export interface ReadBrief {
  position: Position;
  round: number;
  brief: Brief;
  misconceptions: Misconceptions["misconceptions"];
  /** Results of the code's checks, one per citation; absent where the reader is to check for itself. */
  found?: readonly Finding[];
}

export interface Finding {
  /** The citing debater was shown the authority. */
  authority_known: boolean;
  quote_match: QuoteMatch;
  foreign: boolean;
}

/** What a side knows about itself. */
export interface SideInput extends CaseInput {
  position: Position;
  /** Approximate length of a brief, in tokens. */
  brief_tokens: number;
}

export interface WriteRebuttalInput extends SideInput {
  round: number;
  /** Its briefs so far; the last one is current. */
  own: readonly ReadBrief[];
  opponents: readonly ReadBrief[];
  /** Its requests to the Retriever in this round, with the labels of the authorities found. */
  requested: readonly { query: string; found: readonly string[] }[];
  /** Positions that it may switch to; empty: it must keep its own. */
  open_positions: readonly Position[];
}

export interface RequestSnippetInput extends Omit<WriteRebuttalInput, "open_positions" | "brief_tokens" | "requested"> {
  most: number;
}

export interface FindMisconceptionsInput extends CaseInput {
  statement: ReadBrief;
}

export interface AskCrossQuestionInput extends CaseInput {
  position: Position;
  /** With `found`: the Cross-Examiner takes no side, so it sees the results of the checks. */
  own: readonly ReadBrief[];
  others: readonly ReadBrief[];
}

export interface AnswerQuestionInput extends SideInput {
  own: readonly ReadBrief[];
  others: readonly ReadBrief[];
  asked: string;
  asked_by: "cross_examiner" | "human";
}

/** A citation as clerk and judge see it, with the results of the checks so far. */
export interface JudgedCitation extends Citation, Finding {
  number: string;
  /** What the clerk found; null: not checked yet. */
  support: Supports[number] | null;
}

/** A side as the judge sees it. */
export interface Party {
  letter: string;
  /** null: judging is blind. */
  model: string | null;
  position: Position;
  briefs: readonly {
    round: number;
    claims: readonly string[];
    rebuts: Brief["rebuts"];
    application: string;
    concedes: readonly string[];
    citations: readonly JudgedCitation[];
    /** The position that it switched to in this round. */
    moved_to: string | null;
  }[];
  answers: readonly {
    asked_by: "cross_examiner" | "human";
    question: string;
    answer: string;
    concedes: readonly string[];
    citations: readonly JudgedCitation[];
  }[];
}

export interface JudgeDebateInput extends CaseInput {
  parties: readonly Party[];
  /** A person's note before judgment. */
  note: string | null;
  /** An earlier answer that named none of the choices. */
  outside: string | null;
}

export interface AnswerAloneInput extends CaseInput {
  outside: string | null;
}

export interface CheckSupportInput extends CaseInput {
  citations: readonly JudgedCitation[];
}
