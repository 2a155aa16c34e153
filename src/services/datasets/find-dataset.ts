import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { DatasetRow } from "#store/rows";
import type { Store } from "#store/store";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";
import { validationProblem } from "../fields/faults";
import type { Services } from "../services";
import { presentDataset } from "./present";
import type { PresentedDataset } from "./schema";

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
