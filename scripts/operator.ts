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
import { budgetsIn, budgetSql } from "./operator/budgets.ts";
import { cancelMove, forgetSource, moveTenant } from "./operator/move-tenant.ts";
import { removalSql } from "./operator/remove-tenant.ts";
import { showRun } from "./operator/show-run.ts";
import { showSecrets } from "./operator/secrets.ts";
import { SCOPES } from "#core/vocabulary";

const { QUOTA_NAMES } = await import("#core/quotas");
const { defaultLimits } = await import("#services/settings");

const ABOUT = {
  name: "operator",
  takes: "<command>",
  what: `Manages tenants, their keys and quotas, and shows the status of a deployment. It works on the database itself, through wrangler, so that
it needs no key of Parley and helps when the last admin key is lost.

  status                                 runs, failing model providers, deliveries and the maintenance worker, of the whole deployment
  run <run>                              a run: its state, last step, last failure, failing models, open questions and instance
  tenants                                tenants with their keys, runs and quotas
  add-tenant <name>                      makes a tenant, and prints its first admin key
  rename-tenant <tenant> <name>          gives a tenant another name
  delete-tenant <tenant> --confirm <id>  ends a tenant's keys at once; the maintenance worker removes all its data. It cannot be undone
  move-tenant <tenant> --to <database>   moves a tenant to another database; its writes are held meanwhile. It can be repeated after a crash
  keys <tenant>                          keys of a tenant
  add-key <tenant>                       makes a key and prints it
  revoke-key <key>                       ends a key at once
  secrets                                the PARLEY_SECRETs that are set, and what is still sealed under each
  set-quota <tenant> <name>=<number>     overrides a quota of a tenant; <name>=default returns to the deployment's
  quotas <tenant>                        what a tenant uses of its quotas, and its limits
  budgets                                budgets of all tenants, and what live mode has spent this month
  set-budget <tenant> <dollars>          sets the budget of a month; none removes it
  recount <tenant>                       counts what a tenant uses anew, and says which counts were wrong

<tenant> is the id of a tenant, or its name if no other has it.`,
  options: {
    ...TARGET_OPTIONS,
    database: { type: "string", value: "DB_2", help: "add-tenant: by default the one that stores least" },
    to: { type: "string", value: "DB_2", help: "move-tenant: where the tenant goes" },
    hold: { type: "string", value: "SECONDS", default: "900", help: "move-tenant: for which writes may be held" },
    linger: { type: "string", value: "SECONDS", default: "60", help: "move-tenant: until its old rows go" },
    confirm: { type: "string", value: "ID", help: "delete-tenant: the tenant's id" },
    "at-limit": {
      type: "string",
      value: "VERB",
      default: "alarm",
      help: "set-budget: refuse new live runs at 100 %, or only alarm",
    },
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

const time = (ms: number | null) => (ms === null ? "" : minute(new Date(ms).toISOString()));
/** A time in RFC 3339, to the minute. */
const minute = (text: string) => text.slice(0, 16).replace("T", " ");
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
  run: [showRunOf, 1],
  tenants: [tenants, 0],
  "add-tenant": [addTenant, 1],
  "rename-tenant": [renameTenant, 2],
  "delete-tenant": [deleteTenant, 1],
  "move-tenant": [move, 1],
  keys: [keys, 1],
  "add-key": [addKey, 1],
  "revoke-key": [revokeKey, 1],
  secrets: [secrets, 0],
  "set-quota": [setQuota, 2],
  quotas: [quotas, 1],
  budgets: [budgets, 0],
  "set-budget": [setBudget, 2],
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

async function showRunOf(databases: Named[], [id]: string[]) {
  if (!id) throw new UsageError("run needs the id of a run.");
  for (const { name, db } of databases) {
    const shown = await showRun(db, id);
    if (!shown) continue;
    if (databases.length > 1) say(`In ${name}`);
    return say(shown);
  }
  throw new Error(`There is no run ${id}.`);
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
  const providers = await db.query(
    `SELECT o.key AS model, o.value ->> 'code' AS code, COUNT(*) AS runs, MIN(o.value ->> 'since') AS since,
       MIN(o.value ->> 'next_attempt_at') AS next_attempt_at FROM runs, json_each(runs.outages) o
     WHERE phase IN ('queued', 'running') AND outages <> '{}' GROUP BY 1, 2 ORDER BY 4`,
  );
  say("\nModel providers that fail");
  list(
    ["model", "because", "runs that wait", "since", "asked again"],
    providers.map((row) => [row.model, row.code, row.runs, minute(row.since), minute(row.next_attempt_at)]),
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

async function renameTenant(databases: Named[], [tenant, name]: string[]) {
  if (!name?.trim()) throw new UsageError("rename-tenant needs a tenant and its new name.");
  const { db, id, name: former } = await tenantOf(databases, tenant);
  await db.execute(
    `UPDATE tenants SET name = ${sqlValue(name.trim())} WHERE id = ${sqlValue(id)};\n` +
      auditSql({ tenant: id, action: "renameTenant", object_type: "tenant", object_id: id }),
  );
  say(`${former} is now called ${name.trim()} (${id}).`);
}

async function deleteTenant(databases: Named[], [tenant]: string[], { confirm }: Flags) {
  const { db, id, name, is_moving } = await tenantOf(databases, tenant);
  if (confirm !== id) throw new UsageError(`This removes all data of ${name}. Confirm it with --confirm ${id}.`);
  if (is_moving) throw new Error(`${name} is being moved to another database: finish that first.`);
  await db.execute(
    removalSql(id) + auditSql({ tenant: id, action: "deleteTenant", object_type: "tenant", object_id: id }),
  );
  say(
    `${name} (${id}) has no keys any more. The maintenance worker removes its data; when it sleeps, it begins with the next POST to the server.`,
  );
}

async function budgets(databases: Named[]) {
  const rows = (await Promise.all(databases.map(({ db }) => budgetsIn(db)))).flat();
  list(
    ["tenant", "name", "dollars a month", "spent", "%", "at 100 %", "calls without a price"],
    rows.map(({ id, name, amount_usd, spent_usd, at_limit, unpriced_calls }) => [
      id,
      name,
      amount_usd ?? "none",
      spent_usd.toFixed(2),
      amount_usd === null ? "" : Math.floor((spent_usd / amount_usd) * 100),
      at_limit,
      unpriced_calls,
    ]),
  );
}

async function setBudget(databases: Named[], [tenant, amount]: string[], { "at-limit": at_limit }: Flags) {
  const { db, id, name } = await tenantOf(databases, tenant);
  await db.execute(
    budgetSql(id, amount, at_limit) +
      auditSql({ tenant: id, action: "putBudget", object_type: "tenant", object_id: id }),
  );
  say(`${name} (${id}): ${amount === "none" ? "no budget" : `$${amount} a month, ${at_limit} at 100 %`}.`);
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
  const { db, id, name: of } = await tenantOf(databases, tenant);
  say(`${of} (${id})`);
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
  const { db, id, name: of } = await tenantOf(databases, tenant);
  const made = makeKeys(id, [{ name, mode, scopes: chosen, expires_at, workflows: bound }]);
  const entry = { tenant: id, mode, action: "createKey", object_type: "key", object_id: made.ids[0] ?? "" } as const;
  await db.execute(made.sql + auditSql(entry));
  say(`A ${mode} key of ${of} (${id}) with ${chosen.join(", ")}, shown this once:\n\n  ${made.keys[0]}`);
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
  const { db, name } = await tenantOf(databases, tenant);
  await db.execute(
    `UPDATE keys SET revoked_at = COALESCE(revoked_at, ${Date.now()}) WHERE id = ${sqlValue(key)};\n` +
      auditSql({ tenant, mode, action: "revokeKey", object_type: "key", object_id: key }),
  );
  say(`${key} of ${name} is revoked.`);
}

async function setQuota(databases: Named[], [tenant, assignment = ""]: string[]) {
  const [, name, value] = /^(\w+)=(\d{1,15}|default)$/.exec(assignment) ?? [];
  if (!name || ![CONCURRENCY, ...QUOTA_NAMES].includes(name))
    throw new UsageError(
      `set-quota needs <name>=<number> or <name>=default; quotas are ${[CONCURRENCY, ...QUOTA_NAMES].join(", ")}.`,
    );
  const { db, id, name: of } = await tenantOf(databases, tenant);
  await db.execute(
    `${statementFor(sqlValue(id), name, value === "default" || value === undefined ? null : value)}\n` +
      auditSql({ tenant: id, action: "setQuota", object_type: "tenant", object_id: id }),
  );
  say(`${of} (${id}): ${name} is ${value === "default" ? `the default, ${defaultOf(name)}` : value}.`);
}

/** The limit of tenants for which the operator set no other. */
function defaultOf(name: string): number {
  const { max_concurrent_runs, quotas: limits } = defaultLimits(process.env);
  return name === CONCURRENCY ? max_concurrent_runs : limits[name as keyof typeof limits];
}

/** @param value null: the deployment's */
function statementFor(tenant: string, name: string, value: string | null) {
  if (name === CONCURRENCY) return `UPDATE tenants SET ${CONCURRENCY} = ${value ?? "NULL"} WHERE id = ${tenant};`;
  if (value === null) return `DELETE FROM quota_limits WHERE tenant_id = ${tenant} AND quota = '${name}';`;
  return `INSERT INTO quota_limits (tenant_id, quota, most) VALUES (${tenant}, '${name}', ${value})
    ON CONFLICT (tenant_id, quota) DO UPDATE SET most = excluded.most;`;
}

async function quotas(databases: Named[], [tenant]: string[]) {
  const { db, id, name: of } = await tenantOf(databases, tenant);
  const [own] = await db.query(`SELECT ${CONCURRENCY} AS most FROM tenants WHERE id = ${sqlValue(id)}`);
  const [active] = await db.query(
    `SELECT COUNT(*) AS used FROM runs WHERE tenant_id = ${sqlValue(id)} AND phase IN ('queued', 'running') AND queued_at IS NULL
       AND paused = 0 AND open_interactions = 0 AND awaits_children = 0`,
  );
  const usage = await db.query(`SELECT quota, day, used FROM quota_usage WHERE tenant_id = ${sqlValue(id)}`);
  const limits = await db.query(`SELECT quota, most FROM quota_limits WHERE tenant_id = ${sqlValue(id)}`);
  const today = Math.floor(Date.now() / (24 * 60 * 60_000));
  const usedOf = (name: string) =>
    usage.find(({ quota, day }) => quota === name && [0, today].includes(day))?.used ?? 0;
  const limited = QUOTA_NAMES.map((name) => [name, usedOf(name), limits.find(({ quota }) => quota === name)?.most]);
  say(`${of} (${id})`);
  list(
    ["quota", "used", "limit", "set by"],
    [[CONCURRENCY, active?.used, own?.most], ...limited].map(([name, used, most]) => [
      name,
      used,
      most ?? defaultOf(name),
      most === null || most === undefined ? "default" : "operator",
    ]),
  );
  say(
    "Defaults are those of MAX_CONCURRENT_RUNS and QUOTAS in the environment of this command, which should be the server's; unset, they are Parley's.",
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

/** The tenant with this id or name, and its database. */
async function tenantOf(databases: Named[], given: string | undefined) {
  if (!given) throw new UsageError("Name a tenant by its id or its name; `tenants` lists them.");
  const of = sqlValue(given);
  const find = `SELECT id, name, moving_to IS NOT NULL OR moved_from IS NOT NULL AS is_moving FROM tenants WHERE id = ${of} OR name = ${of}`;
  const found = (await Promise.all(databases.map(({ db }) => db.query(find)))).flat();
  const ids = new Set(found.map(({ id }) => id as string));
  if (ids.size > 1 && !ids.has(given))
    throw new Error(`${ids.size} tenants have the name ${given}: use an id, ${[...ids].join(" or ")}.`);
  const id = ids.has(given) ? given : [...ids][0];
  const database = id === undefined ? null : await databaseOfTenant(databases, id);
  if (id === undefined || !database) throw new Error(`There is no tenant ${given}; \`tenants\` lists them.`);
  const rows = found.filter((row) => row.id === id);
  return { id, name: rows[0]!.name as string, is_moving: rows.some(({ is_moving }) => is_moving), db: database.db };
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
