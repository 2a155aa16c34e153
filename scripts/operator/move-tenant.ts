// SQL and not src/store: it copies rows as they are, of every table, and drops and makes triggers.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Named, Row } from "../lib/database.ts";
import { holdWrites, releaseWrites } from "../backup/hold.ts";
import { type Column, Inserter, partsTable } from "../backup/inserts.ts";
import { indexing, PASSAGES_INDEX } from "../backup/passages-index.ts";
import { embeddingAgain } from "../backup/restore.ts";
import { hashesOf, readTables, schemaOf, type Table } from "../backup/tables.ts";
import { sqlValue } from "../lib/sql.ts";
import { isOf, NUMBERS, tenantTables } from "./tenant-rows.ts";

/** Rows that one statement deletes from the old database. */
const DELETION_PAGE = 2000;

/** A tenant, and where it goes. */
interface Move {
  source: Named;
  target: Named;
  /** id */
  tenant: string;
}

interface Options extends Move {
  /** longest time that writes are held before the tenant is in the target */
  hold_ms: number;
  linger_ms: number;
  say: (text: string) => void;
}

/** A table, with the condition of the tenant's rows. */
type TenantTable = Table & { where: string };

/**
 * Moves a tenant to another database of the deployment. Its writes are held meanwhile: they wait or get 503. Its rows are copied into tables of their own in
 * the target, compared, and put in their places in one transaction; from then on the Worker finds the tenant there (src/store/placement.ts). The
 * rows of the source are deleted after `linger_ms`, when no work that began before looks for them any more. It can be killed at any point and repeated.
 */
export async function moveTenant(options: Options) {
  const { source, target, tenant, say } = options;
  const tables = await checkedTables(options);
  if (await serves(target.db, tenant)) say(`${tenant} is in ${target.name}; its rows in ${source.name} are left.`);
  else await copyAndSwitch(options, tables);
  say(`Waiting ${options.linger_ms / 1000} s for what began before …`);
  await sleep(options.linger_ms);
  say(`Deleting its rows in ${source.name} …`);
  await deleteRows(source.db, tenant, tables);
  await forgetSource(options);
}

/** Ends a move whose source has no rows any more: a removed tenant may now be deleted in the target. */
export const forgetSource = ({ target, tenant }: Pick<Move, "target" | "tenant">) =>
  target.db.execute(`UPDATE tenants SET moved_from = NULL WHERE id = ${sqlValue(tenant)};`);

/** Ends what a killed or failed move left before its switch. */
export async function cancelMove({ source, target, tenant }: Move) {
  if (!(await preventSwitch(target.db, tenant))) return;
  const mark = `UPDATE tenants SET moving_to = NULL, held_until = NULL WHERE id = ${sqlValue(tenant)};\n`;
  await releaseWrites(source.db, holdsOf(tenant), mark);
}

/**
 * Removes the copies from which another move, which may still be under way, would put rows in place: its transaction then fails. Only after
 * that may a hold be released, or that move would miss what is written.
 * @returns false: the tenant has been put in place already
 */
async function preventSwitch(db: Database, tenant: string): Promise<boolean> {
  await db.execute(await droppingShadows(db, tenant));
  return !(await serves(db, tenant));
}

/** Begins the names of the triggers of all moves. Those of other tenants' moves, which may change at any moment, are left as they are. */
const HOLDS = "move_holds_";
const holdsOf = (tenant: string) => `${HOLDS}${tenant}_`;
const shadowOf = (tenant: string, table: string) => `moved_${tenant}_${table}`;

/** Whether the tenant is in a database, and not about to leave it. */
async function serves(db: Database, tenant: string) {
  return (await db.query(`SELECT 1 FROM tenants WHERE id = ${sqlValue(tenant)} AND moving_to IS NULL`)).length > 0;
}

/**
 * The tenant's tables.
 * @throws Error when it cannot be moved now
 */
async function checkedTables({ source, target, tenant }: Move): Promise<TenantTable[]> {
  const [ours, theirs] = await Promise.all([schemaOf(source.db), schemaOf(target.db)]);
  if (ours.migrations.join() !== theirs.migrations.join())
    throw new Error(`${source.name} and ${target.name} have different migrations: deploy again, which applies them.`);
  const [row] = await source.db.query(`SELECT removed_at FROM tenants WHERE id = ${sqlValue(tenant)}`);
  if (row?.removed_at !== null) throw new Error(`${tenant} is being removed.`);
  return tenantTables(ours.tables).map((table) => ({ ...table, where: isOf(table.name, tenant) }));
}

