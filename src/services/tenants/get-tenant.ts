import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { TenantRow } from "#store/rows";
import type { PresentedTenant } from "./schema";

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
