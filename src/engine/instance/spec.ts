import type { ResolvedModels } from "#llm";
import type { Limits, TestSettings } from "#core/run-settings";
import type { Owner } from "#core/owner";
import type { Mode, OnExpiry, Profile } from "#core/vocabulary";

/** A run's specification; its instance reads it at the start of each segment. */
export interface RunSpec {
  tenant: string;
  workflow: string;
  workflow_version: number;
  /** ISO 8601. */
  created_at: string;
  mode: Mode;
  input: unknown;
  options: CommonOptions;
  models: ResolvedModels;
  limits: Limits;
  test: TestSettings | null;
  /** The run that started this one, and whether that has limits on calls, tokens or cost; null: none did. */
  parent: { id: string; limited: boolean } | null;
  /** Stage -> the generation that `retry {from_stage}` opened there. */
  generations: Record<string, number>;
  /** Number of the pause in force; 0: the run is not paused. */
  pause: number;
  /** No instance has stored anything of the run yet, so a first entry into a stage need not read D1. */
  untouched: boolean;
  /** Webhook endpoints that receive this run's events. */
  listeners: { id: string; events: string[] }[];
}

/** The owner of the data that the run works with. */
export const ownerOf = ({ tenant, mode }: RunSpec): Owner => ({ tenant_id: tenant, mode });

/** The options that the engine reads; the workflow reads its own from the same object. */
export interface CommonOptions {
  reviews: string[];
  interaction_timeout: string;
  on_expiry: OnExpiry;
  profile: Profile;
}

/** Parameters of a Workflow instance; it reads everything else from D1. */
export interface InstanceParams {
  run_id: string;
  epoch: number;
}
