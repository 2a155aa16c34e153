import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import { wakeSenders, startNext, wake } from "../wake";
import { findRun, overtaken } from "./find-run";
import { presentRun } from "./present-run";
import type { PresentedRun } from "./schema";
import { assertTakes } from "./states";

/** Ends a run, and its open interactions with it. Nothing that is still in flight is written after. */
export async function cancelRun(services: Services, tenant: string, id: string): Promise<PresentedRun> {
  const before = await findRun(services, tenant, id);
  assertTakes("cancel", before);
  const run = await cancelAndWake(services, tenant, id);
  if (!run) throw await overtaken(services, before, "cancel");
  await startNext(services, tenant);
  await wakeSenders(services, run, "run.canceled");
  return presentRun(services, run);
}

/** Cancels, and has the instance find out; null when the run had ended. Returns the run as it is now. */
export async function cancelAndWake(
  services: Pick<Services, "store" | "platform">,
  tenant: string,
  id: string,
): Promise<RunRow | null> {
  const canceled = await services.store.runs.cancel(tenant, id);
  if (!canceled) return null;
  const { run, interactions } = canceled;
  // The instance of the old epoch may wait for any of these; once woken it finds that the run is not its any more.
  const waits = [...interactions, ...(run.paused ? [`resume_${run.pauses}`] : [])];
  await wake(services, { id, epoch: run.epoch - 1 }, waits);
  return run;
}
