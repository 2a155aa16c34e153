import { Problem } from "#core/errors";
import { newId } from "#core/ids";
import { refused, toFaults } from "../fields/faults";
import type { Services } from "../services";
import { assertNotBuiltInName, nameTaken } from "./find-agent";
import { sealMcpServers } from "#agents/mcp-servers";
import { nameKey } from "#agents/name-key";
import { type PresentedAgent, presentAgent } from "./present-agent";
import { createAgentSchema } from "./requests";

/** A run reads all of a tenant's registry, and a request that chooses agents names no more. */
const MOST_AGENTS = 500;

/**
 * Adds an agent to the tenant's registry.
 * @throws Problem with every fault of the body; `name_taken`, `registry_full`
 */
export async function createAgent(services: Services, tenant: string, body: unknown): Promise<PresentedAgent> {
  const { store, settings, providers, secrets } = services;
  const parsed = createAgentSchema({ providers, url_policy: settings.url_policy }).safeParse(body);
  if (!parsed.success) throw refused(toFaults(parsed.error, body));
  const request = parsed.data;
  assertNotBuiltInName(request.name);
  const now = Date.now();
  const agent = {
    ...request,
    id: newId("agt"),
    tenant_id: tenant,
    name_key: nameKey(request.name),
    capabilities: JSON.stringify(request.capabilities),
    tools: JSON.stringify(request.tools),
    mcp_servers: JSON.stringify(sealMcpServers(secrets, request.mcp_servers)),
    created_at: now,
    updated_at: now,
  };
  const row = await store.agents.create(agent, MOST_AGENTS);
  if (row === "taken") throw nameTaken(request.name);
  if (row === "full") throw new Problem("registry_full", `There are ${MOST_AGENTS} agents of your own already.`);
  return presentAgent(row, settings.tools);
}
