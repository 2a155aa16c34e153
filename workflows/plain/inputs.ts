import type { FunctionSpec } from "#workflow-kit/functions";
import type { Form } from "./rules/answer";

/** Input of `answer`. */
export interface AnswerInput {
  request: string;
  form: Form;
  /** Labels of the choices, if the request has any. */
  labels: readonly string[] | null;
  functions: readonly FunctionSpec[];
  instructions: string | null;
}
