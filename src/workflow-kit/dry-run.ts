import type { Owner } from "#core/owner";
import type { ResolvedModels } from "#llm";
import type { ChildRequest } from "./children";
import type { WorkflowDefinition } from "./workflow";

/** A dry run: with mock answers, nothing stored and nothing paid. */
export interface DryRequest {
  owner: Owner;
  workflow: WorkflowDefinition;
  input: unknown;
  options: any;
  models: ResolvedModels;
  /** The outcome of every call of an action, by its name. By default the first of the action's outcomes. */
  outcomes: Readonly<Record<string, string>>;
}

/** A model call that the run would make. */
export interface DryCall {
  action: string;
  /** `<provider>/<model>`. */
  model: string;
  /** Of the rendered prompt, with the schema of the output. Characters. */
  input: number;
  /** Of the mock answer. Characters. */
  output: number;
}

/** Runs that the run would start. */
export interface DryChild {
  key: string;
  request: ChildRequest;
}

export interface DryResult {
  calls: readonly DryCall[];
  /** The dry run ends before the stage that would wait for them. */
  children: readonly DryChild[];
  /** The run would make more calls than were counted. */
  is_cut: boolean;
}
