import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BUCKET, DATABASE, OBJECTS } from "../../src/node/data-folder.ts";
import type { Migration } from "../../src/node/migrate.ts";
import { namingDamage } from "../../src/node/sqlite-errors.ts";
import { referenced } from "../backup/objects.ts";
import { schemaOf } from "../backup/tables.ts";
import { isKeysMigration, keysMigration, keysOfState } from "../lib/local-keys.ts";
import { sqliteDatabase } from "../lib/sqlite-database.ts";

export const KEYS = "keys.json";

const RESTORE = "Restore the folder from a backup (docs/node.md, Restore)";

/**
 * Makes the folder when it is missing, and checks that a server may start from it, before anything in it is changed.
 * @param migrations those that this version knows, without that of the keys
 * @param secretIsGiven PARLEY_SECRET is set, so that a lost keys.json can be made anew
 * @throws Error with the file and the remedy, when it cannot be written, when files of it are missing, or when a newer version has served it
 */
export async function checkFolder(
  data: string,
  migrations: readonly Migration[],
  secretIsGiven: boolean,
): Promise<void> {
  assertWritable(data);
  const [database, keys, bucket] = [DATABASE, KEYS, BUCKET].map((name) => join(data, name)) as [string, string, string];
  const applied = appliedMigrations(database);
  if (applied.length === 0) {
    // The bucket is made when the database is on the disk: without one, the first start was interrupted.
    if (existsSync(bucket)) throw new Error(`${database} is missing or empty beside ${bucket}. ${RESTORE}.`);
    return;
  }
  const known = new Set(migrations.map(([name]) => name));
  const unknown = applied.find((name) => !known.has(name) && !isKeysMigration(name));
  if (unknown)
    throw new Error(
      `${database} was served by a newer version of Parley: this version does not know its migration ${unknown}. Start the newer version, or a copy of the folder from before the upgrade.`,
    );
  if (!secretIsGiven) assertOurKeys(keys, applied, database);
  if (!existsSync(bucket) && (await countObjects(database)) > 0)
    throw new Error(`${bucket} is missing, and ${database} refers to objects in it. ${RESTORE}.`);
}

/** The database has the keys of keys.json. */
function assertOurKeys(keys: string, applied: readonly string[], database: string): void {
  const remedy = `Put back the ${KEYS} of this folder, from a backup. If it is lost, set PARLEY_SECRET: to the old secret if you have it, or to a new one, which gives up open callback URLs and sealed secrets.`;
  if (!existsSync(keys)) throw new Error(`${keys} is missing beside ${database}. ${remedy}`);
  if (!applied.includes(keysMigration(keysOfState(keys))[0]))
    throw new Error(`${keys} belongs to another database than ${database}. ${remedy}`);
}

/** Names of the migrations that a database has; none: it is missing or empty. */
function appliedMigrations(file: string): string[] {
  if (!statSync(file, { throwIfNoEntry: false })?.size) return [];
  const database = new DatabaseSync(file, { timeout: 10_000 });
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'").get();
    if (!table) return [];
    return database
      .prepare("SELECT name FROM d1_migrations")
      .all()
      .map(({ name }) => String(name));
  } catch (error) {
    throw namingDamage(database, error);
  } finally {
    database.close();
  }
}

async function countObjects(file: string): Promise<number> {
  const db = sqliteDatabase(file);
  try {
    return (await referenced(db, (await schemaOf(db)).tables)).length;
  } finally {
    db.release();
  }
}

function assertWritable(data: string): void {
  const attempt = (path: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const remedy =
        code === "EROFS"
          ? "Its file system is mounted read-only."
          : `Give it to the user of the server (chown -R ${process.getuid?.()} ${data}).`;
      throw new Error(`${path} cannot be read and written (${code}). ${remedy}`, { cause: error });
    }
  };
  attempt(data, () => {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const probe = join(data, "write-check");
    writeFileSync(probe, "x");
    rmSync(probe);
  });
  for (const name of [KEYS, "lock", DATABASE, BUCKET, OBJECTS]) {
    const path = join(data, name);
    if (existsSync(path)) attempt(path, () => accessSync(path, constants.R_OK | constants.W_OK));
  }
}
