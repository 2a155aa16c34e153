// SQL and not src/store: it works on databases without a Worker (`Database`).
import "./lib/typescript.ts";
import { openTargets, TARGET_OPTIONS } from "./backup/target.ts";
import { auditSql } from "./lib/audit.ts";
import { command, UsageError, work } from "./lib/command.ts";
import type { Database, Named, Row } from "./lib/database.ts";
import { makeKeys, makeTenant } from "./lib/keys.ts";
import { sqlValue } from "./lib/sql.ts";
import { onStop } from "./lib/stopping.ts";
import { say, table } from "./lib/terminal.ts";
import { workflowNames } from "./lib/workflow-names.ts";
import { databaseOfTenant, emptiest, sourceOfMove, storedBytes } from "./operator/databases.ts";
import { cancelMove, forgetSource, moveTenant } from "./operator/move-tenant.ts";
import { showSecrets } from "./operator/secrets.ts";
import { SCOPES } from "#core/vocabulary";

const { QUOTA_NAMES } = await import("#core/quotas");

const ABOUT = {
  name: "operator",
  takes: "<command>",
  what: `Manages tenants, their keys and quotas, and shows the status of a deployment. It works on the database itself, through wrangler, so that
it needs no key of Parley and helps when the last admin key is lost.

  status                                 runs, deliveries and the maintenance worker, of the whole deployment
  tenants                                tenants with their keys, runs and quotas
  add-tenant <name>                      makes a tenant, and prints its first admin key
  move-tenant <tenant> --to <database>   moves a tenant to another database; its writes are held meanwhile. It can be repeated after a crash
  keys <tenant>                          keys of a tenant
  add-key <tenant>                       makes a key and prints it
  revoke-key <key>                       ends a key at once
  secrets                                the PARLEY_SECRETs that are set, and what is still sealed under each
  set-quota <tenant> <name>=<number>     overrides a quota of a tenant; <name>=default returns to the deployment's
  quotas <tenant>                        what a tenant uses of its quotas, and the limits that the operator set
  recount <tenant>                       counts what a tenant uses anew, and says which counts were wrong`,
  options: {
    ...TARGET_OPTIONS,
    database: { type: "string", value: "DB_2", help: "add-tenant: by default the one that stores least" },
    to: { type: "string", value: "DB_2", help: "move-tenant: where the tenant goes" },
    hold: { type: "string", value: "SECONDS", default: "900", help: "move-tenant: for which writes may be held" },
    linger: { type: "string", value: "SECONDS", default: "60", help: "move-tenant: until its old rows go" },
    mode: { type: "string", value: "MODE", default: "live", help: "add-key: live, or test" },
    scopes: { type: "string", value: "a,b", help: "add-key: of the key" },
    name: { type: "string", default: "made by the operator", help: "add-key: of the key" },
    expires: { type: "string", value: "TIME", help: "add-key: a day or a time" },
    workflows: { type: "string", value: "a,b", help: "add-key: bound to these workflows" },
  },
  example: "--local add-key ten_… --scopes runs:read",
} as const;

type Flags = ReturnType<typeof command<(typeof ABOUT)["options"]>>["values"];

/** Kept in a column of `tenants`; the others are rows of `quota_limits`. */
const CONCURRENCY = "max_concurrent_runs";

const time = (ms: number | null) => (ms === null ? "" : new Date(ms).toISOString().slice(0, 16).replace("T", " "));
const list = (head: string[], rows: unknown[][]) =>
  say(
    rows.length
      ? table(
          head,
          rows.map((row) => row.map((cell) => String(cell ?? ""))),
        )
      : "None.",
  );

type Command = (databases: Named[], args: string[], flags: Flags) => Promise<void>;

/** The commands, each with how many arguments it takes. */
const COMMANDS: Record<string, [run: Command, takes: number]> = {
  status: [status, 0],
  tenants: [tenants, 0],
  "add-tenant": [addTenant, 1],
  "move-tenant": [move, 1],
  keys: [keys, 1],
  "add-key": [addKey, 1],
  "revoke-key": [revokeKey, 1],
  secrets: [secrets, 0],
  "set-quota": [setQuota, 2],
  quotas: [quotas, 1],
  recount: [recount, 1],
};