/** A row must not come to where the maintenance worker has sealed everything again already, under a secret that will go. */
async function expectSealed(databases: Named[]) {
  const seals = await Promise.all(databases.map(({ db }) => db.query("SELECT keys, position FROM resealing")));
  const states = seals.map(([seal]) => ({
    ids:
      seal &&
      JSON.parse(seal.keys)
        .map(({ id }: Row) => id)
        .join(),
    done: seal?.position === null,
  }));
  if (states.every(({ ids, done }) => done && ids === states[0]?.ids)) return;
  throw new Error(
    "The maintenance worker has not sealed all secrets under the same PARLEY_SECRET yet, as `secrets` shows: any POST wakes it. Move the tenant a minute later.",
  );
}

async function copyAndSwitch(options: Options, tables: TenantTable[]) {
  const { source, target, tenant, hold_ms, say } = options;
  const hold = {
    prefix: holdsOf(tenant),
    conditionOf: (table: string, row: "NEW" | "OLD") => isOf(table, tenant, row),
    markOf: (until: number) =>
      `UPDATE tenants SET moving_to = ${sqlValue(target.name)}, held_until = ${until} WHERE id = ${sqlValue(tenant)};\n`,
  };
  await expectSealed([source, target]);
  if (!(await preventSwitch(target.db, tenant))) return;
  try {
    const since = Date.now();
    const timed = await holdWrites(source.db, tables, hold_ms, hold);
    say(`Writes of ${tenant} are held. Copying …`);
    const rows = await copyRows({ source, target, tenant }, tables);
    if (!(await timed.isUnbroken())) throw tooLong(hold_ms);
    const lasting = await holdWrites(source.db, tables, Infinity, hold);
    const [clock] = await source.db.query("SELECT unixepoch('subsec') * 1000 AS now");
    if (clock?.now >= timed.until) throw tooLong(hold_ms);
    await expectSealed([source, target]);
    await checkedTables(options); // a deployment or a new PARLEY_SECRET may have come meanwhile, or the end of the tenant before the hold
    if (!(await lasting.isUnbroken())) throw new Error("The hold was broken, and the tenant stays where it is.");
    await putInPlace(options, tables);
    const seconds = ((Date.now() - since) / 1000).toFixed(1);
    say(`${rows} rows are in ${target.name}, which serves the tenant now. Writes were held for ${seconds} s.`);
  } catch (error) {
    if (await serves(target.db, tenant)) return; // only the answer was lost
    await cancelMove({ source, target, tenant });
    throw error;
  }
}

const tooLong = (hold_ms: number) =>
  new Error(
    `Copying took longer than writes may be held (${hold_ms / 1000} s), and the tenant stays where it is: give it more time with --hold <seconds>.`,
  );

/**
 * Copies the tenant's rows into tables of their own, and compares them.
 * @returns how many there are
 */
async function copyRows({ source, target, tenant }: Move, tables: TenantTable[]): Promise<number> {
  const shadows = [...tables, PASSAGES_INDEX].map(({ name, columns }) => ({
    name: shadowOf(tenant, name),
    columns,
    key: null,
  }));
  const parts = shadowOf(tenant, "parts_of_texts");
  const creating = shadows.map(
    ({ name, columns }) => `CREATE TABLE ${name} (${columns.map((column) => `"${column.name}"`).join(", ")});\n`,
  );
  await target.db.execute((await droppingShadows(target.db, tenant)) + partsTable(parts) + creating.join(""));
  const renumbered = await renumbering(source.db, target.db, tenant);
  const index = indexing();
  const inserter = new Inserter(target.db, "", parts);
  const hashes = new Map(shadows.map(({ name }) => [name, createHash("sha256")]));
  let count = 0;
  const insert = async ({ name, columns }: { name: string; columns: Column[] }, row: Row) => {
    const shadow = shadowOf(tenant, name);
    hashes.get(shadow)?.update(`${JSON.stringify(row)}\n`);
    await inserter.add(shadow, columns, row);
  };
  for (const table of tables) {
    await readTables(source.db, [table], async (_, rows) => {
      count += rows.length;
      for (const row of rows) {
        const copy = renumbered(
          table.name,
          table.name === "tenants" ? { ...row, moving_to: null, held_until: null, moved_from: null } : row,
        );
        await insert(table, copy);
        const entry = index(table.name, copy);
        if (entry) await insert(PASSAGES_INDEX, entry);
      }
    });
  }
  await inserter.send();
  const copied = await hashesOf(target.db, shadows);
  for (const [name, hash] of hashes)
    if (hash.digest("hex") !== copied.get(name))
      throw new Error(`The copy of ${name} differs, and the tenant stays where it is. Report this.`);
  return count;
}

