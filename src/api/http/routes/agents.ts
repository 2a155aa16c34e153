import { z } from "@hono/zod-openapi";
import { createAgent } from "#services/agents/create-agent";
import { deleteAgent, getAgent, listAgents, POSITION } from "#services/agents/agents";
import { agentId, agentSchema } from "#services/agents/schema";
import { updateAgent } from "#services/agents/update-agent";
import { Router } from "../context";
import { EXAMPLE_AGENT, EXAMPLE_CREATE_AGENT } from "../examples";
import { changeRoute, creationRoute, deleteRoute, listRoute, readRoute } from "../keyed-routes";
import { created, json, referredRequest } from "../operation";
import { jsonPage, pageQuery } from "../pages";

export const agents = new Router("Agents");

const params = z.object({ id: agentId });
const answer = json(agentSchema, "The agent.", EXAMPLE_AGENT);

creationRoute(
  agents,
  {
    path: "/v1/agents",
    operationId: "createAgent",
    summary: "Create an agent",
    description: "Runs that start later may use it in their plans. A tenant can have 500 agents.",
    scope: "runs:write",
    body: referredRequest("CreateAgent", EXAMPLE_CREATE_AGENT),
    answer: created(agentSchema, "agent", EXAMPLE_AGENT),
    errors: ["unknown_provider", "url_refused", "name_taken", "registry_full"],
  },
  ({ services, owner, body, complete }) => createAgent(services, { owner, body, complete }),
);

listRoute(
  agents,
  {
    path: "/v1/agents",
    operationId: "listAgents",
    summary: "List agents",
    description: "The tenant's own agents, newest first, then the built-in ones.",
    scope: "runs:read",
    query: z.strictObject({
      ...pageQuery,
      built_in: z
        .enum(["true", "false"])
        .optional()
        .openapi({ description: "true: only built-in agents; false: only the tenant's own." }),
    }),
    cursor: ["agents", POSITION],
    answer: jsonPage("AgentPage", agentSchema, "agents", EXAMPLE_AGENT),
  },
  ({ services, page, filter: { built_in } }) =>
    listAgents(services, { ...page, built_in: built_in === undefined ? null : built_in === "true" }),
);

readRoute(
  agents,
  { path: "/v1/agents/{id}", operationId: "getAgent", summary: "Read an agent", scope: "runs:read", params, answer },
  ({ services, owner, params: { id } }) => getAgent(services, owner, id),
);

changeRoute(
  agents,
  {
    path: "/v1/agents/{id}",
    operationId: "updateAgent",
    summary: "Change an agent",
    description:
      "Each given field replaces the stored one. Runs that have started keep the agent as they read it; built-in agents cannot be changed.",
    scope: "runs:write",
    params,
    body: referredRequest("UpdateAgent", { model: null, tools: ["calculator"] }),
    answer,
    errors: ["unknown_provider", "url_refused", "name_taken", "built_in_agent", "quota_exceeded"],
  },
  ({ services, owner, params: { id }, body, complete }) => updateAgent(services, { owner, id, body }, complete(id)),
);

deleteRoute(
  agents,
  {
    path: "/v1/agents/{id}",
    operationId: "deleteAgent",
    summary: "Delete an agent",
    description: "Runs that have started keep its profile, but lose the headers of its MCP servers.",
    scope: "runs:write",
    params,
    errors: ["built_in_agent"],
  },
  ({ services, owner, params: { id }, complete }) => deleteAgent(services, owner, id, complete(id)),
);
