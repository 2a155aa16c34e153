import { createRoute, z } from "@hono/zod-openapi";
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
import { newRouter } from "../context";
import { EXAMPLE_CREATE_TEMPLATE, EXAMPLE_RUN, EXAMPLE_TEMPLATE } from "../examples";
import { jsonBody, readJson } from "../middleware/body";
import {
  BODY,
  created,
  errors,
  json,
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

export const templates = newRouter();

const tags = ["Templates"];
const params = z.object({ id: pathId("tpl") });

templates.openapi(
  createRoute({
    method: "post",
    path: "/v1/templates",
    operationId: "createTemplate",
    tags,
    summary: "Save a request",
    description: `It is checked as \`POST /v1/runs\` checks it, with the defaults and examples of its fields. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { query: NO_QUERY, body: referredRequest("CreateTemplate", EXAMPLE_CREATE_TEMPLATE) },
    responses: {
      201: created(templateSchema, "template", EXAMPLE_TEMPLATE),
      ...errors(...KEYED, ...QUERY, ...BODY, "unknown_workflow"),
    },
  }),
  async (c) => {
    const { services, key: owner } = c.var;
    const body = await readJson(c);
    return answerCreated(c, "/v1/templates", (settle) => createTemplate(services, { owner, body, settle }));
  },
);

templates.openapi(
  createRoute({
    method: "get",
    path: "/v1/templates",
    operationId: "listTemplates",
    tags,
    summary: "List templates",
    description: `Newest first. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { query: z.strictObject(pageQuery) },
    responses: {
      200: jsonPage("TemplatePage", templateSchema, "templates", EXAMPLE_TEMPLATE),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const after = readCursor("templates", idPattern("tpl"), cursor);
    const page = await listTemplates(c.var.services, { owner: c.var.key, limit, after });
    return c.json(toAnswer("templates", page), 200);
  },
);

templates.openapi(
  createRoute({
    method: "get",
    path: "/v1/templates/{id}",
    operationId: "getTemplate",
    tags,
    summary: "Read a template",
    description: scopeNote("runs:read"),
    ...needs("runs:read"),
    request: { params, query: NO_QUERY },
    responses: {
      200: json(templateSchema, "The template.", EXAMPLE_TEMPLATE),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => c.json(presentTemplate(await findTemplate(c.var.services, c.var.key, c.req.valid("param").id)), 200),
);

templates.openapi(
  createRoute({
    method: "patch",
    path: "/v1/templates/{id}",
    operationId: "updateTemplate",
    tags,
    summary: "Change a template",
    description: `Each given field replaces the stored one. Schedules take the new request from their next time on. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { params, query: NO_QUERY, body: referredRequest("UpdateTemplate", { description: "For the board." }) },
    responses: {
      200: json(templateSchema, "The template.", EXAMPLE_TEMPLATE),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "changed_meanwhile"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await updateTemplate(c.var.services, { owner: c.var.key, id, body: await readJson(c) }), 200);
  },
);

templates.openapi(
  createRoute({
    method: "delete",
    path: "/v1/templates/{id}",
    operationId: "deleteTemplate",
    tags,
    summary: "Delete a template",
    description: `Its runs stay. ${scopeNote("runs:write")}`,
    ...needs("runs:write"),
    request: { params, query: NO_QUERY },
    responses: {
      204: { description: "It is deleted.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found", "template_in_use"),
    },
  }),
  async (c) => {
    await deleteTemplate(c.var.services, c.var.key, c.req.valid("param").id);
    return c.body(null, 204);
  },
);

templates.openapi(
  createRoute({
    method: "post",
    path: "/v1/templates/{id}/runs",
    operationId: "startTemplate",
    tags,
    summary: "Start a run from a template",
    description: `As \`POST /v1/runs\` with the fields filled in. The run's metadata has \`template_id\`. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody({ optional: true })),
    request: {
      params,
      query: NO_QUERY,
      body: { ...referredRequest("StartTemplate", { fields: { idea: "A shelf for books." } }), required: false },
    },
    responses: {
      201: created(runSchema, "run", EXAMPLE_RUN),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "budget_reached"),
    },
  }),
  async (c) => {
    const { services, key: owner } = c.var;
    const { id } = c.req.valid("param");
    const { origin } = new URL(c.req.url);
    const body = await readJson(c);
    return answerCreated(c, "/v1/runs", (settle) => startTemplate(services, { owner, id, origin, body, settle }));
  },
);
