/** The types of rows in src/store/rows.ts and the tables of the migrated database have the same columns, of the same types. */
import { describe, expect, it } from "vitest";
import { bindings } from "../../support/parley";

const [source] = Object.values(
  import.meta.glob("../../../src/store/rows.ts", { query: "?raw", import: "default", eager: true }),
);

/**
 * Each type of a row with its table.
 * `unread`: columns of the table that only SQL uses. `computed`: columns of the type that a query adds to those of the table.
 */
const TABLES: Record<string, { table: string; unread?: string[]; computed?: string[] }> = {
  RunRow: { table: "runs", unread: ["child_retries", "used_role", "used_model", "used_priced"] },
  RunTreeRow: { table: "run_trees" },
  ArtifactRow: { table: "artifacts", unread: ["released_calls", "released_tokens", "released_cost_usd"] },
  TenantRow: { table: "tenants", unread: ["max_concurrent_runs", "moving_to", "held_until", "moved_from"] },
  StageRow: { table: "stages" },
  RunEndRow: { table: "run_ends" },
  InteractionRow: { table: "interactions", unread: ["changed_by", "remind_at"] },
  EventRow: { table: "events" },
  KeyRow: { table: "keys", unread: ["counted"] },
  AgentRow: { table: "agents" },
  ProviderKeyRow: { table: "provider_keys" },
  EndpointRow: { table: "webhook_endpoints" },
  MessageRow: { table: "webhook_messages" },
  DeliveryRow: { table: "deliveries" },
  CorpusRow: { table: "corpora", computed: ["pool", "documents", "unready", "unread", "passages", "embedded"] },
  DocumentRow: { table: "documents" },
  UploadRow: { table: "uploads", computed: ["unready", "ready"] },
  AttemptRow: { table: "delivery_attempts" },
  IdempotencyRow: { table: "idempotency_keys" },
  AuditRow: { table: "audit_log" },
  TemplateRow: { table: "templates" },
  ScheduleRow: { table: "schedules" },
  OccurrenceRow: { table: "occurrences" },
  BudgetRow: { table: "budgets" },
  DatasetRow: { table: "datasets" },
  DatasetItemRow: { table: "dataset_items" },
};

/** The columns of an interface of rows.ts as `<name>: text|number [or null]`. Throws at a line that is neither a column nor a comment. */
function declared(body: string): string[] {
  const lines = body.split("\n").filter((line) => line.trim() !== "" && !/^ {2}\/\*\* .* \*\/$/.test(line));
  return lines.map((line) => {
    const { name, type } = /^ {2}(?<name>\w+): (?<type>[^;]+);$/.exec(line)!.groups!;
    const types = type!.split(" | ");
    return column(
      name!,
      types.some((member) => /^(number|\d)$/.test(member)),
      types.includes("null"),
    );
  });
}

async function stored(table: string): Promise<string[]> {
  const { results } = await bindings.DB.prepare(`PRAGMA table_xinfo(${table})`).all<Record<string, any>>();
  return results.map(({ name, type, notnull, pk }) => column(name, type !== "TEXT", notnull === 0 && pk === 0));
}

const column = (name: string, isNumber: boolean, isNullable: boolean): string =>
  `${name}: ${isNumber ? "number" : "text"}${isNullable ? " or null" : ""}`;

const without = (columns: readonly string[], names: readonly string[]): string[] =>
  columns.filter((one) => !names.includes(one.split(":")[0]!)).toSorted();

const interfaces = new Map(
  [...source!.matchAll(/^export interface (\w+Row) \{\n(.*?)^\}/gms)].map(([, name, body]) => [name!, declared(body!)]),
);

it("every row type has a table", () => {
  expect([...interfaces.keys()].toSorted()).toEqual(Object.keys(TABLES).toSorted());
});

describe.each(Object.entries(TABLES))("%s", (type, { table, unread = [], computed = [] }) => {
  it(`has the columns of ${table}`, async () => {
    const columns = await stored(table);
    const names = (all: readonly string[]) => all.map((one) => one.split(":")[0]);
    expect(names(columns)).toEqual(expect.arrayContaining(unread));
    expect(names(interfaces.get(type)!)).toEqual(expect.arrayContaining(computed));
    expect(without(interfaces.get(type)!, computed)).toEqual(without(columns, unread));
  });
});
