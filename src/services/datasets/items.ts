import { createHash } from "node:crypto";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";
import type { DatasetItem } from "#workflow-kit/datasets";
import type { PageRequest } from "../fields/page-request";
import type { Services } from "../services";
import { findDataset } from "./datasets";

/** Items in their order. @throws Problem `not_found` */
export async function listItems(
  services: Services,
  { owner, dataset_id, limit, after }: PageRequest & { dataset_id: string },
): Promise<Page<DatasetItem>> {
  const { datasets } = services.store;
  await findDataset(services, owner, dataset_id);
  const { rows, next } = await datasets.items(dataset_id, limit, Number(after ?? 0));
  const contents = await datasets.contentsOf(rows);
  return { rows: contents.map((content) => JSON.parse(content) as DatasetItem), next };
}

/** All items as NDJSON, in their order: the text that `content_hash` is the hash of. In pages of about a mebibyte. @throws Problem `not_found` */
export async function exportItems(services: Services, owner: Owner, id: string): Promise<AsyncGenerator<string>> {
  await findDataset(services, owner, id);
  return linesOf(services, id);
}

async function* linesOf({ store }: Pick<Services, "store">, id: string): AsyncGenerator<string> {
  for await (const page of store.datasets.allItems(id)) yield page.map((item) => `${item}\n`).join("");
}

/** SHA-256 of the export of a data set, and the number of items that it covers. */
export async function hashItems(
  services: Pick<Services, "store">,
  id: string,
): Promise<{ hash: string; items: number }> {
  const hash = createHash("sha256");
  let items = 0;
  for await (const page of services.store.datasets.allItems(id)) {
    for (const item of page) hash.update(`${item}\n`);
    items += page.length;
  }
  return { hash: hash.digest("hex"), items };
}
