import type { Json } from "../lib/json.ts";
import type { CreateRunOf, WorkflowName } from "../lib/sdk.ts";

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
  /** the body of `POST /v1/runs`; by default about an example of ours */
  request: (subject?: string) => CreateRunOf<WorkflowName>;
  /** to a question without a default, when no person is at the terminal; undefined: any answer of its type */
  answer?: (question: Question) => string | undefined;
  /** to the feedback with this number, from 1; nothing approves, and so does a demo without this */
  feedback?: (number: number) => string;
  /** the texts of a run's output that are printed */
  documents: (output: Json) => (string | null | undefined)[];
}
