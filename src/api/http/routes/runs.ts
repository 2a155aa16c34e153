import { createRoute, z } from "@hono/zod-openapi";
import { createRun } from "#services/runs/create-run";
import { deleteRun } from "#services/runs/delete-run";
import { estimateRun } from "#services/runs/estimate-run";
import { estimateSchema } from "#services/runs/estimate-schema";
import { getRun } from "#services/runs/get-run";
import { workflowsOf } from "#services/keys/authenticate";
import { listRuns } from "#services/runs/list-runs";
import { idPattern } from "#core/ids";
import { RUN_STATUSES } from "#core/vocabulary";
import { newRouter } from "../context";
import { answerCreated } from "../under-key";
import { EXAMPLE_ESTIMATE, EXAMPLE_RUN, EXAMPLE_RUN_ENTRY } from "../examples";
import { jsonBody, readJson } from "../middleware/body";
import { BODY, created, errors, json, KEYED, LIST, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { between, NO_QUERY, jsonPage, moment, pageQuery, readCursor, toAnswer } from "../pages";
import { BY_CHANGE, readChangeCursor } from "../change-cursor";
import { collectMetadata, metadataFilter } from "../metadata-filter";
import { pathId } from "../schemas/common";
import { runEntrySchema, runSchema } from "#services/runs/schema";

export const runs = newRouter();

const tags = ["Runs"];
export const runParams = z.object({ id: pathId("run") });
/** The request of a path that takes only the id of a run. */
export const oneRun = { params: runParams, query: NO_QUERY };

runs.openapi(
  createRoute({
    method: "post",
    path: "/v1/runs",
    operationId: "createRun",
    tags,
    summary: "Start a run",
    description: `The run is stored, then started; it runs in the background. \`asks_about\` of the answer says where it may wait for a person; \`waterfall\` does so by default, before its design. With a test key the models are rehearsed. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    // By reference: the schema depends on the workflow, so the verb validates.
    request: {
      query: NO_QUERY,
      body: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/CreateRun" } } } },
    },
    responses: {
      201: created(runSchema, "run; only this answer shows the secret of its webhook", EXAMPLE_RUN),
      ...errors(
        ...KEYED,
        ...QUERY,
        ...BODY,
        "unknown_workflow",
        "unknown_provider",
        "no_model_configured",
        "provider_key_required",
        "unknown_agent",
        "unknown_dataset",
        "dataset_open",
        "url_refused",
        "budget_reached",
      ),
    },
  }),
  async (c) => {
    const { services, key: owner } = c.var;
    const { origin } = new URL(c.req.url);
    const body = await readJson(c);
    return answerCreated(c, "/v1/runs", (settle) => createRun(services, { owner, origin, body, settle }));
  },
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
/** Cast to an object schema, because the router accepts no other; the docs show the preprocessed object. */
const listQuery = z.preprocess(collectMetadata, filters) as unknown as typeof filters;

runs.openapi(
  createRoute({
    method: "post",
    path: "/v1/runs/estimate",
    operationId: "estimateRun",
    tags,
    summary: "Estimate a run",
    description: `What the run of this request would use, as a range; nothing is started, stored or paid. Its calls are counted by playing it with rehearsed answers, once smoothly and once through every loop; tokens come from its prompts, and from your earlier runs of the workflow when there are five. An experiment is estimated with its trials. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: {
      query: NO_QUERY,
      body: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/CreateRun" } } } },
    },
    responses: {
      200: json(estimateSchema, "The estimate.", EXAMPLE_ESTIMATE),
      ...errors(
        ...KEYED,
        ...QUERY,
        ...BODY,
        "unknown_workflow",
        "unknown_provider",
        "no_model_configured",
        "provider_key_required",
        "unknown_agent",
        "unknown_dataset",
        "dataset_open",
        "url_refused",
      ),
    },
  }),
  async (c) => {
    const { services, key: owner } = c.var;
    return c.json(await estimateRun(services, owner, await readJson(c)), 200);
  },
);

runs.openapi(
  createRoute({
    method: "get",
    path: "/v1/runs",
    operationId: "listRuns",
    tags,
    summary: "List runs",
    description: `Newest first, without \`input\` and \`options\`, which GET of a run has. Documents in outputs are references without text. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { query: listQuery },
    responses: {
      200: jsonPage("RunPage", runEntrySchema, "runs", EXAMPLE_RUN_ENTRY),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor, ...query } = c.req.valid("query");
    const after = query.order === "updated" ? readChangeCursor(cursor) : readCursor("runs", idPattern("run"), cursor);
    const { services, key } = c.var;
    const filter = { ...query, ...between(query), workflows: workflowsOf(key) };
    const page = await listRuns(services, { owner: key, filter, limit, after });
    return c.json(toAnswer(query.order === "updated" ? BY_CHANGE : "runs", page), 200);
  },
);

runs.openapi(
  createRoute({
    method: "get",
    path: "/v1/runs/{id}",
    operationId: "getRun",
    tags,
    summary: "Read a run",
    description: `With its output, when there is one; documents come with their text. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: oneRun,
    responses: { 200: json(runSchema, "The run.", EXAMPLE_RUN), ...errors(...KEYED, ...QUERY, "not_found") },
  }),
  async (c) => c.json(await getRun(c.var.services, c.var.key, c.req.valid("param").id), 200),
);

runs.openapi(
  createRoute({
    method: "delete",
    path: "/v1/runs/{id}",
    operationId: "deleteRun",
    tags,
    summary: "Delete a run",
    description: `Removes an ended run and everything that it stored. ${scopeNote("runs:write")}`,
    ...needs("runs:write"),
    request: oneRun,
    responses: {
      204: { description: "The run is deleted.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found", "wrong_state"),
    },
  }),
  async (c) => {
    await deleteRun(c.var.services, c.var.key, c.req.valid("param").id);
    return c.body(null, 204);
  },
);
