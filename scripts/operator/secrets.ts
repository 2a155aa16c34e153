import type { Database, Row } from "../lib/database.ts";
import { say, table } from "../lib/terminal.ts";

/** Sealed texts, by the query that lists them; those of answers that are stored in R2 are left out, and expire within a day as all answers do. */
const SEALED = {
  "secrets of webhook endpoints":
    "SELECT secret AS sealed FROM webhook_endpoints UNION ALL SELECT previous_secret FROM webhook_endpoints WHERE previous_secret IS NOT NULL",
  "headers of webhook endpoints": "SELECT headers AS sealed FROM webhook_endpoints WHERE headers IS NOT NULL",
  "headers of MCP servers":
    "SELECT server.value ->> '$.sealed_headers' AS sealed FROM agents, json_each(agents.mcp_servers) AS server WHERE sealed IS NOT NULL",
  "keys of tenants for providers": "SELECT sealed FROM provider_keys",
  "answers under Idempotency-Keys": "SELECT body AS sealed FROM idempotency_keys WHERE body IS NOT NULL",
};

/** The id of the key that a text is sealed by. */
const KEY = "substr(sealed, 4, 8)";

/** A PARLEY_SECRET, as the maintenance worker has noted it. */
interface SealingKey {
  id: string;
  /** milliseconds since the epoch; null: it is in use */
  until: number | null;
}

/** Shows which PARLEY_SECRETs the maintenance worker has seen, and what is still sealed under each. */
export async function showSecrets(db: Pick<Database, "query">) {
  const [known] = await db.query("SELECT keys, position, unreadable, completed_at FROM resealing");
  const keys: SealingKey[] = known ? JSON.parse(known.keys) : [];
  const counts = await db.query(
    Object.entries(SEALED)
      .map(([what, rows]) => `SELECT '${what}' AS what, ${KEY} AS key, COUNT(*) AS count FROM (${rows}) GROUP BY key`)
      .join(" UNION ALL "),
  );
  const ids = [...new Set([...keys.map(({ id }) => id), ...counts.map(({ key }) => key)])];
  const under = (id: string) => counts.filter(({ key }) => key === id).map(({ what, count }) => `${count} ${what}`);
  const rows = ids.map((id) => [id, stateOf(id, keys), under(id).join(", ") || "nothing"]);
  say(rows.length > 0 ? table(["secret", "state", "sealed under it"], rows) : "None.");
  say(`\n${progressOf(known)}`);
}

function stateOf(id: string, keys: SealingKey[]) {
  const key = keys.find((known) => known.id === id);
  if (!key) return "not set";
  if (key.until === null) return "in use";
  const at = new Date(key.until).toISOString().slice(0, 16).replace("T", " ");
  return key.until > Date.now() ? `valid until ${at}` : `expired ${at}`;
}

function progressOf(known: Row | undefined) {
  if (!known) return "No maintenance pass has run yet: it works while there are runs, and after any POST.";
  const lost = Object.entries(JSON.parse(known.unreadable)).map(([where, count]) => `${count} in ${where}`);
  const pass =
    known.position === null
      ? "The maintenance worker has sealed everything again"
      : "The maintenance worker is sealing again";
  return lost.length === 0 ? `${pass}.` : `${pass}, except what no secret opens: ${lost.join(", ")}.`;
}
