import type { z } from "zod";
import type { Profile } from "#core/vocabulary";
import type { ModelParameters } from "#llm/types";

/** A person's comment on an earlier version, which the action replaces. */
export interface Feedback<Output = unknown> {
  comment: string;
  previous: Output;
}

/** The properties of an action that the profile `paper` can replace. */
type PaperProperty = "prompt" | "output" | "decoding" | "hidden" | "variables" | "check" | "tidy" | "mock";

/**
 * One thing a role can do: one prompt, typed input, typed output (the paper's "action").
 * Actions are data; `Run.step` performs them.
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
   * The prompt file: Mustache without escaping, in two parts headed `# System` and `# User`. Constant text comes first, so that a
   * provider can cache it.
   */
  prompt: string;
  /** A schema for JSON output; absent: the output is a Markdown document (a string). */
  output?: z.ZodType<Output>;
  /** Parameters of this action's model call; they override those of the role. */
  decoding?: ModelParameters;
  /**
   * How many times a sampled step is tried until an answer is usable, each time with another seed, and each time with at most one repair.
   * By default 3. A step at temperature 0 is tried once, since its answer would stay the same, unless the model refuses a temperature.
   */
  tries?: number;
  /** Properties of the output that people are not shown at a review step; a person's edit leaves them unchanged. */
  hidden?: readonly (keyof Output & string)[];
  /** Media type of a text output; by default `text/markdown`. */
  media_type?: string;
  /** Extracts the requested text from a model's wordy output; applied before `check`. */
  tidy?(output: Output): Output;
  /** The values of the prompt's placeholders, exactly these. */
  variables(input: Input): Record<string, unknown>;
  /** Checks that a schema cannot express. Each returned sentence tells the model what to repair. */
  check?(output: Output, input: Input): string[];
  /** The outcomes that `test.script` may request of the mock model; the first is the default. */
  outcomes: readonly [string, ...string[]];
  /** A good model's output for this input with this outcome; pure, and about the given input. */
  mock(input: Input, outcome: string, feedback?: Feedback<Output>): Output;
  /** What replaces these properties under the profile `paper`; `undefined` removes one. The output must suit the same callers. */
  paper?: { [property in PaperProperty]?: Action<Input, any>[property] | undefined };
}

/** The action as a profile performs it. */
export const inProfile = <Input, Output>(
  action: Action<Input, Output>,
  profile: Profile | undefined,
): Action<Input, Output> =>
  (profile === "paper" && action.paper ? { ...action, ...action.paper } : action) as Action<Input, Output>;

/** Infers the types of input and output; does nothing at run time. */
export const defineAction = <Input, Output>(action: Action<Input, Output>): Action<Input, Output> => action;
