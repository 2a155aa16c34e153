import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { DatasetRow } from "#store/rows";
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
