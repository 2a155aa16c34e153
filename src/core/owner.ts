import type { Mode } from "./vocabulary";

/**
 * Whose data a request or a run works with: a tenant's, of one mode. Objects of the other mode do not exist for it, like those of other
 * tenants. Keys and rows have both fields, so each is an owner.
 */
export interface Owner {
  tenant_id: string;
  mode: Mode;
}
