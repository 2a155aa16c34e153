import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { RequestCompletion } from "../idempotency/complete-key";
import type { Services } from "../services";
import { findDataset, getDataset, presentDataset } from "./datasets";
import { hashItems } from "./items";
import type { PresentedDataset } from "./schema";

/** Uploads may add items while the hash is computed; then it is computed again. */
const ATTEMPTS = 5;

/**
 * Closes a data set: from now on its items never change. One that is closed already stays as it is.
 * @throws Problem `not_found`, `dataset_empty`; `dataset_busy` when uploads do not end
 */
export async function closeDataset(
  services: Services,
  { owner, id, complete }: { owner: Owner; id: string; complete?: () => RequestCompletion },
): Promise<PresentedDataset> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const row = await findDataset(services, owner, id);
    if (row.content_hash !== null) return presentDataset(row);
    const { hash: content_hash, items } = await hashItems(services, id);
    if (items === 0) throw new Problem("dataset_empty", `The data set ${id} has no items.`);
    const closing = { content_hash, items, closed_at: Date.now() };
    if (await services.store.datasets.close({ ...owner, id }, closing, complete?.()))
      return getDataset(services, owner, id);
  }
  throw new Problem("dataset_busy", `Items were added to ${id} while it was being closed.`);
}
