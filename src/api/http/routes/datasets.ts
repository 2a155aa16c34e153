import { createRoute, z } from "@hono/zod-openapi";
import { closeDataset } from "#services/datasets/close-dataset";
import { createDataset } from "#services/datasets/create-dataset";
import { deleteDataset } from "#services/datasets/delete-dataset";
import { getDataset } from "#services/datasets/find-dataset";
import { listDatasets } from "#services/datasets/list-datasets";
import { datasetSchema, datasetStatusSchema } from "#services/datasets/schema";
import { updateDataset } from "#services/datasets/update-dataset";
import { noFieldsSchema } from "#services/runs/requests";
import { idPattern } from "#core/ids";
import { newRouter } from "../context";
import { answerCreated, writtenUnderKey } from "../under-key";
import { EXAMPLE_CREATE_DATASET, EXAMPLE_DATASET } from "../examples";
import { jsonBody, readJson } from "../middleware/body";
import {
  BODY,
  created,
  errors,
  json,
  jsonRequest,
  KEYED,
  LIST,
  needs,
  QUERY,
  referredRequest,
  requestIdHeader,
  scopeNote,
} from "../operation";
import { NO_QUERY, jsonPage, pageQuery, readCursor, toAnswer } from "../pages";
import { pathId } from "../schemas/common";

export const datasets = newRouter();

const tags = ["Data sets"];
const params = z.object({ id: pathId("dst") });

datasets.openapi(
  createRoute({
    method: "post",
    path: "/v1/datasets",
    operationId: "createDataset",
    tags,
    summary: "Create a data set",
    description: `It is open and empty: upload items, then close it. It has the key's mode. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { query: NO_QUERY, body: referredRequest("CreateDataset", EXAMPLE_CREATE_DATASET) },
    responses: {
      201: created(datasetSchema, "data set", EXAMPLE_DATASET),
      ...errors(...KEYED, ...QUERY, ...BODY, "unknown_workflow"),
    },
  }),
  async (c) => {
    const { services, key: owner } = c.var;
    const body = await readJson(c);
    return answerCreated(c, "/v1/datasets", (settle) => createDataset(services, { owner, body, settle }));
  },
);

const exactly = (what: string, max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .optional()
    .openapi({ description: `Only data sets with exactly this ${what}.` });

datasets.openapi(
  createRoute({
    method: "get",
    path: "/v1/datasets",
    operationId: "listDatasets",
    tags,
    summary: "List data sets",
    description: `Newest first. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: {
      query: z.strictObject({
        ...pageQuery,
        name: exactly("name", 200),
        workflow: exactly("workflow", 100),
        content_hash: exactly("version", 64),
        status: datasetStatusSchema.optional(),
      }),
    },
    responses: {
      200: jsonPage("DatasetPage", datasetSchema, "data sets", EXAMPLE_DATASET),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const after = readCursor("datasets", idPattern("dst"), cursor);
    const page = await listDatasets(c.var.services, { owner: c.var.key, filter, limit, after });
    return c.json(toAnswer("datasets", page), 200);
  },
);

datasets.openapi(
  createRoute({
    method: "get",
    path: "/v1/datasets/{id}",
    operationId: "getDataset",
    tags,
    summary: "Read a data set",
    description: `Without its items. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params, query: NO_QUERY },
    responses: {
      200: json(datasetSchema, "The data set.", EXAMPLE_DATASET),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => c.json(await getDataset(c.var.services, c.var.key, c.req.valid("param").id), 200),
);

datasets.openapi(
  createRoute({
    method: "patch",
    path: "/v1/datasets/{id}",
    operationId: "updateDataset",
    tags,
    summary: "Change a data set",
    description: `Each given field replaces the stored one, also in a closed data set: they are no part of its version. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { params, query: NO_QUERY, body: referredRequest("UpdateDataset", { description: "Second edition." }) },
    responses: {
      200: json(datasetSchema, "The data set.", EXAMPLE_DATASET),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await updateDataset(c.var.services, { owner: c.var.key, id, body: await readJson(c) }), 200);
  },
);

datasets.openapi(
  createRoute({
    method: "post",
    path: "/v1/datasets/{id}/close",
    operationId: "closeDataset",
    tags,
    summary: "Close a data set",
    description: `Its items never change any more, it gets its \`content_hash\`, and runs can read it. A closed data set stays as it is. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody({ optional: true })),
    request: { params, query: NO_QUERY, body: jsonRequest(noFieldsSchema, {}, { required: false }) },
    responses: {
      200: json(datasetSchema, "The data set.", EXAMPLE_DATASET),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "dataset_empty", "dataset_busy"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { services, key: owner } = c.var;
    return c.json(await closeDataset(services, { owner, id, settle: () => writtenUnderKey(c, id) }), 200);
  },
);

datasets.openapi(
  createRoute({
    method: "delete",
    path: "/v1/datasets/{id}",
    operationId: "deleteDataset",
    tags,
    summary: "Delete a data set",
    description: `With its items. While runs that have not ended read it this is refused; runs that have ended keep their results, and a retry of one that still needs the items fails. ${scopeNote("runs:write")}`,
    ...needs("runs:write"),
    request: { params, query: NO_QUERY },
    responses: {
      204: { description: "Deleted.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found", "dataset_in_use"),
    },
  }),
  async (c) => {
    await deleteDataset(c.var.services, c.var.key, c.req.valid("param").id);
    return c.body(null, 204);
  },
);
