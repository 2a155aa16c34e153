import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import { type Verb, wrongState } from "./states";

/** The tenant's run with this id. @throws Problem `not_found` */
export async function findRun(services: Services, tenant: string, id: string): Promise<RunRow> {
  const run = await services.store.runs.get(tenant, id);
  if (!run) throw noSuchRun(id);
  return run;
}

export const noSuchRun = (id: string) => new Problem("not_found", `There is no run ${id}.`);

/** The problem to throw when a conditional write failed because the run changed after it was read. */
export async function stateConflict(services: Services, run: RunRow, verb: Verb): Promise<Problem> {
  return wrongState(verb, await findRun(services, run.tenant_id, run.id));
}
