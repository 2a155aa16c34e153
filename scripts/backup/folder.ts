import { createHash } from "node:crypto";
import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Row } from "../lib/database.ts";

/** Raised when a backup of before could not be read any more. */
const FORMAT = 1;
const MANIFEST = "manifest.json";

/**
 * What a backup holds: `manifest.json`, `tables/<name>.ndjson` with a row in each line, `objects.ndjson` with the key of each object, and
 * `objects/<SHA-256 of the content>`. The manifest is written last: a folder without it is no backup.
 */
export interface Manifest {
  format: number;
  /** RFC 3339: nothing was written from then until the tables were read */
  taken_at: string;
  /** of Parley */
  version: string;
  /** that the database had */
  migrations: string[];
  /** rows of each */
  tables: Record<string, number>;
  objects: number;
  /** keys of objects that were missing, or were not what their rows say */
  invalid: string[];
  /** of each file, by its path; an object's name says its own */
  sha256: Record<string, string>;
}

/** Makes the folder of a backup. Throws when there is something in it. */
export function makeFolder(folder: string) {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. Name a folder that does not exist yet.`);
  for (const path of ["tables", "objects"]) mkdirSync(join(folder, path), { recursive: true, mode: 0o700 });
}

/** Appends rows, as lines of JSON. */
export function appendLines(file: string, rows: object[]) {
  appendFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""), { mode: 0o600 });
}

/** @returns the rows of a file of lines of JSON */
export async function* readLines(file: string): AsyncGenerator<Row> {
  // Not readline, which also ends lines at U+2028.
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

/** SHA-256 of a file, in hexadecimal digits. */
export async function hashOf(file: string) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

export const tableFile = (folder: string, table: string) => join(folder, "tables", `${table}.ndjson`);
export const objectList = (folder: string) => join(folder, "objects.ndjson");
export const objectFile = (folder: string, sha256: string) => join(folder, "objects", sha256);

/** Ends a backup. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, "format" | "sha256">) {
  const paths = [...Object.keys(manifest.tables).map((table) => `tables/${table}.ndjson`), "objects.ndjson"];
  const sha256: Manifest["sha256"] = {};
  for (const path of paths) sha256[path] = await hashOf(join(folder, path));
  writeFileSync(join(folder, MANIFEST), JSON.stringify({ format: FORMAT, ...manifest, sha256 }, null, 2), {
    mode: 0o600,
  });
}

/**
 * The manifest of a backup whose files are all as they were written.
 * @throws Error that names a file that is missing or was changed
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST);
  if (!existsSync(file))
    throw new Error(`${folder} has no ${MANIFEST}: it is no backup, or the backup was not finished.`);
  const manifest: Manifest = JSON.parse(readFileSync(file, "utf8"));
  if (manifest.format !== FORMAT)
    throw new Error(`The backup has the format ${manifest.format}; this version reads ${FORMAT}.`);
  for (const [path, sha256] of Object.entries(manifest.sha256)) await expectHash(folder, path, sha256);
  for await (const { sha256 } of readLines(objectList(folder))) await expectHash(folder, `objects/${sha256}`, sha256);
  return manifest;
}

async function expectHash(folder: string, path: string, sha256: string) {
  const found = await hashOf(join(folder, path)).catch(() => null);
  if (found !== sha256)
    throw new Error(`${path} ${found === null ? "is missing" : "was changed"}: this backup is damaged.`);
}
