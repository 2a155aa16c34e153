/** What walks over all routes share: requests to resources of somebody else, and the rows that these must leave as they are. */
import { bindings } from "../support/parley";
import { ownedTables } from "../support/rows";
import { api, type Operation, OPERATIONS } from "./api";
import { LINES } from "./dataset";
import { within, type World } from "./world";

/** The routes that name a resource by `{id}` and need a key. */
export const WITH_ID = OPERATIONS.filter(({ path, security }) => path.includes("{id}") && security.length > 0);

/** Bodies that are valid for an existing resource: without them a refusal could be for the body. */
const BODIES: Record<string, object> = {
  answerInteraction: { decision: "approve" },
  extendInteraction: { expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString() },
  reassignInteraction: { name: "Mallory" },
  updateKey: { name: "mine" },
  updateAgent: { name: "Mine" },
  updateWebhookEndpoint: { description: "mine" },
  acknowledgeDeliveries: { deliveries: ["del_01JQ0000000000000000000000"] },
  retryRun: {},
  updateCorpus: { name: "Mine" },
  addDocuments: { source: "A law", text: "A text." },
  searchCorpus: { query: "text" },
  updateTemplate: { name: "Mine" },
  startTemplate: {},
  updateSchedule: { name: "Mine" },
  updateDataset: { name: "Mine" },
  addItems: { id: "mine", input: { requirement: "Count." } },
};

/** Sends the request of a route with `{id}`. */
export const askFor = (
  { method, path, operationId }: Operation,
  key: string,
  id: string,
  inner: Pick<World, "art" | "doc" | "upl">,
) =>
  api(method.toUpperCase(), within(path, inner).replace("{id}", id), {
    key,
    body: BODIES[operationId],
    ...(operationId === "addItems" && { headers: LINES }),
  });

/** A reply with its headers, as text. */
export const wholeReply = ({ body, headers }: { body: unknown; headers: Headers }): string =>
  JSON.stringify([body, [...headers]]);

/** Columns that change by themselves: with each use of a key, and with the maintenance passes. */
const VOLATILE = ["last_used_at", "heartbeat_at", "nudged_at"];

/** All rows of a tenant, its runs and pools, each as text, by table. Idempotency keys belong to requests and are left out. */
export async function rowsOfTenant(tenant: string): Promise<Map<string, string[]>> {
  const idsIn = async (table: string, column: string) =>
    (
      await bindings.DB.prepare(`SELECT ${column} AS id FROM ${table} WHERE tenant_id = ?`)
        .bind(tenant)
        .all<{ id: string }>()
    ).results.map(({ id }) => id);
  const owners = {
    tenant_id: [tenant],
    run_id: await idsIn("runs", "id"),
    pool: await idsIn("pools", "number"),
    scope: [],
  };
  const rows = new Map<string, string[]>();
  for (const { table, column } of await ownedTables()) {
    const { results } = await bindings.DB.prepare(
      `SELECT * FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`,
    )
      .bind(JSON.stringify(owners[column]))
      .all<Record<string, unknown>>();
    const texts = results.map((row) =>
      JSON.stringify(Object.entries(row).filter(([name]) => !VOLATILE.includes(name))),
    );
    rows.set(table, [...new Set([...(rows.get(table) ?? []), ...texts])].toSorted());
  }
  return rows;
}
