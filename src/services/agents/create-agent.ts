import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import { newId } from "#core/ids";
import { parseBody } from "../fields/field-errors";
import type { Services } from "../services";
import type { Complete } from "../idempotency/complete-key";
import { assertNotBuiltInName, nameTaken, presentAgent } from "./agents";
import { providersIn } from "#llm";
import { sealMcpServers } from "#agents/mcp-servers";
import { nameKey } from "#agents/name-key";
import { createAgentSchema } from "./requests";
import type { PresentedAgent } from "./schema";

/** A run reads its owner's whole registry, and a request can name no more agents than this. */
const MAX_AGENTS = 500;

/**
 * Adds an agent to the owner's registry.
 * @throws Problem with every error of the body; `name_taken`, `registry_full`
 */
export async function createAgent(
  services: Services,
  { owner, body, complete }: { owner: Owner; body: unknown; complete?: Complete<PresentedAgent> | undefined },
): Promise<PresentedAgent> {
  const { store, settings, providers, secrets } = services;
  const request = parseBody(
    createAgentSchema({ providers: providersIn(owner.mode, providers), url_policy: settings.url_policy }),
    body,
  );
  assertNotBuiltInName(request.name);
  const now = Date.now();
  const id = newId("agt");
  const agent = {
    ...request,
    id,
    tenant_id: owner.tenant_id,
    mode: owner.mode,
    name_key: nameKey(request.name),
    capabilities: JSON.stringify(request.capabilities),
    tools: JSON.stringify(request.tools),
    mcp_servers: JSON.stringify(sealMcpServers(secrets, { tenant: owner.tenant_id, agent: id }, request.mcp_servers)),
    created_at: now,
    updated_at: now,
  };
  const created = presentAgent(agent, settings.tools);
  const row = await store.agents.create(agent, MAX_AGENTS, complete?.(created));
  if (row === "taken") throw nameTaken(request.name);
  if (row === "full") throw new Problem("registry_full", `You already have ${MAX_AGENTS} agents of your own.`);
  return created;
}
