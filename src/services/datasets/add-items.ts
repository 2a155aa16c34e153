import { randomUUID } from "node:crypto";
import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import { withRetry } from "#core/retry";
import { isKnownItem } from "#store/datasets";
import { validationProblem } from "../fields/field-errors";
import type { RequestCompletion } from "../idempotency/complete-key";
import type { Services } from "../services";
import { findDataset, getDataset, noSuchDataset } from "./datasets";
import { duplicate, type ReadItem, readItems } from "./read-items";
import { DATASET_BOUNDS } from "./requests";
import type { PresentedDataset } from "./schema";

interface AddItems {
  owner: Owner;
  id: string;
  body: ReadableStream<Uint8Array>;
  /** The answer to store under the key of the request. */
  complete?: () => RequestCompletion;
}

/**
 * Adds the items of an upload to an open data set: all of them, or none when a line is invalid.
 * @throws Problem that lists the errors by their lines; `not_found`, `dataset_closed`, `dataset_full`, `payload_too_large`, `quota_exceeded`
 */
export async function addItems(services: Services, { owner, id, body, complete }: AddItems): Promise<PresentedDataset> {
  const { store, platform, workflows } = services;
  const row = await findDataset(services, owner, id);
  if (row.content_hash !== null) throw closed(id);
  await store.quotas.assertRoom(owner.tenant_id, { dataset_items: 1, stored_bytes: 1 });
  const items = await readItems(body, workflows[row.workflow], DATASET_BOUNDS.items - row.items);
  if (!items) throw full(id);
  await refuseKnown(services, id, items);
  await platform.armMaintenance();
  const writing = { bounds: DATASET_BOUNDS, completion: complete?.() };
  const added = await store.datasets.addItems({ ...owner, id }, randomUUID(), items, writing).catch(async (error) => {
    if (isKnownItem(error)) await refuseKnown(services, id, items); // another upload has added it meanwhile
    throw error;
  });
  if (!added) {
    const now = await store.datasets.get(owner, id);
    throw !now ? noSuchDataset(id) : now.content_hash !== null ? closed(id) : full(id);
  }
  return withRetry(() => getDataset(services, owner, id));
}

const closed = (id: string) => new Problem("dataset_closed", `The data set ${id} is closed.`);
const full = (id: string) =>
  new Problem(
    "dataset_full",
    `With these items ${id} would have more than ${DATASET_BOUNDS.items} items, or ${DATASET_BOUNDS.bytes} bytes.`,
  );

/** @throws Problem when the data set has items with these ids */
async function refuseKnown({ store }: Services, dataset: string, items: readonly ReadItem[]): Promise<void> {
  const known = await store.datasets.knownItems(
    dataset,
    items.map(({ item_id }) => item_id),
  );
  const errors = items.flatMap(({ line, item_id }) =>
    known.has(item_id) ? duplicate(line, `The data set has an item "${item_id}" already.`) : [],
  );
  if (errors.length) throw validationProblem(errors);
}
