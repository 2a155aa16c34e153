import type { Services } from "../services";
import { wakeSenders, startNext } from "../wake";
import { findRun, overtaken } from "./find-run";
import { presentRun } from "./present-run";
import type { PresentedRun } from "./schema";
import { assertTakes } from "./states";

/** Pauses a run: calls in flight are still finished and stored, then it waits. */
export async function pauseRun(services: Services, tenant: string, id: string): Promise<PresentedRun> {
  const before = await findRun(services, tenant, id);
  assertTakes("pause", before);
  const run = await services.store.runs.setPaused(tenant, id, true);
  if (!run) throw await overtaken(services, before, "pause");
  await startNext(services, tenant);
  await wakeSenders(services, run, "run.paused");
  return presentRun(services, run);
}
