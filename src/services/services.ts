import type { Subject } from "#core/subject";
import type { Secrets } from "#core/secrets";
import type { Settings } from "./settings";
import type { DryRequest, DryResult } from "#workflow-kit/dry-run";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { Llm, Providers } from "#llm";
import type { ProviderGates } from "#llm/limits/acquire-permit";
import type { Platform } from "./platform";
import type { VectorIndex } from "#retrieval/vector-index";
import type { Store } from "#store/store";

/** The dependencies of all verbs; `compose.ts` makes them from the environment. */
export interface Services {
  store: Store;
  platform: Platform;
  secrets: Secrets;
  settings: Settings;
  workflows: Readonly<Record<string, WorkflowDefinition>>;
  providers: Providers;
  llm: Llm;
  gates: ProviderGates;
  /** Makes a dry run, to count its calls. */
  dryRun(request: DryRequest): Promise<DryResult>;
  /** The same services on the database of a subject's tenant, which is looked up when it is needed. */
  at(subject: Subject): Services;
  /** The services of each database of the deployment, these included. */
  ofAllDatabases(): readonly Services[];
  /** Vectorize; null: vectors are stored in D1. */
  vectors: VectorIndex | null;
}