/**
 * Reserves numbers in the target.
 * @returns a function that gives a row its numbers there
 */
async function renumbering(source: Database, target: Database, tenant: string) {
  const maps = new Map<string, Map<number, number>>();
  for (const [table, column] of Object.entries(NUMBERS)) {
    const where = isOf(table, tenant);
    const old = await source.query(`SELECT ${column} AS number FROM ${table} WHERE ${where} ORDER BY ${column}`);
    await target.execute(
      `INSERT INTO sqlite_sequence (name, seq) SELECT '${table}', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '${table}');`,
    );
    // One statement: others take numbers at the same time.
    const [row] = await target.query(
      `UPDATE sqlite_sequence SET seq = seq + ${old.length} WHERE name = '${table}' RETURNING seq`,
    );
    maps.set(table, new Map(old.map(({ number }, at) => [number, row?.seq - old.length + 1 + at])));
  }
  const pooled = (row: Row): Row => ({ ...row, pool: maps.get("pools")?.get(row.pool) });
  return (table: string, row: Row): Row => {
    const number = NUMBERS[table];
    const own = number ? { ...row, [number]: maps.get(table)?.get(row[number]) } : row;
    return table === "documents" || table === "passages" ? pooled(own) : own;
  };
}

async function droppingShadows(db: Database, tenant: string) {
  const names = await db.query(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '${shadowOf(tenant, "*")}'`,
  );
  return names.map(({ name }) => `DROP TABLE ${name};\n`).join("");
}

/** One transaction; triggers are away in it, so that they write nothing of their own. */
async function putInPlace({ source, target: { db }, tenant }: Move, tables: Table[]) {
  const triggers = (await schemaOf(db)).triggers.filter(({ name }) => !name.startsWith(HOLDS));
  const inserting = [...tables, PASSAGES_INDEX].map(({ name, columns }) => {
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    return `INSERT INTO ${name} (${names}) SELECT ${names} FROM ${shadowOf(tenant, name)} ORDER BY rowid;\n`;
  });
  await db.execute(
    [
      "PRAGMA defer_foreign_keys = on;\n",
      ...triggers.map(({ name }) => `DROP TRIGGER ${name};\n`),
      ...inserting,
      `UPDATE tenants SET moved_from = ${sqlValue(source.name)} WHERE id = ${sqlValue(tenant)};\n`,
      // Vectors in Vectorize stand in the namespaces of the old database.
      embeddingAgain(`tenant_id = ${sqlValue(tenant)}`),
      await droppingShadows(db, tenant),
      ...triggers.map(({ sql }) => `${sql};\n`),
    ].join(""),
  );
}

/** SQL: a trigger is not of another tenant's move. */
const notOfOthers = (tenant: string) => `(name NOT GLOB '${HOLDS}*' OR name GLOB '${holdsOf(tenant)}*')`;

/** Deletes the tenant's rows in pages, its own row at the end; triggers of a table are away while its rows are deleted. */
async function deleteRows(db: Database, tenant: string, tables: TenantTable[]) {
  for (const { name, key, where } of tables.toReversed()) {
    if (name === "tenants") continue;
    const triggers = await db.query(
      `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '${name}' AND ${notOfOthers(tenant)}`,
    );
    const id = key ? `(${key.join(", ")})` : "rowid";
    const page = `SELECT ${key?.join(", ") ?? "rowid"} FROM ${name} WHERE ${where} LIMIT ${DELETION_PAGE}`;
    const deleting = [
      "PRAGMA defer_foreign_keys = on;\n",
      ...triggers.map((trigger) => `DROP TRIGGER ${trigger.name};\n`),
      name === "passages" ? `DELETE FROM passages_index WHERE rowid IN (${page});\n` : "",
      `DELETE FROM ${name} WHERE ${id} IN (${page});\n`,
      ...triggers.map(({ sql }) => `${sql};\n`),
    ].join("");
    while ((await db.query(`SELECT 1 FROM ${name} WHERE ${where} LIMIT 1`)).length > 0) await db.execute(deleting);
  }
  const holds = await db.query(
    `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB '${holdsOf(tenant)}*'`,
  );
  const others = await db.query(
    `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'tenants' AND name NOT GLOB '${HOLDS}*'`,
  );
  await db.execute(
    [
      ...[...holds, ...others].map(({ name }) => `DROP TRIGGER ${name};\n`),
      `DELETE FROM tenants WHERE id = ${sqlValue(tenant)};\n`,
      ...others.map(({ sql }) => `${sql};\n`),
    ].join(""),
  );
}
