import { idPattern } from "#core/ids";
import type { Services } from "../services";
import type { Page } from "#core/page";
import { BUILT_IN } from "#agents/built-in/index";
import { type PresentedAgent, presentAgent } from "./present-agent";

/** A place in the list: the id of an own agent, or the slug of a built-in one. */
export const PLACE = new RegExp(`${idPattern("agt").source}|^(${BUILT_IN.map(({ slug }) => slug).join("|")})$`);

/**
 * The tenant's own agents, newest first, then those that are built in.
 * @param after what it continues behind, as `PLACE`
 * @param built_in only these, or only the tenant's own; null for both
 */
export async function listAgents(
  services: Services,
  tenant: string,
  limit: number,
  after: string | null,
  built_in: boolean | null,
): Promise<Page<PresentedAgent>> {
  const { store, settings } = services;
  const behind = BUILT_IN.findIndex(({ slug }) => slug === after);
  const amongOwn = built_in !== true && behind < 0;
  const own = amongOwn ? await store.agents.list(tenant, limit, after) : { rows: [], next: null };
  const start = built_in === false || own.next !== null ? BUILT_IN.length : behind + 1;
  const rest = BUILT_IN.slice(start, start + limit - own.rows.length);
  const more = built_in !== false && own.next === null && start + rest.length < BUILT_IN.length;
  return {
    rows: [...own.rows, ...rest].map((agent) => presentAgent(agent, settings.tools)),
    next: own.next ?? (more ? (rest.at(-1)?.slug ?? own.rows.at(-1)!.id) : null),
  };
}
