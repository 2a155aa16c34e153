import type { Owner } from "#core/owner";
import { removeRun } from "./remove-run";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { assertNoParent, findRun, stateConflict } from "./find-run";
import { assertAllows } from "./states";

/** Removes a finished run with everything that it stored. */
export async function deleteRun(services: Services, owner: Owner, id: string, settlement?: Settlement): Promise<void> {
  const run = await findRun(services, owner, id);
  assertAllows("delete", run);
  assertNoParent(run, "deleted");
  await services.platform.armKeeper();
  if (!(await removeRun(services, run, settlement))) throw await stateConflict(services, run, "delete");
}
