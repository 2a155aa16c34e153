import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { attempt } from "../wake";
import { findDataset, noSuchDataset } from "./find-dataset";

/** Runs that a refusal names. */
const MOST_NAMED = 20;

/**
 * Deletes a data set with its items. Runs that have ended keep their artifacts; a retry of one that still needs the items fails.
 * @throws Problem `not_found`; `dataset_in_use` while runs that have not ended read it
 */
export async function deleteDataset(
  services: Services,
  owner: Owner,
  id: string,
  settlement?: Settlement,
): Promise<void> {
  const { datasets } = services.store;
  await findDataset(services, owner, id);
  await services.platform.armKeeper();
  if (!(await datasets.remove(owner, id, settlement))) {
    const readers = await datasets.readers(id, MOST_NAMED);
    if (readers.length === 0) throw noSuchDataset(id);
    const runs = readers.length < MOST_NAMED ? readers.join(", ") : `${readers.join(", ")} and perhaps others`;
    throw new Problem("dataset_in_use", `The data set is read by runs that have not ended: ${runs}.`);
  }
  await attempt("removing objects", id, () => datasets.removeObjects(owner.tenant_id, id));
}
