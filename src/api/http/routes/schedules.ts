import { createRoute, z } from "@hono/zod-openapi";
import {
  createSchedule,
  deleteSchedule,
  findSchedule,
  listOccurrences,
  listSchedules,
  presentSchedule,
  triggerSchedule,
  updateSchedule,
} from "#services/schedules/schedules";
import { occurrenceSchema, scheduleSchema } from "#services/schedules/schema";
import { noFieldsSchema } from "#services/runs/requests";
import { runSchema } from "#services/runs/schema";
import { idPattern } from "#core/ids";
import { newRouter } from "../context";
import { EXAMPLE_CREATE_SCHEDULE, EXAMPLE_OCCURRENCE, EXAMPLE_RUN, EXAMPLE_SCHEDULE } from "../examples";
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
import { answerCreated } from "../under-key";

export const schedules = newRouter();

const tags = ["Schedules"];
const params = z.object({ id: pathId("sch") });

schedules.openapi(
  createRoute({
    method: "post",
    path: "/v1/schedules",
    operationId: "createSchedule",
    tags,
    summary: "Start runs at set times",
    description: `Each time starts one run from the template, at most once. A run starts up to a minute late. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { query: NO_QUERY, body: referredRequest("CreateSchedule", EXAMPLE_CREATE_SCHEDULE) },
    responses: {
      201: created(scheduleSchema, "schedule", EXAMPLE_SCHEDULE),
      ...errors(...KEYED, ...QUERY, ...BODY, "unknown_template"),
    },
  }),
  async (c) => {
    const { services, key: owner } = c.var;
    const { origin } = new URL(c.req.url);
    const body = await readJson(c);
    return answerCreated(c, "/v1/schedules", (settle) => createSchedule(services, { owner, origin, body, settle }));
  },
);

schedules.openapi(
  createRoute({
    method: "get",
    path: "/v1/schedules",
    operationId: "listSchedules",
    tags,
    summary: "List schedules",
    description: `Newest first. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { query: z.strictObject({ ...pageQuery, template_id: z.string().regex(idPattern("tpl")).optional() }) },
    responses: {
      200: jsonPage("SchedulePage", scheduleSchema, "schedules", EXAMPLE_SCHEDULE),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const after = readCursor("schedules", idPattern("sch"), cursor);
    const page = await listSchedules(c.var.services, { owner: c.var.key, filter, limit, after });
    return c.json(toAnswer("schedules", page), 200);
  },
);

schedules.openapi(
  createRoute({
    method: "get",
    path: "/v1/schedules/{id}",
    operationId: "getSchedule",
    tags,
    summary: "Read a schedule",
    description: `With its next times. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params, query: NO_QUERY },
    responses: {
      200: json(scheduleSchema, "The schedule.", EXAMPLE_SCHEDULE),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => c.json(presentSchedule(await findSchedule(c.var.services, c.var.key, c.req.valid("param").id)), 200),
);

schedules.openapi(
  createRoute({
    method: "patch",
    path: "/v1/schedules/{id}",
    operationId: "updateSchedule",
    tags,
    summary: "Change, pause or resume a schedule",
    description: `A changed time, and a schedule that is active again, begin anew from now. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { params, query: NO_QUERY, body: referredRequest("UpdateSchedule", { status: "paused" }) },
    responses: {
      200: json(scheduleSchema, "The schedule.", EXAMPLE_SCHEDULE),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await updateSchedule(c.var.services, { owner: c.var.key, id, body: await readJson(c) }), 200);
  },
);

schedules.openapi(
  createRoute({
    method: "delete",
    path: "/v1/schedules/{id}",
    operationId: "deleteSchedule",
    tags,
    summary: "Delete a schedule",
    description: `Its runs stay. ${scopeNote("runs:write")}`,
    ...needs("runs:write"),
    request: { params, query: NO_QUERY },
    responses: {
      204: { description: "It is deleted.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    await deleteSchedule(c.var.services, c.var.key, c.req.valid("param").id);
    return c.body(null, 204);
  },
);

schedules.openapi(
  createRoute({
    method: "post",
    path: "/v1/schedules/{id}/trigger",
    operationId: "triggerSchedule",
    tags,
    summary: "Start a run of a schedule now",
    description: `Whatever its overlap policy and status; later times find this run as the one before. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody({ optional: true })),
    request: { params, query: NO_QUERY, body: jsonRequest(noFieldsSchema, {}, { required: false }) },
    responses: {
      201: created(runSchema, "run", EXAMPLE_RUN),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "budget_reached"),
    },
  }),
  async (c) => {
    const { services, key: owner } = c.var;
    const { id } = c.req.valid("param");
    const { origin } = new URL(c.req.url);
    return answerCreated(c, "/v1/runs", (settle) => triggerSchedule(services, { owner, id, origin, settle }));
  },
);

schedules.openapi(
  createRoute({
    method: "get",
    path: "/v1/schedules/{id}/occurrences",
    operationId: "listOccurrences",
    tags,
    summary: "List what became of a schedule's times",
    description: `The latest first; the last 200 are kept. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params, query: z.strictObject(pageQuery) },
    responses: {
      200: jsonPage("OccurrencePage", occurrenceSchema, "occurrences", EXAMPLE_OCCURRENCE),
      ...errors(...KEYED, ...LIST, "not_found"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { limit, cursor } = c.req.valid("query");
    const after = readCursor("occurrences", /^\d{1,15}$/, cursor);
    const page = await listOccurrences(c.var.services, { owner: c.var.key, id, limit, after });
    return c.json(toAnswer("occurrences", page), 200);
  },
);
