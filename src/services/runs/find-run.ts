import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import { type Verb, wrongState } from "./states";

/** The owner's run with this id. @throws Problem `not_found` */
export async function findRun(services: Services, owner: Owner, id: string): Promise<RunRow> {
  const run = await services.store.runs.get(owner, id);
  if (!run) throw noSuchRun(id);
  return run;
}

export const noSuchRun = (id: string) => new Problem("not_found", `There is no run ${id}.`);

/** The problem to throw when a conditional write failed because the run changed after it was read. */
export async function stateConflict(services: Services, run: RunRow, verb: Verb): Promise<Problem> {
  return wrongState(verb, await findRun(services, run, run.id));
}
