import type { Owner } from "#core/owner";
import { removeRun } from "./remove-run";
import type { Services } from "../services";
import { findRun, stateConflict } from "./find-run";
import { assertAllows } from "./states";

/** Removes a finished run with everything that it stored. */
export async function deleteRun(services: Services, owner: Owner, id: string): Promise<void> {
  const run = await findRun(services, owner, id);
  assertAllows("delete", run);
  await services.platform.armKeeper();
  if (!(await removeRun(services, run))) throw await stateConflict(services, run, "delete");
}
