import type { Agents, ChildRunCreator, RunProgram } from "./ports";
import type { RunSpec } from "./spec";
import type { Llm } from "#llm";
import type { ProviderGates } from "#llm/limits/acquire-permit";
import type { PaperSource, Retrieval } from "#retrieval/types";
import type { CanceledChild } from "#store/children";
import type { Store } from "#store/store";
import type { LiveCall } from "#core/live-call";
import type { EventType } from "#core/vocabulary";
import type { WorkflowDefinition } from "#workflow-kit/workflow";

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
  children: ChildRunCreator;
  /** Of waits for storage and for providers; by default the system's. */
  clock?: Clock;
  /** Starts the tenant's next queued runs, after one has ended or waits for input. A lost call is harmless: the maintenance worker starts them too. */
  startNext(tenant: string): Promise<void>;
  /** Wakes the instances of children that the end of their parent has canceled. */
  wakeCanceled(children: readonly CanceledChild[]): Promise<void>;
  /** Wakes a run that waits for its children, when all have ended. A lost call is harmless: the maintenance worker wakes it too. */
  wakeParent(parent: string): Promise<void>;
  /** Wakes the senders of webhook endpoints. A lost call is harmless: the maintenance worker wakes them too. */
  wakeWebhookSenders(endpoints: string[]): void;
  /** Wakes the streams that follow a run. A lost call is harmless: a stream looks for events at each heartbeat. */
  announceEvents(run: string): void;
  /** Shows the streams that follow a run which of its calls to models are under way. */
  reportCalls(run: string, calls: LiveCall[]): void;
}

/** One epoch of a run, with its specification, workflow and dependencies. */
export interface Instance {
  run_id: string;
  epoch: number;
  spec: RunSpec;
  workflow: Pick<WorkflowDefinition, "kinds">;
  deps: RunDependencies;
}

/**
 * Call after events of these types were written: wakes the webhook senders of the endpoints that listen to one of them, and the run's streams.
 * @param followed whether a stream follows the run
 */
export function notify(
  { run_id, spec, deps }: Pick<Instance, "run_id" | "deps"> & { spec: Pick<RunSpec, "listeners"> },
  followed: boolean,
  ...types: EventType[]
): void {
  if (followed) deps.announceEvents(run_id);
  const endpoints = spec.listeners
    .filter(({ events }) => types.some((type) => events.includes(type)))
    .map(({ id }) => id);
  if (endpoints.length) deps.wakeWebhookSenders(endpoints);
}
