import type { Database } from "../lib/database.ts";
import type { Bucket } from "./bucket.ts";
import { appendLines, makeFolder, type Manifest, tableFile, writeManifest } from "./folder.ts";
import { holdWrites, releaseWrites } from "./hold.ts";
import { ObjectCopier } from "./objects.ts";
import { readTables, schemaOf, type Table } from "./tables.ts";

/**
 * Copies a database and the objects that it refers to into a folder, as they are at one moment. Objects are copied before that moment, because
 * they do not change; then writes are held, while the tables and the newest objects are read.
 */
export async function backUp(options: {
  db: Database;
  bucket: Bucket;
  /** must not exist, or be empty */
  folder: string;
  /** of Parley */
  version: string;
  /** longest time that writes may be held, in milliseconds */
  hold: number;
  say: (text: string) => void;
}): Promise<Omit<Manifest, "format" | "sha256">> {
  const { db, bucket, folder, version, hold, say } = options;
  makeFolder(folder);
  const { tables, migrations } = await schemaOf(db);
  const copier = new ObjectCopier(folder, bucket);
  say("Copying objects of R2 …");
  await copier.copyReferenced(db, tables);

  say(`Holding writes for at most ${hold / 1000} s: reads are answered, writes wait or get 503 …`);
  const counts = Object.fromEntries(tables.map(({ name }) => [name, 0]));
  const { held, ...read } = await whileHeld(db, tables, hold, async () => {
    const taken_at = new Date().toISOString();
    for (const { name } of tables) appendLines(tableFile(folder, name), []);
    await readTables(db, tables, ({ name }, rows) => {
      appendLines(tableFile(folder, name), rows);
      counts[name] = (counts[name] ?? 0) + rows.length;
    });
    const { count, invalid } = await copier.finish(tables);
    return { taken_at, objects: count, invalid };
  });
  say(`Writes were held for ${(held / 1000).toFixed(1)} s.`);
  const manifest = { version, migrations, tables: counts, ...read };
  await writeManifest(folder, manifest);
  return manifest;
}

/** @throws Error when a write may have come between */
async function whileHeld<T extends object>(db: Database, tables: Table[], hold: number, read: () => Promise<T>) {
  const startedAt = Date.now();
  try {
    const { isUnbroken } = await holdWrites(db, tables, hold);
    const result = await read();
    if (!(await isUnbroken()))
      throw new Error(
        `The backup took longer than writes may be held (${hold / 1000} s), or another one ended the hold: give it more time with --hold <seconds>. This folder holds no backup.`,
      );
    return { ...result, held: Date.now() - startedAt };
  } finally {
    await releaseWrites(db);
  }
}
