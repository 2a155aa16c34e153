import type { ResolvedModels } from "#llm";
import type { Limits, TestSettings } from "#core/run-settings";
import type { Owner } from "#core/owner";
import type { Mode, OnExpiry, Profile } from "#core/vocabulary";

/** A run's specification; its instance reads it at the beginning of each Workflow step. */
export interface RunSpec {
  tenant: string;
  workflow: string;
  workflow_version: number;
  /** ISO 8601. */
  created_at: string;
  /** Patches of the workflow's code that the run follows. */
  patches: string[];
  mode: Mode;
  input: unknown;
  options: CommonOptions;
  /** Runs from before the default was kept have none. */
  models: Omit<ResolvedModels, "default"> & Partial<Pick<ResolvedModels, "default">>;
  /** Runs from before there was a wait for providers have none. */
  limits: Omit<Limits, "provider_wait"> & Partial<Pick<Limits, "provider_wait">>;
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
  checkpoints: string[];
  interaction_timeout: string;
  on_expiry: OnExpiry;
  /** Absent in runs from before there were profiles. */
  profile?: Profile;
}

/** Parameters of a Workflow instance; it reads everything else from D1. */
export interface InstanceParams {
  run_id: string;
  epoch: number;
}
