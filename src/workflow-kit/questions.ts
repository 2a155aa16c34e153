import type { Artifact } from "./artifact";
import type { Question, AnswerValue } from "#core/vocabulary";
import { z } from "zod";

/** Questions that a person is to answer; the run waits, for days if need be. */
export interface Clarification {
  key: string;
  kind: "clarification";
  prompt: string;
  artifacts?: readonly Artifact[];
  questions: Question[];
}

export type ClarificationReply =
  | { status: "answered"; answers: Record<string, AnswerValue>; comment: string | null; answered_by: string | null }
  | { status: "expired" };

/** What a person thinks of artifacts, and what they add to the run. */
export interface Consultation<Additions> {
  key: string;
  kind: "feedback" | "approval";
  prompt: string;
  artifacts: readonly Artifact[];
  /** What they may decide; by default `approve` and `reject`. */
  decisions?: readonly FeedbackAnswer["decision"][];
  /** Schema of `additions`; it must take `{}`, which stands for none. */
  additions: z.ZodType<Additions>;
}

export type ConsultationReply<Additions> =
  | {
      status: "answered";
      decision: FeedbackAnswer["decision"];
      additions: Additions;
      comment: string | null;
      answered_by: string | null;
    }
  | { status: "expired" };

export interface FeedbackAnswer {
  decision: "approve" | "revise" | "reject";
  comment?: string;
  edited_content?: unknown;
}