async function status(databases: Named[]) {
  if (databases.length > 1) {
    const sizes = await Promise.all(
      databases.map(async (database) => {
        const [row] = await database.db.query("SELECT COUNT(*) AS count FROM tenants WHERE moving_to IS NULL");
        return [database.name, row?.count, ((await storedBytes(database)) / 1e6).toFixed(1)];
      }),
    );
    say("Databases");
    list(["database", "tenants", "stored MB"], sizes);
  }
  for (const { name, db } of databases) {
    if (databases.length > 1) say(`\n${name}\n`);
    await statusOf(db);
  }
}

async function secrets(databases: Named[]) {
  for (const { name, db } of databases) {
    if (databases.length > 1) say(`\n${name}\n`);
    await showSecrets(db);
  }
}

async function statusOf(db: Database) {
  const runs = await db.query(
    "SELECT status, mode, COUNT(*) AS runs, SUM(stalled_at IS NOT NULL AND finished_at IS NULL) AS stalled, MIN(created_at) AS oldest FROM runs GROUP BY status, mode ORDER BY status, mode",
  );
  say("Runs");
  list(
    ["status", "mode", "runs", "stalled", "oldest"],
    runs.map((row) => [row.status, row.mode, row.runs, row.stalled, time(row.oldest)]),
  );
  const deliveries = await db.query(
    "SELECT status, COUNT(*) AS deliveries, MIN(created_at) AS oldest FROM deliveries WHERE status <> 'delivered' GROUP BY status",
  );
  say("\nWebhook deliveries that are not delivered");
  list(
    ["status", "deliveries", "oldest"],
    deliveries.map((row) => [row.status, row.deliveries, time(row.oldest)]),
  );
  const passes = await db.query("SELECT * FROM maintenance_pass");
  say("\nThe last maintenance pass");
  list(
    ["ended", "seconds late", "left", "failed", "next"],
    passes.map(({ ended_at, lag_ms, remaining, failed, next_at }) => [
      time(ended_at),
      (lag_ms / 1000).toFixed(1),
      JSON.parse(remaining).join(", ") || "nothing",
      JSON.parse(failed).join(", ") || "nothing",
      next_at === null ? "when it is armed" : time(next_at),
    ]),
  );
}

async function tenants(databases: Named[]) {
  const ifSeveral = (cell: string) => (databases.length > 1 ? [cell] : []);
  const rows: Row[] = [];
  for (const { name, db } of databases) rows.push(...(await tenantsIn(db)).map((row) => ({ ...row, database: name })));
  list(
    ["tenant", "name", "made", "keys", "runs", ...ifSeveral("database"), "quotas", ""],
    rows.map((row) => [
      row.id,
      row.name,
      time(row.created_at),
      row.keys,
      row.runs,
      ...ifSeveral(row.database),
      [row[CONCURRENCY] === null ? "" : `${CONCURRENCY}=${row[CONCURRENCY]}`, row.limits].filter(Boolean).join(" "),
      row.removed_at ? "being removed" : row.moving_to ? `moves to ${row.moving_to}` : "",
    ]),
  );
}

const tenantsIn = (db: Database) =>
  db.query(
    `SELECT id, name, created_at, removed_at, moving_to, ${CONCURRENCY},
       (SELECT group_concat(quota || '=' || most, ' ') FROM quota_limits WHERE tenant_id = tenants.id) AS limits,
       (SELECT COUNT(*) FROM keys WHERE tenant_id = tenants.id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${Date.now()})) AS keys,
       (SELECT COUNT(*) FROM runs WHERE tenant_id = tenants.id) AS runs
     FROM tenants ORDER BY created_at`,
  );

async function addTenant(databases: Named[], [name]: string[], { database }: Flags) {
  if (!name) throw new UsageError("add-tenant needs a name.");
  const { db, name: binding } = database === undefined ? await emptiest(databases) : named(databases, database);
  const {
    id,
    keys: [key],
    key_ids: [key_id = ""],
    sql,
  } = makeTenant(name, [{ name: "first admin key", mode: "live" }]);
  const entries = [
    { action: "createTenant", object_type: "tenant", object_id: id },
    { action: "createKey", object_type: "key", object_id: key_id },
  ];
  await db.execute(sql + entries.map((entry) => auditSql({ tenant: id, ...entry })).join(""));
  say(
    `Tenant ${id}${databases.length > 1 ? ` in ${binding}` : ""}. Its first key, with every scope, is shown this once:\n\n  ${key}`,
  );
}

