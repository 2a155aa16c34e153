import type { z } from "zod";
import type { Fault } from "#core/errors";
import type { ModelParameters, ResolvedModel } from "#llm/types";
import type { Action } from "./action";
import type { Run } from "./run";

export interface RoleDefinition {
  /** Name as `models.roles` takes it. */
  name: string;
  /** What it does, one sentence. */
  summary: string;
  /** Decoding defaults, from the paper where it gives them. */
  decoding: ModelParameters;
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
  /** Raised when the code can no longer continue runs that an older version began. */
  version: number;
  title: string;
  summary: string;
  /** The paper it follows; `url` null: it stands nowhere in public. */
  source: { title: string; url: string | null };
  stages: readonly string[];
  roles: readonly RoleDefinition[];
  actions: readonly Action[];
  /** All kinds of artifacts that it makes; `checkpoints` may name those in `checkpoint_kinds`. */
  kinds: Readonly<Record<string, KindDefinition>>;
  checkpoint_kinds: readonly string[];
  /** Strict schemas. Documents in `output` are `documentSchema`. */
  input: z.ZodType<Input>;
  options: z.ZodType<Options>;
  output: z.ZodType;
  example: { input: unknown; options?: unknown };
  /** Ids of the worker agents that a run may use, or null for all of the tenant's; absent when it uses none. */
  agents?(options: Options): readonly string[] | null;
  /** Ids of the corpora that a run looks in; absent when it looks in none. */
  corpora?(input: Input): readonly string[];
  /** Faults of a request that its parts do not show by themselves. */
  check?(request: { input: Input; options: Options; roles: Readonly<Record<string, ResolvedModel>> }): Fault[];
  /**
   * The figure of the paper. Control flow may depend on input, options and what stages returned, on nothing else.
   * @returns the run's output, documents as references
   */
  run(run: Run, input: Input, options: Options): Promise<Output>;
}

/** Every workflow has this kind. An artifact of it is addressed to those whom the artifact under review is addressed to. */
const HUMAN_FEEDBACK: KindDefinition = { summary: "What a person said at a checkpoint.", send_to: [] };

export const defineWorkflow = <Input, Options, Output>(
  definition: WorkflowDefinition<Input, Options, Output>,
): WorkflowDefinition<Input, Options, Output> => ({
  ...definition,
  kinds: { ...definition.kinds, human_feedback: HUMAN_FEEDBACK },
});
