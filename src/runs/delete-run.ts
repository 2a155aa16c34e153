import type { Services } from "../services";
import { findRun, overtaken } from "./find-run";
import { assertTakes } from "./states";

/** Removes a finished run with everything that it stored. */
export async function deleteRun(services: Services, tenant: string, id: string): Promise<void> {
  const run = await findRun(services, tenant, id);
  assertTakes("delete", run);
  if (!(await services.store.runs.remove(run))) throw await overtaken(services, run, "delete");
}
