import type { Services } from "../services";
import { announce, startNext, wake } from "../wake";
import { findRun, overtaken } from "./find-run";
import { type PresentedRun, presentRun } from "./present-run";
import { assertTakes } from "./states";

/** Ends a run, and its open interactions with it. Nothing that is still in flight is written after. */
export async function cancelRun(services: Services, tenant: string, id: string): Promise<PresentedRun> {
  const before = await findRun(services, tenant, id);
  assertTakes("cancel", before);
  const canceled = await services.store.runs.cancel(tenant, id);
  if (!canceled) throw await overtaken(services, before, "cancel");
  const { run, interactions } = canceled;
  // The instance of the old epoch may wait for any of these; once woken it finds that the run is not its any more.
  const waits = [...interactions, ...(run.paused ? [`resume_${run.pauses}`] : [])];
  await wake(services, { id, epoch: run.epoch - 1 }, waits);
  await startNext(services, tenant);
  await announce(services, run, "run.canceled");
  return presentRun(services, run);
}
