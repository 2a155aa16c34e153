import type { z } from "zod";
import type { FieldError } from "#core/errors";
import type { ModelParameters, ResolvedModel } from "#llm/types";
import type { Action } from "./action";
import type { ValidateChild } from "./children";
import type { Dataset } from "./datasets";
import type { Presenter } from "./presentation";
import type { Run } from "./run";

export interface RoleDefinition {
  /** Name as `models.roles` takes it. */
  name: string;
  /** Its task, in one sentence. */
  summary: string;
  /** Default parameters of its model, from the paper if it states them. */
  decoding: ModelParameters;
  /** Replaces `decoding` under the profile `paper`. */
  paper_decoding?: ModelParameters;
}

/** A kind of artifact that a workflow makes. */
export interface KindDefinition<Addressee extends string = string> {
  /** One line for the docs. */
  summary: string;
  /** The roles, `human` or `all`: the engine writes these addressees into each artifact of the kind. */
  send_to: readonly Addressee[];
}

/** A workflow: its contract (what `GET /v1/workflows/{name}` shows) and the function that runs it. */
export interface WorkflowDefinition<Input = any, Options = any, Output = any> {
  name: string;
  /** Of the code; a run shows the version that began it. Raising it fails no run. */
  version: number;
  /** The oldest version whose runs this code continues, by default 1. Raised when a change alters the order, names or inputs of stages and steps. */
  min_version?: number;
  title: string;
  summary: string;
  /** The paper that it implements; `url` null: the paper is not public. */
  source: { title: string; url: string | null };
  stages: readonly string[];
  roles: readonly RoleDefinition[];
  actions: readonly Action[];
  /** All kinds of artifacts that it makes; `reviews` may name those in `review_kinds`. */
  kinds: Readonly<Record<string, KindDefinition>>;
  review_kinds: readonly string[];
  /** How people see artifacts, by their kind; those of other kinds are laid out as they are. */
  presenters?: Readonly<Partial<Record<string, Presenter>>>;
  /** Strict schemas. Documents in `output` are `documentSchema`. */
  input: z.ZodType<Input>;
  options: z.ZodType<Options>;
  output: z.ZodType;
  /** What `profile: "paper"` gives to options that the request leaves out. */
  paper_options?: Readonly<Record<string, unknown>>;
  example: { input: unknown; options?: unknown };
  /** The title of an input, if it has one, and the text that says what the run is about. People who are asked read both, cut to a length. */
  about(input: Input): { title: string | null; excerpt: string };
  /** Kinds of artifacts at which a run with these options may ask a person, its reviews apart. */
  asks?(options: Options): readonly string[];
  /** Ids of the worker agents that a run may use; null: all agents of the tenant; absent: the workflow uses none. */
  agents?(options: Options): readonly string[] | null;
  /** Ids of the corpora that a run searches; absent: the workflow searches none. */
  corpora?(input: Input): readonly string[];
  /** Ids of the closed data sets that a run reads, of its `input.dataset_id`; absent: the workflow reads none. */
  datasets?(input: Input): readonly string[];
  /**
   * Errors of a request together with one of its data sets. Called with a valid input and valid options.
   * @param check errors of a run that the request would start; the same objects are checked once
   */
  checkDataset?(
    request: { input: Input; options: Options },
    dataset: Dataset,
    check: ValidateChild,
  ): Promise<readonly FieldError[]>;
  /** Errors of a request that the schemas of its parts cannot express. */
  check?(request: { input: Input; options: Options; roles: Readonly<Record<string, ResolvedModel>> }): FieldError[];
  /** Mock outcomes of actions with which a run makes few calls, and many: an estimate runs both. By default the first outcomes. */
  outcomes?: { few?: Readonly<Record<string, string>>; many?: Readonly<Record<string, string>> };
  /**
   * Calls that follow each child run at most, and the role that makes them: an estimate counts them.
   * @param group the part of the child's name before the first stroke
   */
  calls_after_child?(request: { input: Input; options: Options }, group: string): { role: string; calls: number };
  /**
   * The figure of the paper. Control flow may depend only on input, options and the results of stages.
   * @returns the run's output; documents are references
   */
  run(run: Run, input: Input, options: Options): Promise<Output>;
}

/** Whether the code executes a run that this version began. */
export const supportsVersion = (
  { version, min_version = 1 }: Pick<WorkflowDefinition, "version" | "min_version">,
  begun: number,
) => begun >= min_version && begun <= version;

/** A kind of every workflow. Feedback has the addressees of the artifact that it is about. */
const HUMAN_FEEDBACK: KindDefinition = { summary: "A person's feedback at a review step.", send_to: [] };

export const defineWorkflow = <Input, Options, Output>(
  definition: WorkflowDefinition<Input, Options, Output>,
): WorkflowDefinition<Input, Options, Output> => ({
  ...definition,
  kinds: { ...definition.kinds, human_feedback: HUMAN_FEEDBACK },
});
