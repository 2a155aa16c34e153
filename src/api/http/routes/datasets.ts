import { z } from "@hono/zod-openapi";
import { closeDataset } from "#services/datasets/close-dataset";
import { createDataset } from "#services/datasets/create-dataset";
import { deleteDataset, getDataset, listDatasets, updateDataset } from "#services/datasets/datasets";
import { datasetSchema, datasetStatusSchema } from "#services/datasets/schema";
import { idPattern } from "#core/ids";
import { Router } from "../context";
import { EXAMPLE_CREATE_DATASET, EXAMPLE_DATASET } from "../examples";
import { changeRoute, creationRoute, deleteRoute, listRoute, readRoute, verbRoute } from "../keyed-routes";
import { created, json, NO_FIELDS, referredRequest } from "../operation";
import { jsonPage, pageQuery } from "../pages";
import { pathId } from "../schemas/common";

export const datasets = new Router("Data sets");

const params = z.object({ id: pathId("dst") });
const answer = json(datasetSchema, "The data set.", EXAMPLE_DATASET);

creationRoute(
  datasets,
  {
    path: "/v1/datasets",
    operationId: "createDataset",
    summary: "Create a data set",
    description: "It is open and empty: upload items, then close it. It has the key's mode.",
    scope: "runs:write",
    body: referredRequest("CreateDataset", EXAMPLE_CREATE_DATASET),
    answer: created(datasetSchema, "data set", EXAMPLE_DATASET),
    errors: ["unknown_workflow"],
  },
  ({ services, owner, body, complete }) => createDataset(services, { owner, body, complete }),
);

const exactly = (what: string, max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .optional()
    .openapi({ description: `Only data sets with exactly this ${what}.` });

listRoute(
  datasets,
  {
    path: "/v1/datasets",
    operationId: "listDatasets",
    summary: "List data sets",
    description: "Newest first.",
    scope: "runs:read",
    query: z.strictObject({
      ...pageQuery,
      name: exactly("name", 200),
      workflow: exactly("workflow", 100),
      content_hash: exactly("version", 64),
      status: datasetStatusSchema.optional(),
    }),
    cursor: ["datasets", idPattern("dst")],
    answer: jsonPage("DatasetPage", datasetSchema, "data sets", EXAMPLE_DATASET),
  },
  ({ services, page, filter }) => listDatasets(services, { ...page, filter }),
);

readRoute(
  datasets,
  {
    path: "/v1/datasets/{id}",
    operationId: "getDataset",
    summary: "Read a data set",
    description: "Without its items.",
    scope: "runs:read",
    params,
    answer,
  },
  ({ services, owner, params: { id } }) => getDataset(services, owner, id),
);

changeRoute(
  datasets,
  {
    path: "/v1/datasets/{id}",
    operationId: "updateDataset",
    summary: "Change a data set",
    description:
      "Each given field replaces the stored one, also in a closed data set: they are no part of its version.",
    scope: "runs:write",
    params,
    body: referredRequest("UpdateDataset", { description: "Second edition." }),
    answer,
  },
  ({ services, owner, params: { id }, body, complete }) => updateDataset(services, { owner, id, body }, complete(id)),
);

verbRoute(
  datasets,
  {
    path: "/v1/datasets/{id}/close",
    operationId: "closeDataset",
    summary: "Close a data set",
    description:
      "Its items never change any more, it gets its `content_hash`, and runs can read it. A closed data set stays as it is.",
    scope: "runs:write",
    params,
    body: NO_FIELDS,
    answer,
    errors: ["dataset_empty", "dataset_busy"],
  },
  ({ services, owner, params: { id }, complete }) =>
    closeDataset(services, { owner, id, complete: () => complete(id) }),
);

deleteRoute(
  datasets,
  {
    path: "/v1/datasets/{id}",
    operationId: "deleteDataset",
    summary: "Delete a data set",
    description:
      "With its items. While runs that have not ended read it this is refused; runs that have ended keep their results, and a retry of one that still needs the items fails.",
    scope: "runs:write",
    params,
    errors: ["dataset_in_use"],
  },
  ({ services, owner, params: { id }, complete }) => deleteDataset(services, owner, id, complete(id)),
);
