import type { Owner } from "#core/owner";
import { parseBody } from "../fields/field-errors";
import type { RequestCompletion } from "../idempotency/complete-key";
import type { Services } from "../services";
import { assertNotBuiltInName, assertOwn, nameTaken, noSuchAgent, presentAgent } from "./agents";
import { providersIn } from "#llm";
import { sealMcpServers, storedMcpServers } from "#agents/mcp-servers";
import { nameKey } from "#agents/name-key";
import { updateAgentSchema } from "./requests";
import type { PresentedAgent } from "./schema";

/**
 * Changes the fields in the body. Runs that have started keep the agent as it was when they read it.
 * @throws Problem with every error of the body; `not_found`, `built_in_agent`, `name_taken`, `quota_exceeded`
 */
export async function updateAgent(
  services: Services,
  request: { owner: Owner; id: string; body: unknown },
  completion?: RequestCompletion,
): Promise<PresentedAgent> {
  const { store, settings, providers, secrets } = services;
  const { owner, id, body } = request;
  assertOwn(id);
  const before = await store.agents.get(owner, id);
  if (!before) throw noSuchAgent(id);
  const { name, capabilities, tools, mcp_servers, ...texts } = parseBody(
    updateAgentSchema({ providers: providersIn(owner.mode, providers), url_policy: settings.url_policy }),
    body,
  );
  if (name !== undefined) assertNotBuiltInName(name);
  const change = {
    ...texts,
    name,
    name_key: name && nameKey(name),
    capabilities: capabilities && JSON.stringify(capabilities),
    tools: tools && JSON.stringify(tools),
    mcp_servers:
      mcp_servers &&
      JSON.stringify(
        sealMcpServers(secrets, { tenant: owner.tenant_id, agent: id }, mcp_servers, storedMcpServers(before)),
      ),
  };
  const row = await store.agents.update(before, change, completion);
  // Another request has changed the servers meanwhile, and perhaps their headers, which this change may keep.
  if (row === "changed") return updateAgent(services, request, completion);
  if (row === "missing") throw noSuchAgent(id);
  if (row === "taken") throw nameTaken(name ?? before.name);
  return presentAgent(row, settings.tools);
}
