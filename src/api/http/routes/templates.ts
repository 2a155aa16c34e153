import { z } from "@hono/zod-openapi";
import { runSchema } from "#services/runs/schema";
import {
  createTemplate,
  deleteTemplate,
  findTemplate,
  listTemplates,
  presentTemplate,
  startTemplate,
  updateTemplate,
} from "#services/templates/templates";
import { templateSchema } from "#services/templates/schema";
import { idPattern } from "#core/ids";
import { Router } from "../context";
import { EXAMPLE_CREATE_TEMPLATE, EXAMPLE_RUN, EXAMPLE_TEMPLATE } from "../examples";
import { changeRoute, creationRoute, deleteRoute, listRoute, readRoute } from "../keyed-routes";
import { created, json, referredRequest } from "../operation";
import { jsonPage } from "../pages";
import { pathId } from "../schemas/common";

export const templates = new Router("Templates");

const params = z.object({ id: pathId("tpl") });
const answer = json(templateSchema, "The template.", EXAMPLE_TEMPLATE);

creationRoute(
  templates,
  {
    path: "/v1/templates",
    operationId: "createTemplate",
    summary: "Save a request",
    description: "It is checked as `POST /v1/runs` checks it, with the defaults and examples of its fields.",
    scope: "runs:write",
    body: referredRequest("CreateTemplate", EXAMPLE_CREATE_TEMPLATE),
    answer: created(templateSchema, "template", EXAMPLE_TEMPLATE),
    errors: ["unknown_workflow"],
  },
  ({ services, owner, body, complete }) => createTemplate(services, { owner, body, complete }),
);

listRoute(
  templates,
  {
    path: "/v1/templates",
    operationId: "listTemplates",
    summary: "List templates",
    description: "Newest first.",
    scope: "runs:read",
    cursor: ["templates", idPattern("tpl")],
    answer: jsonPage("TemplatePage", templateSchema, "templates", EXAMPLE_TEMPLATE),
  },
  ({ services, page }) => listTemplates(services, page),
);

readRoute(
  templates,
  {
    path: "/v1/templates/{id}",
    operationId: "getTemplate",
    summary: "Read a template",
    scope: "runs:read",
    params,
    answer,
  },
  async ({ services, owner, params: { id } }) => presentTemplate(await findTemplate(services, owner, id)),
);

changeRoute(
  templates,
  {
    path: "/v1/templates/{id}",
    operationId: "updateTemplate",
    summary: "Change a template",
    description: "Each given field replaces the stored one. Schedules take the new request from their next time on.",
    scope: "runs:write",
    params,
    body: referredRequest("UpdateTemplate", { description: "For the board." }),
    answer,
    errors: ["changed_meanwhile"],
  },
  ({ services, owner, params: { id }, body, complete }) => updateTemplate(services, { owner, id, body }, complete(id)),
);

deleteRoute(
  templates,
  {
    path: "/v1/templates/{id}",
    operationId: "deleteTemplate",
    summary: "Delete a template",
    description: "Its runs stay.",
    scope: "runs:write",
    params,
    answer: "It is deleted.",
    errors: ["template_in_use"],
  },
  ({ services, owner, params: { id }, complete }) => deleteTemplate(services, owner, id, complete(id)),
);

creationRoute(
  templates,
  {
    path: "/v1/templates/{id}/runs",
    operationId: "startTemplate",
    summary: "Start a run from a template",
    description: "As `POST /v1/runs` with the fields filled in. The run's metadata has `template_id`.",
    scope: "runs:write",
    params,
    body: referredRequest("StartTemplate", { fields: { idea: "A shelf for books." } }, { required: false }),
    answer: created(runSchema, "run", EXAMPLE_RUN),
    location: "/v1/runs",
    errors: ["budget_reached"],
  },
  ({ services, owner, params: { id }, origin, body, complete }) =>
    startTemplate(services, { owner, id, origin, body, complete }),
);
