import "../lib/typescript.mjs";
import { createHash } from "node:crypto";
import { readLines, tableFile } from "./folder.mjs";
import { Inserter, RESTORED_PARTS, partsTable } from "./inserts.mjs";
import { uploadObjects } from "./objects.mjs";
import { filledTables, readTables, schemaOf } from "./tables.mjs";

const { passageTerms } = await import("#retrieval/terms");
const { inPool } = await import("#store/bm25");

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

/** The keeper's next round was due a day ago: the first `GET /healthz` wakes the keeper, which creates the instances of the runs. */
const WAKE_KEEPER = `
INSERT OR REPLACE INTO keeper_round (id, started_at, ended_at, lag_ms, remaining, failed, next_at)
SELECT 1, now, now, 0, '[]', '[]', now FROM (SELECT (unixepoch() - 86400) * 1000 AS now);
`;

/** Throws when there is a row of ours in a database. */
export async function expectEmpty(db) {
  const filled = await filledTables(db);
  if (filled.length > 0)
    throw new Error(`The database is not empty (${filled.join(", ")}): a backup is restored into a new one only.`);
}

/**
 * Restores a backup into an empty database with all migrations, and into a bucket. Triggers are away meanwhile, so that they write nothing of
 * their own; the full-text index is made again from the passages.
 * @param {object} options
 * @param {import("../lib/database.mjs").Database} options.db
 * @param {import("./bucket.mjs").Bucket} options.bucket
 * @param {string} options.folder
 * @param {import("./folder.mjs").Manifest} options.manifest of the backup
 * @param {(text: string) => void} options.say
 * @param {string} [options.last] SQL that is executed at the end
 */
export async function restore({ db, bucket, folder, manifest, say, last = "" }) {
  await expectEmpty(db);
  const { tables, migrations, triggers } = await schemaOf(db);
  expectMigrations(migrations, manifest);
  say(`Writing ${manifest.objects} objects …`);
  await uploadObjects(folder, bucket);

  say("Writing rows, and the full-text index …");
  try {
    await writeRows({ db, folder, manifest, tables, triggers, last });
  } catch (error) {
    const message =
      "The restore is not finished, and the database has no triggers: delete it, and begin again with a new one.";
    throw new Error(`${error.message}\n${message}`, { cause: error });
  }
}

async function writeRows({ db, folder, manifest, tables, triggers, last }) {
  const inserter = new Inserter(db, partsTable() + triggers.map(({ name }) => `DROP TRIGGER ${name};\n`).join(""));
  for (const { name, columns } of tables)
    for await (const row of readLines(tableFile(folder, name))) await inserter.add(name, columns, row);
  await indexPassages(folder, inserter);
  await inserter.send();
  await expectRows(db, tables, manifest);
  const end = `${EMBED_AGAIN}${WAKE_KEEPER}DROP TABLE ${RESTORED_PARTS};\n`;
  await db.execute(end + triggers.map(({ sql }) => `${sql};\n`).join("") + last);
}

/**
 * Throws when a backup was taken after other migrations.
 * @param {string[]} ours names of the migrations, of the database or of this version of Parley
 * @param {import("./folder.mjs").Manifest} manifest
 */
export function expectMigrations(ours, { migrations, version }) {
  if (ours.join() === migrations.join()) return;
  throw new Error(
    `The backup was taken after migration ${migrations.at(-1)} (Parley ${version}), and this version of Parley ends with ${ours.at(-1)}: restore with the version that took the backup, and upgrade then.`,
  );
}

async function indexPassages(folder, inserter) {
  const documents = new Map();
  for await (const { id, title, source, language, jurisdiction } of readLines(tableFile(folder, "documents")))
    documents.set(id, { title, source, language, jurisdiction });
  const columns = [{ name: "rowid" }, { name: "head" }, { name: "body" }];
  for await (const { id, pool, document_id, heading, text } of readLines(tableFile(folder, "passages"))) {
    const document = documents.get(document_id);
    if (!document) continue; // removed, and the passage is about to be
    const { head, body } = passageTerms(document, heading, text);
    await inserter.add("passages_index", columns, { rowid: id, head: inPool(pool, head), body: inPool(pool, body) });
  }
}

/** The first tenant of a backup that is not being removed; null: there is none. */
export async function firstTenant(folder) {
  const rows = await Array.fromAsync(readLines(tableFile(folder, "tenants")));
  return (
    rows.filter(({ removed_at }) => removed_at === null).sort((a, b) => a.created_at - b.created_at)[0]?.id ?? null
  );
}

/** The rows are read again, and must give the files of the backup. */
async function expectRows(db, tables, { sha256 }) {
  const hashes = new Map(tables.map(({ name }) => [name, createHash("sha256")]));
  await readTables(db, tables, ({ name }, rows) => {
    for (const row of rows) hashes.get(name)?.update(`${JSON.stringify(row)}\n`);
  });
  for (const [name, hash] of hashes)
    if (hash.digest("hex") !== sha256[`tables/${name}.ndjson`])
      throw new Error(`The rows of ${name} are not those of the backup. Report this.`);
}