/** The database with this binding. */
function named(databases: Named[], name: string) {
  const found = databases.find((database) => database.name === name);
  if (found) return found;
  throw new UsageError(
    `There is no database ${name}; there are ${databases.map((database) => database.name).join(", ")}.`,
  );
}

async function move(databases: Named[], [tenant]: string[], { to, hold, linger }: Flags) {
  if (to === undefined) throw new UsageError("move-tenant needs --to <database>.");
  const ms = (flag: string, seconds: string) => {
    if (!/^[1-9]\d{0,5}$/.test(seconds)) throw new UsageError(`--${flag} takes a number of seconds.`);
    return Number(seconds) * 1000;
  };
  const [hold_ms, linger_ms] = [ms("hold", hold), ms("linger", linger)];
  const target = named(databases, to);
  const { id } = await tenantOf(databases, tenant);
  const source = await sourceOfMove(databases, id, target);
  if (!source) {
    await forgetSource({ target, tenant: id }); // a move may have been killed just before
    say(`${id} is in ${to} already.`);
    return;
  }
  const moving = { source, target, tenant: id };
  onStop(() => void cancelMove(moving).finally(() => process.exit(1)));
  await moveTenant({ ...moving, hold_ms, linger_ms, say });
  await target.db.execute(auditSql({ tenant: id, action: "moveTenant", object_type: "tenant", object_id: id }));
  say(`${id} is in ${to}, and nowhere else.`);
}

async function keys(databases: Named[], [tenant]: string[]) {
  const { db, id } = await tenantOf(databases, tenant);
  const rows = await db.query(
    `SELECT id, name, mode, scopes, workflows, hint, created_at, last_used_at, expires_at, revoked_at, rolled_to FROM keys WHERE tenant_id = ${sqlValue(id)} ORDER BY id`,
  );
  list(
    ["key", "name", "mode", "scopes", "workflows", "ends with", "made", "last used", "expires", "revoked", "rolled to"],
    rows.map((row) => [
      row.id,
      row.name,
      row.mode,
      JSON.parse(row.scopes).join(","),
      row.workflows === null ? "all" : JSON.parse(row.workflows).join(","),
      row.hint,
      time(row.created_at),
      time(row.last_used_at),
      time(row.expires_at),
      time(row.revoked_at),
      row.rolled_to,
    ]),
  );
}

async function addKey(databases: Named[], [tenant]: string[], { mode, scopes, name, expires, workflows }: Flags) {
  if (mode !== "live" && mode !== "test") throw new UsageError(`A key has the mode live or test, not ${mode}.`);
  const bound = workflows === undefined ? null : choose("workflow", workflows, workflowNames());
  const chosen =
    scopes === undefined ? SCOPES.filter((scope) => !bound || scope !== "admin") : choose("scope", scopes, SCOPES);
  if (bound && chosen.includes("admin"))
    throw new UsageError("A key with the scope admin cannot be bound to workflows.");
  const expires_at = expires === undefined ? null : Date.parse(expires);
  if (expires_at !== null && !(expires_at > Date.now()))
    throw new UsageError(
      `--expires needs a day or a time in the future, such as 2027-06-30 or 2027-06-30T12:00:00Z, not ${expires}.`,
    );
  const { db, id } = await tenantOf(databases, tenant);
  const made = makeKeys(id, [{ name, mode, scopes: chosen, expires_at, workflows: bound }]);
  const entry = { tenant: id, mode, action: "createKey", object_type: "key", object_id: made.ids[0] ?? "" } as const;
  await db.execute(made.sql + auditSql(entry));
  say(`A ${mode} key with ${chosen.join(", ")}, shown this once:\n\n  ${made.keys[0]}`);
}

/** The names in a list of the command line. */
function choose(kind: string, text: string, names: readonly string[]) {
  const chosen = text.split(",");
  const unknown = chosen.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`There is no ${kind} ${unknown.join(", ")}; there are ${names.join(", ")}.`);
  return chosen;
}

async function revokeKey(databases: Named[], [key]: string[]) {
  if (!key) throw new UsageError("revoke-key needs the id of a key; `keys <tenant>` lists them.");
  const of = `SELECT tenant_id, mode FROM keys WHERE id = ${sqlValue(key)}`;
  const found = (await Promise.all(databases.map(({ db }) => db.query(of)))).flat()[0];
  if (!found) throw new Error(`There is no key ${key}.`);
  const { tenant_id: tenant, mode } = found;
  const { db } = await tenantOf(databases, tenant);
  await db.execute(
    `UPDATE keys SET revoked_at = COALESCE(revoked_at, ${Date.now()}) WHERE id = ${sqlValue(key)};\n` +
      auditSql({ tenant, mode, action: "revokeKey", object_type: "key", object_id: key }),
  );
  say(`${key} is revoked.`);
}

