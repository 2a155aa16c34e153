import type { Table } from "../backup/tables.ts";
import { sqlValue } from "../lib/sql.ts";

/** Rows that belong to a database and not to a tenant. Vectors to remove are named by passages, which do not change their names. */
const KEPT = ["maintenance_pass", "model_capabilities", "resealing", "stray_vectors"];

/** Tables without `tenant_id`: their column, and the row of another table that has the tenant. */
const OWNERS: Record<string, [column: string, owner: string, key: string]> = {
  stages: ["run_id", "runs", "id"],
  artifacts: ["run_id", "runs", "id"],
  events: ["run_id", "runs", "id"],
  run_datasets: ["run_id", "runs", "id"],
  delivery_attempts: ["delivery_id", "deliveries", "id"],
  documents: ["pool", "pools", "number"],
  passages: ["pool", "pools", "number"],
};

/** Numbers that a database gives, by their table. In another database rows get other ones. */
export const NUMBERS: Record<string, string> = { pools: "number", passages: "id", dataset_items: "position" };

/**
 * Tables of a tenant's rows, in the order of insertion: rows come after those that they refer to.
 * @throws Error when a table is not known here
 */
export function tenantTables(tables: Table[]) {
  const own = tables.filter(({ name }) => !KEPT.includes(name));
  for (const table of own) if (!kindOf(table)) throw new Error(`move-tenant does not know the table ${table.name}.`);
  const rank = (table: Table) => ["tenants", "direct", "special", "owned"].indexOf(kindOf(table) ?? "");
  return own.toSorted((a, b) => rank(a) - rank(b));
}

function kindOf({ name, columns }: Table) {
  if (name === "tenants") return "tenants";
  if (Object.hasOwn(SPECIAL, name)) return "special";
  if (Object.hasOwn(OWNERS, name)) return "owned";
  return columns.some((column) => column.name === "tenant_id") ? "direct" : null;
}

/** Conditions of tables whose texts name the tenant. */
const SPECIAL: Record<string, (column: (name: string) => string, tenant: string) => string> = {
  orphans: (column, tenant) => `${column("key")} GLOB ${sqlValue(`${tenant}/*`)}`,
  // The scope of a callback's key is its question.
  idempotency_keys: (column, tenant) =>
    `(${column("scope")} IN (${sqlValue(`${tenant}/live`)}, ${sqlValue(`${tenant}/test`)}) OR EXISTS (SELECT 1 FROM interactions WHERE id = ${column("scope")} AND tenant_id = ${sqlValue(tenant)}))`,
};

/**
 * The condition that a row belongs to a tenant.
 * @param row of a trigger; null: of a query
 */
export function isOf(table: string, tenant: string, row: "NEW" | "OLD" | null = null) {
  const column = (name: string) => (row ? `${row}.${name}` : name);
  if (table === "tenants") return `${column("id")} = ${sqlValue(tenant)}`;
  const special = SPECIAL[table];
  if (special) return special(column, tenant);
  const owned = OWNERS[table];
  if (!owned) return `${column("tenant_id")} = ${sqlValue(tenant)}`;
  const [name, owner, key] = owned;
  return row
    ? `EXISTS (SELECT 1 FROM ${owner} WHERE ${key} = ${column(name)} AND tenant_id = ${sqlValue(tenant)})`
    : `${name} IN (SELECT ${key} FROM ${owner} WHERE tenant_id = ${sqlValue(tenant)})`;
}
