import { createRoute, z } from "@hono/zod-openapi";
import { stream } from "hono/streaming";
import { log } from "#core/log";
import { writeEntry } from "#services/audit/write-entry";
import { addItems } from "#services/datasets/add-items";
import { getDataset } from "#services/datasets/find-dataset";
import { exportItems, listItems } from "#services/datasets/items";
import { LARGEST_UPLOAD } from "#services/datasets/requests";
import { datasetSchema, itemSchema } from "#services/datasets/schema";
import { auditEntry } from "../audit-entry";
import { newRouter } from "../context";
import { writtenUnderKey } from "../under-key";
import { EXAMPLE_DATASET, EXAMPLE_ITEM } from "../examples";
import { linesBody } from "../middleware/body";
import { aboutRequest } from "../middleware/log";
import { BODY, errors, json, KEYED, LIST, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { NO_QUERY, jsonPage, pageQuery, readCursor, toAnswer } from "../pages";
import { pathId } from "../schemas/common";

export const datasetItems = newRouter();

const tags = ["Data sets"];
const params = z.object({ id: pathId("dst") });

/** Typed as string: from a literal type that ends in `json` the framework would infer a JSON body. */
const NDJSON: string = "application/x-ndjson";
const lines = {
  schema: { type: "string" as const, description: "A `DatasetItem` a line." },
  example: `${JSON.stringify(EXAMPLE_ITEM)}\n`,
};

datasetItems.openapi(
  createRoute({
    method: "post",
    path: "/v1/datasets/{id}/items",
    operationId: "addItems",
    tags,
    summary: "Upload items",
    description: [
      "One item per line, added behind those that the data set has: all items of the upload, or none when a line is faulty. The faults name " +
        "their lines: `lines.3.input.question`, counted from 1; after 100 faults reading ends.",
      "An item's `input` must fit the workflow, its `options` the workflow's options; `gold` and `tags` reach metrics and judges only. An `id` is " +
        "unique in its data set.",
      "An upload has at most 8 MiB, a line 1 MiB; a data set has at most 10,000 items, of 16 MiB together. Send larger sets in several uploads.",
      scopeNote("runs:write"),
    ].join("\n\n"),
    ...needs("runs:write", linesBody(LARGEST_UPLOAD, "8 MiB")),
    request: { params, query: NO_QUERY, body: { required: true, content: { [NDJSON]: lines } } },
    responses: {
      200: json(datasetSchema, "The data set with the items.", {
        ...EXAMPLE_DATASET,
        status: "open",
        content_hash: null,
        closed_at: null,
      }),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "duplicate_item", "dataset_closed", "dataset_full"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { services, key: owner, held } = c.var;
    const body = c.req.raw.body ?? new Blob([]).stream();
    const dataset = held?.made
      ? await getDataset(services, owner, id)
      : await addItems(services, { owner, id, body, settle: () => writtenUnderKey(c, id) });
    return c.json(dataset, 200);
  },
);

/** The position of an item, which a cursor holds. */
const POSITION = /^\d{1,15}$/;

datasetItems.openapi(
  createRoute({
    method: "get",
    path: "/v1/datasets/{id}/items",
    operationId: "listItems",
    tags,
    summary: "List items",
    description: `In the order in which they were uploaded. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params, query: z.strictObject(pageQuery) },
    responses: {
      200: jsonPage("DatasetItemPage", itemSchema, "items", EXAMPLE_ITEM),
      ...errors(...KEYED, ...LIST, "not_found"),
    },
  }),
  async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const page = await listItems(c.var.services, {
      owner: c.var.key,
      dataset_id: c.req.valid("param").id,
      limit,
      after: readCursor("items", POSITION, cursor),
    });
    return c.json(toAnswer("items", page), 200);
  },
);

datasetItems.openapi(
  createRoute({
    method: "get",
    path: "/v1/datasets/{id}/export",
    operationId: "exportDataset",
    tags,
    summary: "Export the items",
    description: `All items, one per line, in their order and as canonical JSON (RFC 8785): what a closed data set's \`content_hash\` is the SHA-256 of. An answer that was cut off has another hash. It can be uploaded again. The audit log has an entry of each export. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params, query: NO_QUERY },
    responses: {
      200: { description: "The lines.", headers: requestIdHeader, content: { [NDJSON]: lines } },
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const pages = await exportItems(c.var.services, c.var.key, id);
    await writeEntry(c.var.services, auditEntry(c, "done", id));
    c.header("Content-Type", NDJSON);
    return stream(c, async (body) => {
      try {
        for await (const page of pages) {
          if (body.aborted) return;
          await body.write(page);
        }
      } catch (error) {
        log.error("an export was cut off", { ...aboutRequest(c), error });
      }
    });
  },
);
