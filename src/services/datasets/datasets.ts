import type { DatasetRow } from "#store/rows";
import { toTime, toTimeOrNull } from "../fields/time";
import type { PresentedDataset } from "./schema";
import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { Store } from "#store/store";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";
import { validationProblem, parseBody } from "../fields/field-errors";
import type { Services } from "../services";
import type { Page } from "#core/page";
import type { DatasetFilter } from "#store/datasets";
import type { PageRequest } from "../fields/page-request";
import type { RequestCompletion } from "../idempotency/complete-key";
import { updateDatasetSchema } from "./requests";
import { attempt } from "../wake";

export function presentDataset(row: DatasetRow): PresentedDataset {
  const { id, mode, name, description, workflow, items, bytes, content_hash } = row;
  return {
    object: "dataset",
    id,
    mode,
    name,
    description,
    workflow,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    status: content_hash === null ? "open" : "closed",
    items,
    bytes,
    content_hash,
    created_at: toTime(row.created_at),
    updated_at: toTime(row.updated_at),
    closed_at: toTimeOrNull(row.closed_at),
  };
}

/** The owner's data set with this id. @throws Problem `not_found` */
export async function findDataset({ store }: Pick<Services, "store">, owner: Owner, id: string): Promise<DatasetRow> {
  const dataset = await store.datasets.get(owner, id);
  if (!dataset) throw noSuchDataset(id);
  return dataset;
}

export const noSuchDataset = (id: string) => new Problem("not_found", `There is no data set ${id}.`);

/** @throws Problem `not_found` */
export const getDataset = async (services: Services, owner: Owner, id: string): Promise<PresentedDataset> =>
  presentDataset(await findDataset(services, owner, id));

/** A data set with its items. @throws Problem when no run can read it */
export async function findClosedDataset(store: Store, owner: Owner, id: string): Promise<Dataset> {
  const refuse = (code: string, message: string) => validationProblem([{ path: "input.dataset_id", code, message }]);
  const row = await store.datasets.get(owner, id);
  const unknown = refuse("unknown_dataset", `There is no data set ${id}.`);
  if (!row) throw unknown;
  const { name, workflow, content_hash } = row;
  if (content_hash === null) throw refuse("dataset_open", `The data set ${id} is not closed yet.`);
  const items = (await store.datasets.parsedItems(id)) as DatasetItem[];
  if (items.length < row.items) throw unknown; // deleted meanwhile
  return { id, name, workflow, content_hash, items };
}

/** The owner's data sets, newest first. */
export async function listDatasets(
  { store }: Services,
  { owner, filter, limit, after }: PageRequest & { filter: DatasetFilter },
): Promise<Page<PresentedDataset>> {
  const { rows, next } = await store.datasets.list(owner, filter, limit, after);
  return { rows: rows.map(presentDataset), next };
}

/**
 * Changes the fields in the body, also of a closed data set: they are no part of its version.
 * @throws Problem with every error of the body; `not_found`
 */
export async function updateDataset(
  services: Services,
  { owner, id, body }: { owner: Owner; id: string; body: unknown },
  completion?: RequestCompletion,
): Promise<PresentedDataset> {
  await findDataset(services, owner, id);
  const { metadata, ...fields } = parseBody(updateDatasetSchema, body);
  const change = { ...fields, ...(metadata && { metadata: JSON.stringify(metadata) }) };
  if (!(await services.store.datasets.update(owner, id, change, completion))) throw noSuchDataset(id);
  return getDataset(services, owner, id);
}

/** Runs that a refusal names. */
const MAX_NAMED = 20;

/**
 * Deletes a data set with its items. Runs that have ended keep their artifacts; a retry of one that still needs the items fails.
 * @throws Problem `not_found`; `dataset_in_use` while runs that have not ended read it
 */
export async function deleteDataset(
  services: Services,
  owner: Owner,
  id: string,
  completion?: RequestCompletion,
): Promise<void> {
  const { datasets } = services.store;
  await findDataset(services, owner, id);
  await services.platform.armMaintenance();
  if (!(await datasets.remove(owner, id, completion))) {
    const readers = await datasets.readers(id, MAX_NAMED);
    if (readers.length === 0) throw noSuchDataset(id);
    const runs = readers.length < MAX_NAMED ? readers.join(", ") : `${readers.join(", ")} and perhaps others`;
    throw new Problem("dataset_in_use", `The data set is read by runs that have not ended: ${runs}.`);
  }
  await attempt("removing objects", id, () => datasets.removeObjects(owner.tenant_id, id));
}
