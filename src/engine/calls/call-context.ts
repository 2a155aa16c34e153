import type { Queueing } from "../durable/queueing";
import type { RunSpec } from "../instance/spec";
import type { Llm } from "#llm";
import type { ProviderGates } from "#llm/limits/acquire-permit";
import type { Store } from "#store/store";

/** What a call of an act is made with. */
export interface CallContext {
  run_id: string;
  epoch: number;
  spec: RunSpec;
  store: Store;
  llm: Llm;
  gates: ProviderGates;
  timeout_ms: number;
  /** Position of the next call in the run, for `test.faults.llm`. */
  nextCall(): number;
  queueing: Pick<Queueing, "asks" | "waits">;
  /** Looks at D1 between attempts, and says how long nothing more will be heard of the run (milliseconds); throws `Gone`, `Suspend` or `Failed` when the act must not be tried again now. */
  assertMayGoOn(quiet?: number): Promise<void>;
}

/** What a line of the log says first. */
export const aboutAct = ({ run_id, spec }: CallContext, act: string) => ({ run_id, tenant_id: spec.tenant, act });
