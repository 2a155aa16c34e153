import type { Artifact } from "./artifact";
import type { Question, AnswerValue } from "#core/vocabulary";
import { z } from "zod";

/** Questions to a person; the run waits for the answers, for days if necessary. */
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

/** Asks a person for a decision about artifacts, and for additions to the run. */
export interface Consultation<Additions> {
  key: string;
  kind: "feedback" | "approval";
  prompt: string;
  artifacts: readonly Artifact[];
  /** The possible decisions; by default `approve` and `reject`. */
  decisions?: readonly FeedbackAnswer["decision"][];
  /** Schema of `additions`; it must accept `{}`, which means none. */
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
