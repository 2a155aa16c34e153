import type { Services } from "../services";
import { assertOwn, noSuchAgent } from "./find-agent";

/**
 * Removes an agent. Runs that have begun keep its profile; the headers of its MCP servers are gone for them too.
 * @throws Problem `not_found`, `built_in_agent`
 */
export async function deleteAgent(services: Services, tenant: string, id: string): Promise<void> {
  assertOwn(id);
  if (!(await services.store.agents.remove(tenant, id))) throw noSuchAgent(id);
}
