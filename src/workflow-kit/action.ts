import type { z } from "zod";
import type { ModelParameters } from "#llm/types";

/** What a person said of an earlier version that is now to be redone. */
export interface Feedback<Output = unknown> {
  comment: string;
  previous: Output;
}

/**
 * One thing a role can do: one prompt, typed input, typed output (the paper's "action").
 * Actions are data; `Run.act` performs them.
 */
export interface Action<Input = any, Output = any> {
  /** `snake_case`, unique in its workflow; becomes `caused_by` of the artifact. */
  name: string;
  role: string;
  /** Kind of the artifact it makes. */
  kind: string;
  /** One line for the docs. */
  summary: string;
  /**
   * The prompt file: Mustache without escaping, in two parts headed `# System` and `# User`. What does not change
   * between calls comes first, so that a provider's prompt cache can work.
   */
  prompt: string;
  /** A schema for JSON output; absent: the output is a Markdown document (a string). */
  output?: z.ZodType<Output>;
  /** Parameters that this action is always performed with, in place of the role's. */
  decoding?: ModelParameters;
  /** Properties of the output that are for the record alone: a checkpoint does not show them to a person, whose edit leaves them as they are. */
  confided?: readonly (keyof Output & string)[];
  /** Media type of a text output; by default `text/markdown`. */
  media_type?: string;
  /** Takes what was asked for out of a text output, when a model wraps it in words; applied before `check`. */
  tidy?(output: Output): Output;
  /** The values of the prompt's placeholders, all of them and no others. */
  variables(input: Input): Record<string, unknown>;
  /** What a schema cannot say. Each string is a sentence that tells the model what to mend. */
  check?(output: Output, input: Input): string[];
  /** What `test.script` may ask of the rehearsal; the first is the default. */
  outcomes: readonly [string, ...string[]];
  /** The output of a good model on this input, or of one that plays `outcome`; pure, and about the given input. */
  rehearse(input: Input, outcome: string, feedback?: Feedback<Output>): Output;
}

/** Checks nothing at run time; it infers the types of input and output from the parts. */
export const defineAction = <Input, Output>(action: Action<Input, Output>): Action<Input, Output> => action;
