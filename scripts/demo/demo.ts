import type { Json } from "../lib/json.ts";
import type { Artifact, CreateRunOf, WorkflowName } from "../lib/sdk.ts";

/** A question of a clarification, as a webhook shows it. */
export interface Question {
  id: string;
  type: string;
  text: string;
  choices?: string[];
  default?: string | number | boolean | null;
  dimension?: string;
}

/** What the demo of a workflow exports. */
export interface Demo {
  title: string;
  /** of what is asked for: an idea by default */
  subjectName?: string;
  subject: (request: Json) => string;
  /** the body of `POST /v1/runs`; by default about an example of ours */
  request: (subject?: string) => CreateRunOf<WorkflowName>;
  /** answers without a person at the terminal; `feedback` gets its number, and answers nothing to approve */
  suggestions: { answer: (question: Question) => string | number | boolean; feedback: (number: number) => string };
  /** prints a run's output */
  show: (output: Json, artifacts: Artifact[], content: (artifact: Artifact) => Promise<Json>) => void | Promise<void>;
}
