import type { Alone, CheckedCitation, Verdict, DebateRecord } from "./artifacts";
import type { StopReason, Output } from "./contract";
import type { Artifact } from "#workflow-kit/artifact";
import type { DebateState, SideReply } from "./rules/debate-state";

/** Result of a baseline. */
export interface Answered {
  answer: string | null;
  alone: Alone;
  confidence: number;
  citations: CheckedCitation[];
  stop_reason: StopReason;
  report: Artifact;
}

/** Result of a debate. */
export interface Judged {
  answer: string | null;
  verdict: Verdict;
  winner: string | null;
  parties: Output["parties"];
  citations: CheckedCitation[];
  stop_reason: StopReason;
  report: Artifact;
}

/** What the judge decides on. */
export interface Submission {
  state: DebateState;
  replies: readonly SideReply[];
  note: string | null;
  /** Why the rounds ended. */
  ended: DebateRecord["ended"];
}
