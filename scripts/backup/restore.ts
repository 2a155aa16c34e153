// SQL and not src/store: it writes rows as they are, of every table, while triggers are away.
import type { Database } from "../lib/database.ts";
import type { Bucket } from "./bucket.ts";
import { type Manifest, readLines, tableFile } from "./folder.ts";
import { Inserter, partsTable, RESTORED_PARTS } from "./inserts.ts";
import { uploadObjects } from "./objects.ts";
import { indexing, PASSAGES_INDEX } from "./passages-index.ts";
import { filledTables, hashesOf, schemaOf, type Table } from "./tables.ts";

/** Vectors in Vectorize are not in a backup: their passages are embedded again. */
export const EMBED_AGAIN = `
UPDATE documents SET status = 'embedding' WHERE status = 'ready'
  AND id IN (SELECT document_id FROM passages WHERE embedded = 1 AND vector IS NULL) AND EXISTS (
    SELECT 1 FROM pools p JOIN corpora c ON c.id = p.id WHERE p.number = documents.pool AND c.embedding_model IS NOT NULL);
UPDATE corpora SET due_at = 0 WHERE due_at IS NULL
  AND id IN (SELECT p.id FROM pools p JOIN documents d ON d.pool = p.number AND d.status = 'embedding');
UPDATE passages SET embedded = 0 WHERE embedded = 1 AND vector IS NULL;
UPDATE pools SET embedded = (SELECT COUNT(*) FROM passages WHERE pool = pools.number AND embedded = 1);
`;

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

/**
 * Restores a backup into an empty database with all migrations, and into a bucket. Triggers are away meanwhile, so that they write nothing of
 * their own; the full-text index is made again from the passages.
 */
export async function restore({
  db,
  bucket,
  folder,
  manifest,
  say,
  last = "",
}: {
  db: Database;
  bucket: Bucket;
  folder: string;
  /** of the backup */
  manifest: Manifest;
  say: (text: string) => void;
  /** SQL that is executed at the end */
  last?: string;
}) {
  await expectEmpty(db);
  const { tables, migrations, triggers } = await schemaOf(db);
  expectMigrations(migrations, manifest);
  say(`Writing ${manifest.objects} objects …`);
  await uploadObjects(folder, bucket);

  say("Writing rows, and the full-text index …");
  try {
    await writeRows({ db, folder, manifest, tables, migrations, triggers, last });
  } catch (error) {
    const message =
      "The restore is not finished, and the database has no triggers: delete it, and begin again with a new one.";
    throw new Error(`${(error as Error).message}\n${message}`, { cause: error });
  }
}

async function writeRows({
  db,
  folder,
  manifest,
  tables,
  triggers,
  last,
}: Awaited<ReturnType<typeof schemaOf>> & { db: Database; folder: string; manifest: Manifest; last: string }) {
  const inserter = new Inserter(db, partsTable() + triggers.map(({ name }) => `DROP TRIGGER ${name};\n`).join(""));
  for (const { name, columns } of tables)
    for await (const row of readLines(tableFile(folder, name))) await inserter.add(name, columns, row);
  await indexPassages(folder, inserter);
  await inserter.send();
  await expectRows(db, tables, manifest);
  const end = `${EMBED_AGAIN}${WAKE_MAINTENANCE}DROP TABLE ${RESTORED_PARTS};\n`;
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
