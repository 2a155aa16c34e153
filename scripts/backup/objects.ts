import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Database } from "../lib/database.ts";
import type { Table } from "./tables.ts";
import type { Bucket } from "./bucket.ts";
import { parallel } from "../lib/parallel.ts";
import { sqlValue } from "../lib/sql.ts";
import { appendLines, hashOf, objectFile, objectList, readLines, tableFile } from "./folder.ts";

/** Columns with the key of an object in R2, in any table. */
const KEY_COLUMN = /^(input|options|content|body|archive)_key$/;
/** Wranglers at the same time. */
const CONCURRENCY = 4;
const PAGE = 5000;

/**
 * The columns that refer to objects. An upload's lines are read once, and then removed.
 * @returns `hasHash`: `sha256` of the row is that of the object
 */
export const references = (tables: Table[]): { table: string; column: string; where: string; hasHash: boolean }[] =>
  tables.flatMap(({ name, columns }) =>
    columns
      .filter((column) => KEY_COLUMN.test(column.name) || (name === "uploads" && column.name === "key"))
      .map((column) => ({
        table: name,
        column: column.name,
        where: name === "uploads" ? "read_at IS NULL" : `${column.name} IS NOT NULL`,
        hasHash: column.name === "content_key",
      })),
  );

/** Keys of the objects that rows refer to now, read in rounds: a page of each column that has more. */
export async function referenced(db: Database, tables: Table[]) {
  const keys: string[] = [];
  let open = references(tables).map((reference) => ({ reference, after: "" }));
  while (open.length > 0) {
    const pages = await db.queryAll(
      open.map(
        ({ reference: { table, column, where }, after }) =>
          `SELECT DISTINCT ${column} AS key FROM ${table} WHERE ${where} AND ${column} > ${sqlValue(after)} ORDER BY 1 LIMIT ${PAGE}`,
      ),
    );
    keys.push(...pages.flatMap((rows) => rows.map(({ key }) => key)));
    open = open.flatMap(({ reference }, at) => {
      const rows = pages[at] ?? [];
      return rows.length === PAGE ? [{ reference, after: rows.at(-1)?.key }] : [];
    });
  }
  return keys;
}

/** The objects to which the archived rows of a run refer: contents of artifacts that are too large for a row (src/store/archive/format.ts). */
function objectsInArchive(file: string): { key: string; sha256: string }[] {
  const [, ...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  return lines.flatMap((line) => {
    const [, { content_key: key, sha256 }] = JSON.parse(line);
    return key ? [{ key, sha256 }] : [];
  });
}

/** Copies objects into the folder of a backup, each once: an object never changes while a row refers to it. */
export class ObjectCopier {
  /** SHA-256 by key; null: there is no such object */
  copied: Map<string, string | null> = new Map();
  readonly folder: string;
  readonly bucket: Bucket;

  constructor(folder: string, bucket: Bucket) {
    this.folder = folder;
    this.bucket = bucket;
  }

  /** Copies the objects that rows refer to now. */
  async copyReferenced(db: Database, tables: Table[]) {
    await this.copy(await referenced(db, tables));
  }

  async copy(keys: string[]) {
    const missing = keys.filter((key) => !this.copied.get(key));
    let number = 0;
    const one = async (key: string) => {
      const file = join(this.folder, "objects", `new-${number++}`);
      const exists = await this.bucket.download(key, file);
      const sha256 = exists ? await hashOf(file) : null;
      if (sha256 !== null) renameSync(file, objectFile(this.folder, sha256));
      this.copied.set(key, sha256);
    };
    await parallel(missing, one, CONCURRENCY);
  }

  /**
   * Copies what is still missing of the objects that the stored rows refer to, those in archives of runs included, lists them, and removes the
   * files of others.
   * @returns `invalid`: keys of objects that are missing, or are not what their row says
   */
  async finish(tables: Table[]): Promise<{ count: number; invalid: string[] }> {
    const expected = new Map<string, string | null>();
    const archives: string[] = [];
    for (const { table, column, hasHash } of references(tables))
      for await (const row of readLines(tableFile(this.folder, table)))
        if (row[column] !== null && (table !== "uploads" || row.read_at === null))
          if (column === "archive_key") archives.push(row[column]);
          else expected.set(row[column], hasHash ? row.sha256 : null);
    await this.copy(archives);
    for (const key of archives) {
      expected.set(key, key.slice(key.lastIndexOf("-") + 1));
      const sha256 = this.copied.get(key);
      if (sha256)
        for (const inner of objectsInArchive(objectFile(this.folder, sha256))) expected.set(inner.key, inner.sha256);
    }
    await this.copy([...expected.keys()]);
    const found = [...expected.keys()].filter((key) => this.copied.get(key));
    appendLines(
      objectList(this.folder),
      found.map((key) => ({ key, sha256: this.copied.get(key) })),
    );
    const kept = new Set(found.map((key) => this.copied.get(key)));
    for (const sha256 of this.copied.values())
      if (sha256 !== null && !kept.has(sha256)) rmSync(objectFile(this.folder, sha256), { force: true });
    const isInvalid = ([key, sha256]: [string, string | null]) =>
      !this.copied.get(key) || (sha256 !== null && this.copied.get(key) !== sha256);
    return { count: found.length, invalid: [...expected].filter(isInvalid).map(([key]) => key) };
  }
}

/**
 * Writes the objects of a backup into a bucket.
 * @returns how many they are
 */
export async function uploadObjects(folder: string, bucket: Bucket) {
  const objects: { key: string; file: string }[] = [];
  for await (const { key, sha256 } of readLines(objectList(folder)))
    objects.push({ key, file: objectFile(folder, sha256) });
  if (objects.length > 0) await bucket.upload(objects);
  return objects.length;
}
