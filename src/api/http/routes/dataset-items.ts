import { z } from "@hono/zod-openapi";
import { addItems } from "#services/datasets/add-items";
import { getDataset } from "#services/datasets/datasets";
import { exportItems, listItems } from "#services/datasets/items";
import { MAX_UPLOAD_BYTES } from "#services/datasets/requests";
import { datasetSchema, itemSchema } from "#services/datasets/schema";
import { Router } from "../context";
import { EXAMPLE_DATASET, EXAMPLE_ITEM } from "../examples";
import { NDJSON, streamExport } from "../export";
import { keyedRoute, listRoute } from "../keyed-routes";
import { linesBody } from "../middleware/body";
import { json, requestIdHeader } from "../operation";
import { jsonPage } from "../pages";
import { pathId } from "../schemas/common";
import { writtenUnderKey } from "../under-key";

export const datasetItems = new Router("Data sets");

const params = z.object({ id: pathId("dst") });
const lines = {
  [NDJSON]: {
    schema: { type: "string" as const, description: "A `DatasetItem` a line." },
    example: `${JSON.stringify(EXAMPLE_ITEM)}\n`,
  },
};

keyedRoute(
  datasetItems,
  {
    method: "post",
    path: "/v1/datasets/{id}/items",
    operationId: "addItems",
    summary: "Upload items",
    description: [
      "One item per line, added behind those that the data set has: all items of the upload, or none when a line is invalid. The errors name " +
        "their lines: `lines.3.input.question`, counted from 1; after 100 errors reading ends.",
      "An item's `input` must fit the workflow, its `options` the workflow's options; `gold` and `tags` reach metrics and judges only. An `id` is " +
        "unique in its data set.",
      "An upload has at most 8 MiB, a line 1 MiB; a data set has at most 10,000 items, of 16 MiB together. Send larger sets in several uploads.",
    ],
    scope: "runs:write",
    params,
    rawBody: { content: lines, guard: linesBody(MAX_UPLOAD_BYTES, "8 MiB") },
    responses: {
      200: json(datasetSchema, "The data set with the items.", {
        ...EXAMPLE_DATASET,
        status: "open",
        content_hash: null,
        closed_at: null,
      }),
    },
    errors: ["duplicate_item", "dataset_closed", "dataset_full"],
  },
  async ({ c, services, owner, params: { id } }) => {
    const body = c.req.raw.body ?? new Blob([]).stream();
    const dataset = c.var.held?.made
      ? await getDataset(services, owner, id)
      : await addItems(services, { owner, id, body, complete: () => writtenUnderKey(c, id) });
    return c.json(dataset, 200);
  },
);

listRoute(
  datasetItems,
  {
    path: "/v1/datasets/{id}/items",
    operationId: "listItems",
    summary: "List items",
    description: "In the order in which they were uploaded.",
    scope: "runs:read",
    params,
    cursor: ["items", /^\d{1,15}$/], // the position of an item
    answer: jsonPage("DatasetItemPage", itemSchema, "items", EXAMPLE_ITEM),
  },
  ({ services, params: { id: dataset_id }, page }) => listItems(services, { ...page, dataset_id }),
);

keyedRoute(
  datasetItems,
  {
    method: "get",
    path: "/v1/datasets/{id}/export",
    operationId: "exportDataset",
    summary: "Export the items",
    description:
      "All items, one per line, in their order and as canonical JSON (RFC 8785): what a closed data set's `content_hash` is the SHA-256 of. An answer that was cut off has another hash. It can be uploaded again. The audit log has an entry of each export.",
    scope: "runs:read",
    params,
    responses: { 200: { description: "The lines.", headers: requestIdHeader, content: lines } },
  },
  async ({ c, services, owner, params: { id } }) => streamExport(c, await exportItems(services, owner, id), id),
);
