import { createRoute, z } from "@hono/zod-openapi";
import { createAgent } from "#services/agents/create-agent";
import { deleteAgent } from "#services/agents/delete-agent";
import { getAgent } from "#services/agents/get-agent";
import { listAgents, PLACE } from "#services/agents/list-agents";
import { updateAgent } from "#services/agents/update-agent";
import { newRouter } from "../context";
import { EXAMPLE_AGENT, EXAMPLE_CREATE_AGENT } from "../examples";
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
import { NO_QUERY, pageQuery, pageSchema, readCursor, toAnswer } from "../pages";
import { agentId, agentSchema } from "../schemas/agent";

export const agents = newRouter();

const tags = ["Agents"];
const params = z.object({ id: agentId });

const JUDGED = [...BODY, "unknown_provider", "url_refused"] as const;

agents.openapi(
  createRoute({
    method: "post",
    path: "/v1/agents",
    operationId: "createAgent",
    tags,
    summary: "Create an agent",
    description: `Plans of runs that start from now on may use it. A tenant has up to 500 agents of its own. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { query: NO_QUERY, body: referredRequest("CreateAgent", EXAMPLE_CREATE_AGENT) },
    responses: {
      201: created(agentSchema, "agent", EXAMPLE_AGENT),
      ...errors(...KEYED, ...QUERY, ...JUDGED, "name_taken", "registry_full"),
    },
  }),
  async (c) => {
    const agent = await createAgent(c.var.services, c.var.key.tenant_id, await readJson(c));
    return c.json(agent, 201, { Location: `/v1/agents/${agent.id}` });
  },
);

agents.openapi(
  createRoute({
    method: "get",
    path: "/v1/agents",
    operationId: "listAgents",
    tags,
    summary: "List agents",
    description: `The tenant's own, newest first, then those built in. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: {
      query: z.strictObject({
        ...pageQuery,
        built_in: z
          .enum(["true", "false"])
          .optional()
          .openapi({ description: "Only these, or only the tenant's own." }),
      }),
    },
    responses: {
      200: json(pageSchema("AgentPage", agentSchema), "A page of agents.", {
        data: [EXAMPLE_AGENT],
        next_cursor: null,
      }),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor, built_in } = c.req.valid("query");
    const after = readCursor("agents", PLACE, cursor);
    const only = built_in === undefined ? null : built_in === "true";
    return c.json(toAnswer("agents", await listAgents(c.var.services, c.var.key.tenant_id, limit, after, only)), 200);
  },
);

agents.openapi(
  createRoute({
    method: "get",
    path: "/v1/agents/{id}",
    operationId: "getAgent",
    tags,
    summary: "Read an agent",
    description: scopeNote("runs:read"),
    ...needs("runs:read"),
    request: { params, query: NO_QUERY },
    responses: { 200: json(agentSchema, "The agent.", EXAMPLE_AGENT), ...errors(...KEYED, ...QUERY, "not_found") },
  }),
  async (c) => c.json(await getAgent(c.var.services, c.var.key.tenant_id, c.req.valid("param").id), 200),
);

agents.openapi(
  createRoute({
    method: "patch",
    path: "/v1/agents/{id}",
    operationId: "updateAgent",
    tags,
    summary: "Change an agent",
    description: `What is given replaces what was. Runs that have begun keep the agent as they met it; built-in ones cannot be changed. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { params, query: NO_QUERY, body: referredRequest("UpdateAgent", { model: null, tools: ["calculator"] }) },
    responses: {
      200: json(agentSchema, "The agent.", EXAMPLE_AGENT),
      ...errors(...KEYED, ...QUERY, ...JUDGED, "not_found", "name_taken", "built_in_agent"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await updateAgent(c.var.services, c.var.key.tenant_id, id, await readJson(c)), 200);
  },
);

agents.openapi(
  createRoute({
    method: "delete",
    path: "/v1/agents/{id}",
    operationId: "deleteAgent",
    tags,
    summary: "Delete an agent",
    description: `Runs that have begun keep its profile, without the headers of its MCP servers. ${scopeNote("runs:write")}`,
    ...needs("runs:write"),
    request: { params, query: NO_QUERY },
    responses: {
      204: { description: "It is gone.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found", "built_in_agent"),
    },
  }),
  async (c) => {
    await deleteAgent(c.var.services, c.var.key.tenant_id, c.req.valid("param").id);
    return c.body(null, 204);
  },
);
