import { newId } from "#core/ids";
import type { Owner } from "#core/owner";
import type { DatasetRow } from "#store/rows";
import { parseBody } from "../fields/field-errors";
import type { Complete } from "../idempotency/complete-key";
import type { Services } from "../services";
import { presentDataset } from "./datasets";
import { createDatasetSchema } from "./requests";
import type { PresentedDataset } from "./schema";

/**
 * Creates a data set of the owner's mode, open and without items.
 * @throws Problem with every error of the body; `quota_exceeded`
 */
export async function createDataset(
  { store, workflows }: Services,
  { owner, body, complete }: { owner: Owner; body: unknown; complete?: Complete<PresentedDataset> | undefined },
): Promise<PresentedDataset> {
  const { metadata, ...fields } = parseBody(createDatasetSchema(Object.keys(workflows)), body);
  const now = Date.now();
  const row: DatasetRow = {
    ...fields,
    id: newId("dst"),
    tenant_id: owner.tenant_id,
    mode: owner.mode,
    metadata: JSON.stringify(metadata),
    items: 0,
    bytes: 0,
    latest_upload: null,
    content_hash: null,
    closed_at: null,
    created_at: now,
    updated_at: now,
  };
  const created = presentDataset(row);
  await store.datasets.create(row, complete?.(created));
  return created;
}
