import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { TenantRow } from "#store/rows";
import type { PresentedTenant } from "./schema";
import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import { log } from "#core/log";
import type { RequestCompletion } from "../idempotency/complete-key";

export const presentTenant = ({ id, name, created_at }: TenantRow): PresentedTenant => ({
  object: "tenant",
  id,
  name,
  created_at: toTime(created_at),
});

/** The tenant of the request's key. */
export async function getTenant({ store }: Services, id: string): Promise<PresentedTenant> {
  const row = await store.tenants.get(id);
  if (!row) throw new Error(`The tenant ${id} has keys, but does not exist.`);
  return presentTenant(row);
}

/**
 * Marks a tenant as deleted, permanently. From then on its keys are invalid and its webhooks are deleted; the maintenance worker deletes the rest,
 * live runs included, and continues after a crash.
 * @param owner of the request's key: a test key cannot delete live data
 * @param confirm the tenant's id
 * @throws Problem `wrong_mode`, `invalid_query`
 */
export async function deleteTenant(
  services: Services,
  { tenant_id: tenant, mode }: Owner,
  confirm: string,
  completion?: RequestCompletion,
): Promise<void> {
  if (mode === "test")
    throw new Problem("wrong_mode", "A test key cannot delete the tenant, because it has live data too.");
  if (confirm !== tenant) {
    const message = `It must be the id of the tenant to delete, ${tenant}.`;
    throw new Problem("invalid_query", `confirm: ${message}`, [{ path: "confirm", code: "not_confirmed", message }]);
  }
  await services.platform.armMaintenance();
  await services.store.tenants.markRemoved(tenant, completion);
  log.info("tenant is being removed", { tenant_id: tenant });
}
