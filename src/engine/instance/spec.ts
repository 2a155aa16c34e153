import type { ResolvedModels } from "#llm";
import type { Limits, TestSettings } from "#core/run-settings";
import type { Mode, OnExpiry } from "#core/vocabulary";

/** What a run was asked to do, as its instance reads it once, at its beginning. */
export interface RunSpec {
  tenant: string;
  workflow: string;
  workflow_version: number;
  mode: Mode;
  input: unknown;
  options: CommonOptions;
  models: Omit<ResolvedModels, "default">;
  limits: Limits;
  test: TestSettings | null;
  /** Stage -> generation opened there by `retry {from_stage}`. */
  generations: Record<string, number>;
  /** Number of the pause in force when the run began, 0 when there was none. */
  pause: number;
  /** Nothing was stored for the run yet, by any instance: then a stage that is entered for the first time need not look. */
  untouched: boolean;
  /** Webhook endpoints that take this run's events. */
  listeners: { id: string; events: string[] }[];
}

/** Options that the engine itself honours; a workflow's own stand beside them. */
export interface CommonOptions {
  checkpoints: string[];
  interaction_timeout: string;
  on_expiry: OnExpiry;
}

/** What a Workflow instance is created with; everything else it reads from D1. */
export interface InstanceParams {
  run_id: string;
  epoch: number;
}
