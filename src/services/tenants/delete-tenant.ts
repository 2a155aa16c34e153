import { Problem } from "#core/errors";
import { log } from "#core/log";
import type { Services } from "../services";
import { armKeeper } from "../wake";

/**
 * Removes a tenant for good. When this returns its keys open nothing and its webhooks are gone; the keeper removes the rest, live runs
 * included, and goes on with it after a crash.
 * @param confirm the tenant's id
 * @throws Problem `invalid_query`
 */
export async function deleteTenant(services: Services, tenant: string, confirm: string): Promise<void> {
  if (confirm !== tenant) {
    const message = `It must be the id of the tenant that is to be deleted, ${tenant}.`;
    throw new Problem("invalid_query", `confirm: ${message}`, [{ path: "confirm", code: "not_confirmed", message }]);
  }
  await armKeeper(services);
  await services.store.tenants.markRemoved(tenant);
  log.info("tenant is being removed", { tenant_id: tenant });
}
