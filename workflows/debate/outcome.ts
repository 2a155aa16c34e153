import type { Alone, CheckedCitation, Verdict, DebateRecord } from "./artifacts";
import type { StopReason, Output } from "./contract";
import type { Artifact } from "#workflow-kit/artifact";
import type { DebateState, SideReply } from "./rules/debate-state";

/** What a baseline came to. */
export interface Answered {
  answer: string | null;
  alone: Alone;
  confidence: number;
  citations: CheckedCitation[];
  stop_reason: StopReason;
  report: Artifact;
}

/** What a run came to. */
export interface Judged {
  answer: string | null;
  verdict: Verdict;
  winner: string | null;
  parties: Output["parties"];
  citations: CheckedCitation[];
  stop_reason: StopReason;
  report: Artifact;
}

export interface Submission {
  floor: DebateState;
  replies: readonly SideReply[];
  note: string | null;
  /** Why the last round was the last. */
  ended: DebateRecord["ended"];
}
