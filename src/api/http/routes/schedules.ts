import { z } from "@hono/zod-openapi";
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
import { runSchema } from "#services/runs/schema";
import { idPattern } from "#core/ids";
import { Router } from "../context";
import { EXAMPLE_CREATE_SCHEDULE, EXAMPLE_OCCURRENCE, EXAMPLE_RUN, EXAMPLE_SCHEDULE } from "../examples";
import { changeRoute, creationRoute, deleteRoute, listRoute, readRoute } from "../keyed-routes";
import { created, json, NO_FIELDS, referredRequest } from "../operation";
import { jsonPage, pageQuery } from "../pages";
import { pathId } from "../schemas/common";

export const schedules = new Router("Schedules");

const params = z.object({ id: pathId("sch") });
const answer = json(scheduleSchema, "The schedule.", EXAMPLE_SCHEDULE);

creationRoute(
  schedules,
  {
    path: "/v1/schedules",
    operationId: "createSchedule",
    summary: "Start runs at set times",
    description: "Each time starts one run from the template, at most once. A run starts up to a minute late.",
    scope: "runs:write",
    body: referredRequest("CreateSchedule", EXAMPLE_CREATE_SCHEDULE),
    answer: created(scheduleSchema, "schedule", EXAMPLE_SCHEDULE),
    errors: ["unknown_template"],
  },
  ({ services, owner, origin, body, complete }) => createSchedule(services, { owner, origin, body, complete }),
);

listRoute(
  schedules,
  {
    path: "/v1/schedules",
    operationId: "listSchedules",
    summary: "List schedules",
    description: "Newest first.",
    scope: "runs:read",
    query: z.strictObject({ ...pageQuery, template_id: z.string().regex(idPattern("tpl")).optional() }),
    cursor: ["schedules", idPattern("sch")],
    answer: jsonPage("SchedulePage", scheduleSchema, "schedules", EXAMPLE_SCHEDULE),
  },
  ({ services, page, filter }) => listSchedules(services, { ...page, filter }),
);

readRoute(
  schedules,
  {
    path: "/v1/schedules/{id}",
    operationId: "getSchedule",
    summary: "Read a schedule",
    description: "With its next times.",
    scope: "runs:read",
    params,
    answer,
  },
  async ({ services, owner, params: { id } }) => presentSchedule(await findSchedule(services, owner, id)),
);

changeRoute(
  schedules,
  {
    path: "/v1/schedules/{id}",
    operationId: "updateSchedule",
    summary: "Change, pause or resume a schedule",
    description: "A changed time, and a schedule that is active again, begin anew from now.",
    scope: "runs:write",
    params,
    body: referredRequest("UpdateSchedule", { status: "paused" }),
    answer,
  },
  ({ services, owner, params: { id }, body, complete }) => updateSchedule(services, { owner, id, body }, complete(id)),
);

deleteRoute(
  schedules,
  {
    path: "/v1/schedules/{id}",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    description: "Its runs stay.",
    scope: "runs:write",
    params,
    answer: "It is deleted.",
  },
  ({ services, owner, params: { id }, complete }) => deleteSchedule(services, owner, id, complete(id)),
);

creationRoute(
  schedules,
  {
    path: "/v1/schedules/{id}/trigger",
    operationId: "triggerSchedule",
    summary: "Start a run of a schedule now",
    description: "Whatever its overlap policy and status; later times find this run as the one before.",
    scope: "runs:write",
    params,
    body: NO_FIELDS,
    answer: created(runSchema, "run", EXAMPLE_RUN),
    location: "/v1/runs",
    errors: ["budget_reached"],
  },
  ({ services, owner, params: { id }, origin, complete }) => triggerSchedule(services, { owner, id, origin, complete }),
);

listRoute(
  schedules,
  {
    path: "/v1/schedules/{id}/occurrences",
    operationId: "listOccurrences",
    summary: "List what became of a schedule's times",
    description: "The latest first; the last 200 are kept.",
    scope: "runs:read",
    params,
    cursor: ["occurrences", /^\d{1,15}$/],
    answer: jsonPage("OccurrencePage", occurrenceSchema, "occurrences", EXAMPLE_OCCURRENCE),
  },
  ({ services, params: { id }, page }) => listOccurrences(services, { ...page, id }),
);
