import { z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { RUN_STATUSES } from "#core/vocabulary";
import { workflowsOf } from "#services/keys/authenticate";
import { createRun } from "#services/runs/create-run";
import { deleteRun, getRun, listRuns } from "#services/runs/runs";
import { estimateRun } from "#services/runs/estimate-run";
import { estimateSchema } from "#services/runs/estimate-schema";
import { runEntrySchema, runSchema } from "#services/runs/schema";
import { BY_CHANGE, readChangeCursor } from "../change-cursor";
import { Router } from "../context";
import { EXAMPLE_ESTIMATE, EXAMPLE_RUN, EXAMPLE_RUN_ENTRY } from "../examples";
import { creationRoute, deleteRoute, keyedRoute, readRoute, verbRoute } from "../keyed-routes";
import { collectMetadata, metadataFilter } from "../metadata-filter";
import { created, json, referredRequest } from "../operation";
import { between, jsonPage, moment, pageQuery, readCursor, toListResponse } from "../pages";
import { pathId } from "../schemas/common";

export const runs = new Router("Runs");

export const runParams = z.object({ id: pathId("run") });

/** Errors of a request for a run. */
const REFUSED = [
  "unknown_workflow",
  "unknown_provider",
  "no_model_configured",
  "provider_key_required",
  "unknown_agent",
  "unknown_dataset",
  "dataset_open",
  "url_refused",
] as const;

creationRoute(
  runs,
  {
    path: "/v1/runs",
    operationId: "createRun",
    summary: "Start a run",
    description:
      "The run is stored, then started; it runs in the background. `asks_about` of the answer says where it may wait for a person; `waterfall` does so by default, before its design. With a test key the run uses the mock model.",
    scope: "runs:write",
    // By reference: the schema depends on the workflow, so the verb validates.
    body: referredRequest("CreateRun"),
    answer: created(runSchema, "run; only this answer shows the secret of its webhook", EXAMPLE_RUN),
    errors: [...REFUSED, "budget_reached"],
  },
  ({ services, owner, origin, body, complete }) => createRun(services, { owner, origin, body, complete }),
);

verbRoute(
  runs,
  {
    path: "/v1/runs/estimate",
    operationId: "estimateRun",
    summary: "Estimate a run",
    description:
      "What the run of this request would use, as a range; nothing is started, stored or paid. Its calls are counted by running it with mock answers, once smoothly and once through every loop; tokens come from its prompts, and from your earlier runs of the workflow when there are five. An experiment is estimated with its trials.",
    scope: "runs:write",
    body: referredRequest("CreateRun"),
    answer: json(estimateSchema, "The estimate.", EXAMPLE_ESTIMATE),
    errors: REFUSED,
  },
  ({ services, owner, body }) => estimateRun(services, owner, body),
);

const filters = z
  .strictObject({
    ...pageQuery,
    workflow: z.string().min(1).max(100).optional().openapi({ example: "requirements" }),
    parent_id: z.string().regex(idPattern("run")).optional().openapi({
      description: "Only the runs that this run has started. Without it, only runs that a request started.",
    }),
    status: z.enum(RUN_STATUSES).optional(),
    created_after: moment,
    created_before: moment,
    metadata: metadataFilter,
    order: z
      .enum(["created", "updated"])
      .default("created")
      .openapi({ description: "`updated`: those that changed last first; not with `parent_id`." }),
  })
  .refine(({ order, parent_id }) => order === "created" || parent_id === undefined, {
    path: ["order"],
    message: "Runs that a run has started are ordered by their creation only.",
  });

keyedRoute(
  runs,
  {
    method: "get",
    path: "/v1/runs",
    operationId: "listRuns",
    summary: "List runs",
    description:
      "Newest first, without `input` and `options`, which GET of a run has. Documents in outputs are references without text.",
    scope: "runs:read",
    isList: true,
    query: z.preprocess(collectMetadata, filters),
    responses: { 200: jsonPage("RunPage", runEntrySchema, "runs", EXAMPLE_RUN_ENTRY) },
  },
  async ({ c, services, owner, query: { limit, cursor, ...query } }) => {
    const byChange = query.order === "updated";
    const after = byChange ? readChangeCursor(cursor) : readCursor("runs", idPattern("run"), cursor);
    const filter = { ...query, ...between(query), workflows: workflowsOf(owner) };
    const page = await listRuns(services, { owner, filter, limit, after });
    return c.json(toListResponse(byChange ? BY_CHANGE : "runs", page), 200);
  },
);

readRoute(
  runs,
  {
    path: "/v1/runs/{id}",
    operationId: "getRun",
    summary: "Read a run",
    description: "With its output, when there is one; documents come with their text.",
    scope: "runs:read",
    params: runParams,
    answer: json(runSchema, "The run.", EXAMPLE_RUN),
  },
  ({ services, owner, params: { id } }) => getRun(services, owner, id),
);

deleteRoute(
  runs,
  {
    path: "/v1/runs/{id}",
    operationId: "deleteRun",
    summary: "Delete a run",
    description: "Removes an ended run and everything that it stored.",
    scope: "runs:write",
    params: runParams,
    answer: "The run is deleted.",
    errors: ["wrong_state"],
  },
  ({ services, owner, params: { id }, complete }) => deleteRun(services, owner, id, complete(id)),
);
