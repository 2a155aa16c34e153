import type { Owner } from "#core/owner";
import { parseBody } from "../fields/faults";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { findDataset, getDataset, noSuchDataset } from "./find-dataset";
import { updateDatasetSchema } from "./requests";
import type { PresentedDataset } from "./schema";

/**
 * Changes the fields in the body, also of a closed data set: they are no part of its version.
 * @throws Problem with every fault of the body; `not_found`
 */
export async function updateDataset(
  services: Services,
  { owner, id, body }: { owner: Owner; id: string; body: unknown },
  settlement?: Settlement,
): Promise<PresentedDataset> {
  await findDataset(services, owner, id);
  const { metadata, ...fields } = parseBody(updateDatasetSchema, body);
  const change = { ...fields, ...(metadata && { metadata: JSON.stringify(metadata) }) };
  if (!(await services.store.datasets.update(owner, id, change, settlement))) throw noSuchDataset(id);
  return getDataset(services, owner, id);
}
