import type { Agents, ChildRuns, RunProgram } from "./ports";
import type { RunSpec } from "./spec";
import type { Llm } from "#llm";
import type { ProviderGates } from "#llm/limits/acquire-permit";
import type { PaperSource, Retrieval } from "#retrieval/types";
import type { CanceledChild } from "#store/children";
import type { Store } from "#store/store";
import type { EventType } from "#core/vocabulary";

/** Time as waits for storage and for providers measure it. Milliseconds. Tests replace it to pass hours. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export interface RunDependencies {
  /** Version of the deployed code; a run may outlive a deployment. */
  code_version: string;
  store: Store;
  llm: Llm;
  llm_timeout_ms: number;
  gates: ProviderGates;
  agents: Agents;
  runProgram: RunProgram;
  retrieval: Retrieval;
  papers: PaperSource;
  children: ChildRuns;
  /** Of waits for storage and for providers; by default the system's. */
  clock?: Clock;
  /** Starts the tenant's next queued runs, after one has ended or waits for input. A lost call is harmless: the keeper starts them too. */
  startNext(tenant: string): Promise<void>;
  /** Wakes the instances of children that the end of their parent has canceled. */
  wakeCanceled(children: readonly CanceledChild[]): Promise<void>;
  /** Wakes a run that waits for its children, when all have ended. A lost call is harmless: the keeper wakes it too. */
  wakeParent(parent: string): Promise<void>;
  /** Wakes the senders of webhook endpoints. A lost call is harmless: the keeper wakes them too. */
  wakeWebhookSenders(endpoints: string[]): void;
}

/** One epoch of a run, with its specification and dependencies. */
export interface Instance {
  run_id: string;
  epoch: number;
  spec: RunSpec;
  deps: RunDependencies;
}

/** Wakes the webhook senders of the endpoints that listen to one of these event types. */
export function notify({ spec, deps }: Pick<Instance, "spec" | "deps">, ...types: EventType[]): void {
  const endpoints = spec.listeners
    .filter(({ events }) => types.some((type) => events.includes(type)))
    .map(({ id }) => id);
  if (endpoints.length) deps.wakeWebhookSenders(endpoints);
}
