import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { AgentRow } from "#store/rows";
import { BUILT_IN, type BuiltInAgent } from "#agents/built-in/index";
import { nameKey } from "#agents/name-key";
import { builtInId, builtInAgent } from "#agents/built-in/ids";

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
