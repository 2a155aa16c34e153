import type { Authority, Brief, Citation, Framing, Misconceptions, Position, Question } from "./artifacts";

/** What each action is given. Debaters know each other by the positions that they defend, never by number: nothing can leak. */

export interface CaseInput {
  question: Question;
  authorities: readonly Authority[];
}

export interface RankOptionsInput {
  question: Question;
}

export interface ChooseOptionInput {
  question: Question;
}

export type ProposeFramingInput = CaseInput;

export interface FramePositionsInput extends CaseInput {
  /** How many at most. */
  count: number;
  /** What debaters proposed, to be made distinct; empty: all is to be thought up. */
  proposals: readonly Framing[];
}

/** A brief as others read it: who wrote it is told by the position held. */
export interface ReadBrief {
  position: Position;
  round: number;
  brief: Brief;
  misconceptions: Misconceptions["misconceptions"];
  /** What code has found of each of its citations, in their order; absent where the reader is to find out. */
  found?: readonly Finding[];
}

export interface Finding {
  /** The authority was shown to whoever cites it. */
  authority_known: boolean;
  quote_found: boolean;
  foreign: boolean;
}

/** What a side knows of itself. */
export interface SideInput extends CaseInput {
  position: Position;
  /** Approximate length of a brief, in tokens. */
  brief_tokens: number;
}

export interface WriteRebuttalInput extends SideInput {
  round: number;
  /** Its briefs so far, of which the last stands. */
  own: readonly ReadBrief[];
  opponents: readonly ReadBrief[];
  /** What it asked the Retriever for in this round, with the labels of what was found. */
  requested: readonly { query: string; found: readonly string[] }[];
  /** Positions that it may go over to; empty: it must keep its own. */
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
  /** With `found`: whoever takes no side may be told. */
  own: readonly ReadBrief[];
  others: readonly ReadBrief[];
}

export interface AnswerQuestionInput extends SideInput {
  own: readonly ReadBrief[];
  others: readonly ReadBrief[];
  asked: string;
  asked_by: "cross_examiner" | "human";
}

/** A citation as the judge is shown it, with what code has found. */
export interface JudgedCitation extends Citation, Finding {
  number: string;
}

/** A side under the letter by which the judge knows it. */
export interface Party {
  letter: string;
  /** Told when judging is labeled. */
  model: string | null;
  position: Position;
  briefs: readonly {
    round: number;
    claims: readonly string[];
    rebuts: Brief["rebuts"];
    application: string;
    concedes: readonly string[];
    citations: readonly JudgedCitation[];
    /** The position it went over to in this round. */
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
  /** What a person noted before judgment. */
  note: string | null;
  /** An earlier answer that was none of the choices. */
  outside: string | null;
}

export interface AnswerAloneInput extends CaseInput {
  outside: string | null;
}

export interface CheckSupportInput extends CaseInput {
  citations: readonly JudgedCitation[];
}
