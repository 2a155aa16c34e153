import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { TenantRow } from "#store/rows";

export interface PresentedTenant {
  object: "tenant";
  id: string;
  name: string;
  created_at: string;
}

export const presentTenant = ({ id, name, created_at }: TenantRow): PresentedTenant => ({
  object: "tenant",
  id,
  name,
  created_at: toTime(created_at),
});

/** The tenant that a key belongs to. */
export async function getTenant({ store }: Services, id: string): Promise<PresentedTenant> {
  const row = await store.tenants.get(id);
  if (!row) throw new Error(`The tenant ${id} has keys, and is not there.`);
  return presentTenant(row);
}
