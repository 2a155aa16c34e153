import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import { type Verb, wrongState, assertAllows } from "./states";
import { presentRun, presentRunEntries } from "./present-run";
import type { PresentedRun, PresentedRunEntry } from "./schema";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import type { RunFilter } from "#store/run-lists";
import { removeRun } from "./remove-run";
import type { RequestCompletion } from "../idempotency/complete-key";

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

/** Refuses what a child run takes part in only with its parent. @throws Problem `wrong_state` */
export function assertNoParent({ parent_id }: Pick<RunRow, "parent_id">, done: string): void {
  if (parent_id !== null)
    throw new Problem("wrong_state", `The run was started by ${parent_id} and can be ${done} only with that run.`);
}

export async function getRun(services: Services, owner: Owner, id: string): Promise<PresentedRun> {
  const found = await services.store.runDetails.withRun(owner, id);
  if (!found) throw noSuchRun(id);
  return presentRun(services, found.row, found.details);
}

/** Newest first; a page may end early, so that its bytes are bounded. */
export async function listRuns(
  services: Services,
  { owner, filter, limit, after }: PageRequest & { filter: RunFilter },
): Promise<Page<PresentedRunEntry>> {
  const { rows, next } = await services.store.runs.list(owner, filter, limit, after);
  return { rows: await presentRunEntries(services, rows), next };
}

/** Removes a finished run with everything that it stored. */
export async function deleteRun(
  services: Services,
  owner: Owner,
  id: string,
  completion?: RequestCompletion,
): Promise<void> {
  const run = await findRun(services, owner, id);
  assertAllows("delete", run);
  assertNoParent(run, "deleted");
  await services.platform.armMaintenance();
  if (!(await removeRun(services, run, completion))) throw await stateConflict(services, run, "delete");
}
