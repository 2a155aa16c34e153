import type { Agents, RunProgram } from "./ports";
import type { RunSpec } from "./spec";
import type { Llm } from "#llm";
import type { ProviderGates } from "#llm/limits/acquire-permit";
import type { PaperSource, Retrieval } from "#retrieval/types";
import type { Store } from "#store/store";
import type { EventType } from "#core/vocabulary";

export interface RunDependencies {
  /** Of the code that runs now; a run may outlive a deployment. */
  code_version: string;
  store: Store;
  llm: Llm;
  llm_timeout_ms: number;
  gates: ProviderGates;
  agents: Agents;
  runProgram: RunProgram;
  retrieval: Retrieval;
  papers: PaperSource;
  /** Starts those runs of a tenant whose turn it is, after one has ended or has begun to wait. May be lost: the keeper looks too. */
  startNext(tenant: string): Promise<void>;
  /** Tells the senders of webhook endpoints that something is due. May be lost: the keeper looks too. */
  wakeWebhookSenders(endpoints: string[]): void;
}

/** One epoch of a run, and what it works with. */
export interface Instance {
  run_id: string;
  epoch: number;
  spec: RunSpec;
  deps: RunDependencies;
}

/** Tells who listens to the run's events that there may be one of these types. */
export function notify({ spec, deps }: Pick<Instance, "spec" | "deps">, ...types: EventType[]): void {
  const endpoints = spec.listeners
    .filter(({ events }) => types.some((type) => events.includes(type)))
    .map(({ id }) => id);
  if (endpoints.length) deps.wakeWebhookSenders(endpoints);
}