async function setQuota(databases: Named[], [tenant, assignment = ""]: string[]) {
  const [, name, value] = /^(\w+)=(\d{1,15}|default)$/.exec(assignment) ?? [];
  if (!name || ![CONCURRENCY, ...QUOTA_NAMES].includes(name))
    throw new UsageError(
      `set-quota needs <name>=<number> or <name>=default; quotas are ${[CONCURRENCY, ...QUOTA_NAMES].join(", ")}.`,
    );
  const { db, id } = await tenantOf(databases, tenant);
  await db.execute(
    `${statementFor(sqlValue(id), name, value === "default" || value === undefined ? null : value)}\n` +
      auditSql({ tenant: id, action: "setQuota", object_type: "tenant", object_id: id }),
  );
  say(`${id}: ${name} is ${value === "default" ? "the deployment's default" : value}.`);
}

/** @param value null: the deployment's */
function statementFor(tenant: string, name: string, value: string | null) {
  if (name === CONCURRENCY) return `UPDATE tenants SET ${CONCURRENCY} = ${value ?? "NULL"} WHERE id = ${tenant};`;
  if (value === null) return `DELETE FROM quota_limits WHERE tenant_id = ${tenant} AND quota = '${name}';`;
  return `INSERT INTO quota_limits (tenant_id, quota, most) VALUES (${tenant}, '${name}', ${value})
    ON CONFLICT (tenant_id, quota) DO UPDATE SET most = excluded.most;`;
}

async function quotas(databases: Named[], [tenant]: string[]) {
  const { db, id } = await tenantOf(databases, tenant);
  const usage = await db.query(`SELECT quota, day, used FROM quota_usage WHERE tenant_id = ${sqlValue(id)}`);
  const limits = await db.query(`SELECT quota, most FROM quota_limits WHERE tenant_id = ${sqlValue(id)}`);
  const today = Math.floor(Date.now() / (24 * 60 * 60_000));
  list(
    ["quota", "used", "limit"],
    QUOTA_NAMES.map((name) => [
      name,
      usage.find(({ quota, day }) => quota === name && [0, today].includes(day))?.used ?? 0,
      limits.find(({ quota }) => quota === name)?.most ?? "the deployment's",
    ]),
  );
}

async function recount(databases: Named[], [tenant]: string[]) {
  const { db, id } = await tenantOf(databases, tenant);
  const counted = `SELECT tenant_id, quota, used FROM counted_usage WHERE tenant_id = ${sqlValue(id)}`;
  const wrong = await db.query(
    `SELECT c.quota, COALESCE(u.used, 0) AS used, c.used AS counted FROM (${counted}) c
     LEFT JOIN quota_usage u USING (tenant_id, quota) WHERE c.used <> COALESCE(u.used, 0)`,
  );
  await db.execute(
    `INSERT INTO quota_usage (tenant_id, quota, used) ${counted} AND TRUE ON CONFLICT (tenant_id, quota) DO UPDATE SET used = excluded.used;`,
  );
  list(
    ["quota", "was", "is"],
    wrong.map(({ quota, used, counted: is }) => [quota, used, is]),
  );
}

/** The tenant with this id, and its database. */
async function tenantOf(databases: Named[], id: string | undefined) {
  if (!id) throw new UsageError("Name a tenant by its id; `tenants` lists them.");
  const database = await databaseOfTenant(databases, id);
  if (!database) throw new Error(`There is no tenant ${id}; \`tenants\` lists them.`);
  return { id, db: database.db };
}

async function main() {
  const {
    values: flags,
    positionals: [name = "", ...args],
  } = command(ABOUT);
  const [run, takes = 0] = (Object.hasOwn(COMMANDS, name) && COMMANDS[name]) || [];
  if (!run) throw new UsageError(name ? `There is no command ${name}.` : "Name a command.");
  if (args.length > takes)
    throw new UsageError(`${name} does not take ${args.slice(takes).join(" ")}; quote a name with blanks.`);
  const databases = openTargets(flags);
  try {
    await run(databases, args, flags);
  } finally {
    for (const { db } of databases) db.release();
  }
}

await work(ABOUT.name, main);
