import type { Services } from "../services";
import { removeObjects, watch } from "../wake";
import { findRun, overtaken } from "./find-run";
import { assertTakes } from "./states";

/** Removes a finished run with everything that it stored: its instances first, so that a failure leaves a row to delete again. */
export async function deleteRun(services: Services, tenant: string, id: string): Promise<void> {
  const run = await findRun(services, tenant, id);
  assertTakes("delete", run);
  await watch(services);
  await services.platform.forget(run);
  if (!(await services.store.runs.remove(run))) throw await overtaken(services, run, "delete");
  await removeObjects(services, run);
}
