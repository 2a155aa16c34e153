import { type FieldError, Problem } from "#core/errors";
import type { UrlPolicy } from "#core/outbound/url-policy";
import type { Secrets } from "#core/secrets";
import type { AgentRow } from "#store/rows";
import type { Store } from "#store/store";
import { configuredTools, type ToolSettings } from "./tools/tool-settings";
import type { Tool } from "./tools/tool";
import { toolsFor } from "./tools/tools-for";
import type { Owner } from "#core/owner";
import { BUILT_IN, type BuiltInAgent } from "./built-in";
import { builtInId } from "./built-in/ids";
import { openHeaders, storedMcpServers } from "./mcp-servers";
import { nameKey } from "./name-key";
import type { AgentProfile, McpServer } from "./profile";

interface RegistryDependencies {
  store: Pick<Store, "agents">;
  settings: { tools: ToolSettings; url_policy: UrlPolicy };
  secrets: Secrets;
}

/** The worker agents of runs: implements the engine's port `Agents`. */
export const agentRegistry = (deps: RegistryDependencies) => ({
  load: (owner: Owner, ids: readonly string[] | null): Promise<AgentProfile[]> => loadAgents(deps, owner, ids),
  tools: (profile: AgentProfile, owner: Owner): Promise<Tool[]> =>
    toolsFor(
      profile,
      {
        settings: deps.settings.tools,
        url_policy: deps.settings.url_policy,
        headers: (server) => headersOf(deps, owner, profile.id, server),
      },
      owner.mode,
    ),
});

/**
 * Loads profiles of these agents, or with null of all: the owner's first, then the built-in ones.
 * @throws Problem `unknown_agent` that lists all unknown ids by their index in `options.agents`
 */
export async function loadAgents(
  {
    store,
    settings,
  }: { store: RegistryDependencies["store"]; settings: Pick<RegistryDependencies["settings"], "tools"> },
  owner: Owner,
  ids: readonly string[] | null,
): Promise<AgentProfile[]> {
  const own = await store.agents.getMany(owner, ids?.filter((id) => id.startsWith("agt_")) ?? null);
  const profiles = own.map((row) => ownProfile(row, settings.tools));
  // A tenant's agent may be older than a built-in one with the same name: then the name refers to the tenant's agent.
  const names = new Set(own.map(({ name_key }) => name_key));
  const builtIn = BUILT_IN.filter((agent) => ids?.includes(builtInId(agent)) ?? !names.has(nameKey(agent.name)));
  const all = [...profiles, ...builtIn.map((agent) => builtInProfile(agent, settings.tools))];
  const found = new Map(all.map((profile) => [profile.id, profile]));
  const errors = (ids ?? []).flatMap((id, at) => (found.has(id) ? [] : [unknown(id, at)]));
  if (errors.length) throw new Problem("unknown_agent", errors.map(({ message }) => message).join(" "), errors);
  return all;
}

/** The own models of these agents; null: of all agents of the owner, undefined: of none. */
export async function modelsOfAgents(
  store: RegistryDependencies["store"],
  owner: Owner,
  ids: readonly string[] | null | undefined,
): Promise<string[]> {
  return ids === undefined ? [] : store.agents.models(owner, ids);
}

const unknown = (id: string, at: number): FieldError => ({
  path: `options.agents.${at}`,
  code: "unknown_agent",
  message: `There is no agent ${id.slice(0, 100)}.`,
});

const ownProfile = (row: AgentRow, settings: ToolSettings): AgentProfile => ({
  id: row.id,
  name: row.name,
  description: row.description,
  capabilities: JSON.parse(row.capabilities) as string[],
  when_to_use: row.when_to_use,
  input: row.input,
  output: row.output,
  tools: configuredTools(JSON.parse(row.tools) as string[], settings),
  instructions: row.instructions,
  model: row.model,
  mcp_servers: storedMcpServers(row).map(({ name, url }) => ({ name, url })),
});

function builtInProfile(agent: BuiltInAgent, settings: ToolSettings): AgentProfile {
  const { slug: _, ...shown } = agent;
  return {
    id: builtInId(agent),
    ...shown,
    tools: configuredTools(agent.tools, settings),
    model: null,
    mcp_servers: [],
  };
}

/** Headers are sent only to the URL that they were given for: none when the agent was changed or deleted since. */
async function headersOf(
  { store, secrets }: RegistryDependencies,
  owner: Owner,
  agent: string,
  { name, url }: McpServer,
): Promise<Record<string, string>> {
  const row = await store.agents.get(owner, agent);
  const server = row && storedMcpServers(row).find((stored) => stored.name === name && stored.url === url);
  return server ? openHeaders(secrets, { tenant: owner.tenant_id, agent }, server) : {};
}
