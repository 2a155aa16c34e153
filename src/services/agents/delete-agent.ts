import type { Owner } from "#core/owner";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { assertOwn, noSuchAgent } from "./find-agent";

/**
 * Deletes an agent. Runs that have started keep its profile, but lose the headers of its MCP servers too.
 * @throws Problem `not_found`, `built_in_agent`
 */
export async function deleteAgent(
  services: Services,
  owner: Owner,
  id: string,
  settlement?: Settlement,
): Promise<void> {
  assertOwn(id);
  if (!(await services.store.agents.remove(owner, id, settlement))) throw noSuchAgent(id);
}
