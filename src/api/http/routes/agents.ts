import { createRoute, z } from "@hono/zod-openapi";
import { createAgent } from "#services/agents/create-agent";
import { deleteAgent } from "#services/agents/delete-agent";
import { getAgent } from "#services/agents/get-agent";
import { listAgents, POSITION } from "#services/agents/list-agents";
import { agentId, agentSchema } from "#services/agents/schema";
import { updateAgent } from "#services/agents/update-agent";
import { newRouter } from "../context";
import { answerCreated } from "../under-key";
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
import { NO_QUERY, jsonPage, pageQuery, readCursor, toAnswer } from "../pages";

export const agents = newRouter();

const tags = ["Agents"];
const params = z.object({ id: agentId });

const AGENT_BODY = [...BODY, "unknown_provider", "url_refused"] as const;

agents.openapi(
  createRoute({
    method: "post",
    path: "/v1/agents",
    operationId: "createAgent",
    tags,
    summary: "Create an agent",
    description: `Runs that start later may use it in their plans. A tenant can have 500 agents. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { query: NO_QUERY, body: referredRequest("CreateAgent", EXAMPLE_CREATE_AGENT) },
    responses: {
      201: created(agentSchema, "agent", EXAMPLE_AGENT),
      ...errors(...KEYED, ...QUERY, ...AGENT_BODY, "name_taken", "registry_full"),
    },
  }),
  async (c) => {
    const { services, key } = c.var;
    const body = await readJson(c);
    return answerCreated(c, "/v1/agents", (settle) => createAgent(services, { owner: key, body, settle }));
  },
);

agents.openapi(
  createRoute({
    method: "get",
    path: "/v1/agents",
    operationId: "listAgents",
    tags,
    summary: "List agents",
    description: `The tenant's own agents, newest first, then the built-in ones. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: {
      query: z.strictObject({
        ...pageQuery,
        built_in: z
          .enum(["true", "false"])
          .optional()
          .openapi({ description: "true: only built-in agents; false: only the tenant's own." }),
      }),
    },
    responses: {
      200: jsonPage("AgentPage", agentSchema, "agents", EXAMPLE_AGENT),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor, built_in } = c.req.valid("query");
    const page = await listAgents(c.var.services, {
      owner: c.var.key,
      built_in: built_in === undefined ? null : built_in === "true",
      limit,
      after: readCursor("agents", POSITION, cursor),
    });
    return c.json(toAnswer("agents", page), 200);
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
  async (c) => c.json(await getAgent(c.var.services, c.var.key, c.req.valid("param").id), 200),
);

agents.openapi(
  createRoute({
    method: "patch",
    path: "/v1/agents/{id}",
    operationId: "updateAgent",
    tags,
    summary: "Change an agent",
    description: `Each given field replaces the stored one. Runs that have started keep the agent as they read it; built-in agents cannot be changed. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { params, query: NO_QUERY, body: referredRequest("UpdateAgent", { model: null, tools: ["calculator"] }) },
    responses: {
      200: json(agentSchema, "The agent.", EXAMPLE_AGENT),
      ...errors(...KEYED, ...QUERY, ...AGENT_BODY, "not_found", "name_taken", "built_in_agent", "quota_exceeded"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const change = { owner: c.var.key, id, body: await readJson(c) };
    return c.json(await updateAgent(c.var.services, change), 200);
  },
);

agents.openapi(
  createRoute({
    method: "delete",
    path: "/v1/agents/{id}",
    operationId: "deleteAgent",
    tags,
    summary: "Delete an agent",
    description: `Runs that have started keep its profile, but lose the headers of its MCP servers. ${scopeNote("runs:write")}`,
    ...needs("runs:write"),
    request: { params, query: NO_QUERY },
    responses: {
      204: { description: "Deleted.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found", "built_in_agent"),
    },
  }),
  async (c) => {
    await deleteAgent(c.var.services, c.var.key, c.req.valid("param").id);
    return c.body(null, 204);
  },
);
