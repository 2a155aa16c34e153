import { idPattern } from "#core/ids";
import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { BUILT_IN } from "#agents/built-in/index";
import { presentAgent } from "./present-agent";
import type { PresentedAgent } from "./schema";

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
