import { NOW } from "./run-state";

/**
 * SQL: writes to a tenant's rows are not refused, as they are while it is moved to another database (`tenants.held_until`). Statements over the rows
 * of all tenants need it: one refused row would make them fail for everyone. @param tenant SQL of its id
 */
export const notHeld = (tenant = "tenant_id"): string =>
  `${tenant} NOT IN (SELECT id FROM tenants WHERE held_until > ${NOW})`;
