// SQL and not src/store: it writes rows as they are, of every table, while triggers are away.
import type { Database } from "../lib/database.ts";
import type { Bucket } from "./bucket.ts";
import { type Manifest, readLines, tableFile } from "./folder.ts";
import { Inserter, partsTable, RESTORED_PARTS } from "./inserts.ts";
import { uploadObjects } from "./objects.ts";
import { indexing, PASSAGES_INDEX } from "./passages-index.ts";
import { filledTables, hashesOf, schemaOf, type Table } from "./tables.ts";

/**
 * SQL: passages whose vectors are in Vectorize are embedded again, because these are not copied.
 * @param pools condition of the pools
 */
export const embeddingAgain = (pools = "TRUE") => {
  const chosen = `SELECT number FROM pools WHERE ${pools}`;
  const without = `pool IN (${chosen}) AND embedded = 1 AND vector IS NULL`;
  return `
UPDATE documents SET status = 'embedding' WHERE status = 'ready' AND id IN (SELECT document_id FROM passages WHERE ${without}) AND EXISTS (
  SELECT 1 FROM pools p JOIN corpora c ON c.id = p.id WHERE p.number = documents.pool AND c.embedding_model IS NOT NULL);
UPDATE corpora SET due_at = 0 WHERE due_at IS NULL
  AND id IN (SELECT p.id FROM pools p JOIN documents d ON d.pool = p.number WHERE p.number IN (${chosen}) AND d.status = 'embedding');
UPDATE passages SET embedded = 0 WHERE ${without};
UPDATE pools SET embedded = (SELECT COUNT(*) FROM passages WHERE pool = pools.number AND embedded = 1) WHERE ${pools};
`;
};

/** The next maintenance pass was due a day ago: the first `GET /healthz` wakes the maintenance worker, which creates the instances of the runs. */
const WAKE_MAINTENANCE = `
INSERT OR REPLACE INTO maintenance_pass (id, started_at, ended_at, lag_ms, remaining, failed, next_at)
SELECT 1, now, now, 0, '[]', '[]', now FROM (SELECT (unixepoch() - 86400) * 1000 AS now);
`;

/** Throws when there is a row of ours in a database. */
export async function expectEmpty(db: Database) {
  const filled = await filledTables(db);
  if (filled.length > 0)
    throw new Error(`The database is not empty (${filled.join(", ")}): a backup is restored into a new one only.`);
}

interface Restoring {
  db: Database;
  bucket: Bucket;
  folder: string;
  /** of the backup */
  manifest: Manifest;
  say: (text: string) => void;
  /** SQL that is executed at the end */
  last?: string;
}

/**
 * Restores a backup into an empty database with all migrations, and into a bucket. Triggers are away meanwhile, so that they write nothing of
 * their own; the full-text index is made again from the passages.
 */
export async function restore(options: Restoring) {
  const { db, bucket, folder, manifest, say } = options;
  await expectEmpty(db);
  const schema = await schemaOf(db);
  expectMigrations(schema.migrations, manifest);
  say(`Writing ${manifest.objects} objects …`);
  await uploadObjects(folder, bucket);

  say("Writing rows, and the full-text index …");
  try {
    await writeRows(options, schema);
  } catch (error) {
    const message =
      "The restore is not finished, and the database has no triggers: delete it, and begin again with a new one.";
    throw new Error(`${(error as Error).message}\n${message}`, { cause: error });
  }
}

type Schema = Awaited<ReturnType<typeof schemaOf>>;

async function writeRows({ db, folder, manifest, last = "" }: Restoring, { tables, triggers }: Schema) {
  const inserter = new Inserter(db, partsTable() + triggers.map(({ name }) => `DROP TRIGGER ${name};\n`).join(""));
  for (const { name, columns } of tables)
    for await (const row of readLines(tableFile(folder, name))) await inserter.add(name, columns, row);
  await indexPassages(folder, inserter);
  await inserter.send();
  await expectRows(db, tables, manifest);
  const end = `${embeddingAgain()}${WAKE_MAINTENANCE}DROP TABLE ${RESTORED_PARTS};\n`;
  await db.execute(end + triggers.map(({ sql }) => `${sql};\n`).join("") + last);
}

/**
 * Throws when a backup was taken after other migrations.
 * @param ours names of the migrations, of the database or of this version of Parley
 */
export function expectMigrations(ours: string[], { migrations, version }: Manifest) {
  if (ours.join() === migrations.join()) return;
  throw new Error(
    `The backup was taken after migration ${migrations.at(-1)} (Parley ${version}), and this version of Parley ends with ${ours.at(-1)}: restore with the version that took the backup, and upgrade then.`,
  );
}

async function indexPassages(folder: string, inserter: Inserter) {
  const index = indexing();
  for (const table of ["documents", "passages"])
    for await (const row of readLines(tableFile(folder, table))) {
      const entry = index(table, row);
      if (entry) await inserter.add(PASSAGES_INDEX.name, PASSAGES_INDEX.columns, entry);
    }
}

/** The first tenant of a backup that is not being removed; null: there is none. */
export async function firstTenant(folder: string): Promise<string | null> {
  const rows = await Array.fromAsync(readLines(tableFile(folder, "tenants")));
  return (
    rows.filter(({ removed_at }) => removed_at === null).sort((a, b) => a.created_at - b.created_at)[0]?.id ?? null
  );
}

/** The rows are read again, and must give the files of the backup. */
async function expectRows(db: Database, tables: Table[], { sha256 }: Manifest) {
  for (const [name, hash] of await hashesOf(db, tables))
    if (hash !== sha256[`tables/${name}.ndjson`])
      throw new Error(`The rows of ${name} are not those of the backup. Report this.`);
}
