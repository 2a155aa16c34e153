import type { Page } from "#core/page";
import type { DatasetFilter } from "#store/datasets";
import type { PageRequest } from "../fields/page-request";
import type { Services } from "../services";
import { presentDataset } from "./present";
import type { PresentedDataset } from "./schema";

/** The owner's data sets, newest first. */
export async function listDatasets(
  { store }: Services,
  { owner, filter, limit, after }: PageRequest & { filter: DatasetFilter },
): Promise<Page<PresentedDataset>> {
  const { rows, next } = await store.datasets.list(owner, filter, limit, after);
  return { rows: rows.map(presentDataset), next };
}
