import type { Owner } from "#core/owner";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import type { Settlement } from "../idempotency/settle-key";
import { withRetry } from "#core/retry";
import { wakeSenders, startNext, wake } from "../wake";
import { findRun, stateConflict } from "./find-run";
import { presentRun } from "./present-run";
import type { PresentedRun } from "./schema";
import { assertAllows } from "./states";

/** Ends a run and its open interactions. Calls in flight write nothing afterwards. */
export async function cancelRun(
  services: Services,
  { owner, id }: { owner: Owner; id: string },
  settlement?: Settlement,
): Promise<PresentedRun> {
  const before = await findRun(services, owner, id);
  assertAllows("cancel", before);
  const run = await cancelAndWake(services, { owner, id }, settlement);
  if (!run) throw await stateConflict(services, before, "cancel");
  await startNext(services, owner.tenant_id);
  await wakeSenders(services, run, "run.canceled");
  return withRetry(() => presentRun(services, run));
}

/** Cancels a run and wakes its instance. @returns the canceled run; null when it had ended already */
export async function cancelAndWake(
  services: Pick<Services, "store" | "platform">,
  { owner, id }: { owner: Owner; id: string },
  settlement?: Settlement,
): Promise<RunRow | null> {
  const canceled = await services.store.runs.cancel(owner, id, settlement);
  if (!canceled) return null;
  const { run, interactions } = canceled;
  // The old epoch's instance may wait for any of these; once woken it finds itself superseded.
  const waits = [...interactions, ...(run.paused ? [`resume_${run.pauses}`] : [])];
  await wake(services, { id, epoch: run.epoch - 1 }, waits);
  return run;
}
