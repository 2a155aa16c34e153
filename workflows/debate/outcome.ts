import type { CheckedCitation, Checklist, Verdict, DebateRecord } from "./artifacts";
import type { StopReason, Output } from "./contract";
import type { Artifact } from "#workflow-kit/artifact";
import type { DebateState, SideReply } from "./rules/debate-state";

/** The reasons of an answer that no judge gave. */
export type Reasons = Pick<Verdict, "options_considered" | "issues" | "rationale" | "law_from_memory"> & {
  checklist: Checklist | null;
};

/** Result of a baseline, or of a debate that was skipped. */
export interface DirectAnswer {
  /** Models of the agents that gave the answer. */
  models: string[];
  answer: string | null;
  reasons: Reasons;
  confidence: number;
  citations: CheckedCitation[];
  stop_reason: StopReason;
  report: Artifact;
}

/** Result of a debate. */
export interface Judged {
  answer: string | null;
  /** The judge's last words; they are not the reasons of an answer that the majority gave. */
  verdict: Verdict;
  /** The debater that argued best. */
  winner: string | null;
  /** Debaters whose position the answer is. */
  prevailed: string[];
  parties: Output["parties"];
  citations: CheckedCitation[];
  /** With `judge_each_round`: the answer after each round. */
  answers_by_round?: (string | null)[];
  stop_reason: StopReason;
  report: Artifact;
  drawing: Artifact;
}

/** A result before its documents are made. */
export type Judgment = Omit<Judged, "report" | "drawing">;

/** What the judge decides on. */
export interface Submission {
  state: DebateState;
  replies: readonly SideReply[];
  note: string | null;
  /** Why the rounds ended. */
  ended: DebateRecord["ended"];
}
