import { toTime } from "../fields/time";
import type { AgentRow } from "#store/rows";
import { configuredTools, type ToolSettings } from "#agents/tools/tool-settings";
import { type BuiltInAgent, BUILT_IN } from "#agents/built-in/index";
import { builtInId, builtInAgent } from "#agents/built-in/ids";
import { storedMcpServers } from "#agents/mcp-servers";
import type { PresentedAgent } from "./schema";
import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import { nameKey } from "#agents/name-key";
import { idPattern } from "#core/ids";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import type { RequestCompletion } from "../idempotency/complete-key";

/** Shows an agent without the headers of its MCP servers. */
export function presentAgent(agent: AgentRow | BuiltInAgent, settings: ToolSettings): PresentedAgent {
  const { name, description, when_to_use, input, output, instructions } = agent;
  const builtIn = "slug" in agent;
  const tools = builtIn ? agent.tools : (JSON.parse(agent.tools) as string[]);
  const usable = new Set<string>(configuredTools(tools, settings));
  return {
    object: "agent",
    id: builtIn ? builtInId(agent) : agent.id,
    built_in: builtIn,
    name,
    description,
    capabilities: builtIn ? agent.capabilities : (JSON.parse(agent.capabilities) as string[]),
    when_to_use,
    input,
    output,
    instructions,
    tools,
    unavailable_tools: tools.filter((tool) => !usable.has(tool)),
    mcp_servers: builtIn ? [] : storedMcpServers(agent).map(({ sealed_headers: _, ...server }) => server),
    model: builtIn ? null : agent.model,
    created_at: builtIn ? null : toTime(agent.created_at),
    updated_at: builtIn ? null : toTime(agent.updated_at),
  };
}

export const noSuchAgent = (id: string) => new Problem("not_found", `There is no agent ${id}.`);

export const nameTaken = (name: string) =>
  new Problem("name_taken", `There is already an agent "${name}"; names are compared without case.`);

/** @throws Problem `name_taken` when a built-in agent has this name */
export function assertNotBuiltInName(name: string): void {
  const clash = BUILT_IN.find((agent) => nameKey(agent.name) === nameKey(name));
  if (clash) throw new Problem("name_taken", `"${clash.name}" is a built-in agent (${builtInId(clash)}).`);
}

/**
 * Refuses to change a built-in agent.
 * @throws Problem `built_in_agent`
 */
export function assertOwn(id: string): void {
  const agent = builtInAgent(id);
  if (!agent) return;
  throw new Problem(
    "built_in_agent",
    `${id} ("${agent.name}") is built in: it can be read and used, but not changed or deleted.`,
  );
}

/** @throws Problem `not_found` */
export async function findAgent(services: Services, owner: Owner, id: string): Promise<AgentRow | BuiltInAgent> {
  const agent = builtInAgent(id) ?? (await services.store.agents.get(owner, id));
  if (!agent) throw noSuchAgent(id);
  return agent;
}

/** @throws Problem `not_found` */
export const getAgent = async (services: Services, owner: Owner, id: string): Promise<PresentedAgent> =>
  presentAgent(await findAgent(services, owner, id), services.settings.tools);

/** A position in the list: the id of the tenant's own agent, or the slug of a built-in one. */
export const POSITION = new RegExp(`${idPattern("agt").source}|^(${BUILT_IN.map(({ slug }) => slug).join("|")})$`);

/**
 * The tenant's own agents, newest first, then the built-in ones.
 * @param request.after a position that matches `POSITION`; the page starts after it
 * @param request.built_in true: only built-in agents; false: only the tenant's own; null: both
 */
export async function listAgents(
  { store, settings }: Services,
  { owner, built_in, limit, after }: PageRequest & { built_in: boolean | null },
): Promise<Page<PresentedAgent>> {
  const lastShown = BUILT_IN.findIndex(({ slug }) => slug === after);
  const showsOwn = built_in !== true && lastShown < 0;
  const own = showsOwn ? await store.agents.list(owner, limit, after) : { rows: [], next: null };
  const start = built_in === false || own.next !== null ? BUILT_IN.length : lastShown + 1;
  const builtIn = BUILT_IN.slice(start, start + limit - own.rows.length);
  const more = built_in !== false && own.next === null && start + builtIn.length < BUILT_IN.length;
  return {
    rows: [...own.rows, ...builtIn].map((agent) => presentAgent(agent, settings.tools)),
    next: own.next ?? (more ? (builtIn.at(-1)?.slug ?? own.rows.at(-1)!.id) : null),
  };
}

/**
 * Deletes an agent. Runs that have started keep its profile, but lose the headers of its MCP servers too.
 * @throws Problem `not_found`, `built_in_agent`
 */
export async function deleteAgent(
  services: Services,
  owner: Owner,
  id: string,
  completion?: RequestCompletion,
): Promise<void> {
  assertOwn(id);
  if (!(await services.store.agents.remove(owner, id, completion))) throw noSuchAgent(id);
}
