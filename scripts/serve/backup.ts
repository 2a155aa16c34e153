import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  globSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BUCKET, DATABASE, OBJECTS } from "../../src/node/data-folder.ts";
import { pathOfObject } from "../../src/node/file-blobs.ts";
import { referenced } from "../backup/objects.ts";
import { schemaOf } from "../backup/tables.ts";
import { sqliteDatabase } from "../lib/sqlite-database.ts";

/** A file that was changed this long before the copying began may have been copied half a moment too early. Milliseconds. */
const MARGIN = 5000;

/**
 * Copies the folder of a server, running or not, so that the copy is what a server would have left that ended at one moment.
 * @param data folder of the server
 * @param target folder of the copy; it appears when it is complete
 * @returns objects in the bucket
 * @throws Error when the target exists, or when objects were removed meanwhile
 */
export async function backUp(data: string, target: string): Promise<number> {
  if (!existsSync(join(data, DATABASE))) throw new Error(`No server has stored anything in ${data}.`);
  if (existsSync(target)) throw new Error(`${target} exists: name a new folder.`);
  const copy = `${target}.partial`;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(join(copy, OBJECTS), { recursive: true, mode: 0o700 });
  // An object is stored before its row, and removed after it: those that the database's copy refers to are there before or after it is made.
  const begun = Date.now() - MARGIN;
  copyObjects(data, copy, -Infinity);
  for (const file of [DATABASE, ...globSync(join(OBJECTS, "*.sqlite"), { cwd: data })]) copyDatabase(data, copy, file);
  copyObjects(data, copy, begun);
  copyFileSync(join(data, "keys.json"), join(copy, "keys.json"));
  const count = await checkObjects(copy);
  for (const path of ["keys.json", BUCKET, OBJECTS, "."]) sync(join(copy, path));
  renameSync(copy, target);
  sync(dirname(target));
  return count;
}

/** The copy is complete, has no log of its own, and shows one moment. */
function copyDatabase(data: string, copy: string, file: string) {
  const database = new DatabaseSync(join(data, file), { readOnly: true, timeout: 20_000 });
  try {
    database.prepare("VACUUM INTO ?").run(join(copy, file));
  } finally {
    database.close();
  }
  sync(join(copy, file));
}

/** Copies the objects that were written since a time. */
function copyObjects(data: string, copy: string, since: number) {
  for (const file of globSync(join(BUCKET, "objects/**/*.object"), { cwd: data })) {
    const source = join(data, file);
    const written = statSync(source, { throwIfNoEntry: false })?.ctimeMs;
    if (written === undefined || written < since) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true, mode: 0o700 });
    try {
      copyFileSync(source, join(copy, file), constants.COPYFILE_FICLONE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // removed meanwhile
      continue;
    }
    sync(join(copy, file));
  }
  mkdirSync(join(copy, BUCKET), { recursive: true, mode: 0o700 });
}

/** @returns how many objects the rows of the copy refer to */
async function checkObjects(copy: string) {
  const db = sqliteDatabase(join(copy, DATABASE));
  try {
    const keys = await referenced(db, (await schemaOf(db)).tables);
    const missing = keys.filter((key) => !existsSync(pathOfObject(join(copy, BUCKET), key)));
    if (missing.length > 0)
      throw new Error(
        `${missing.length} objects were removed meanwhile, such as ${missing[0]}: take the backup again.`,
      );
    return keys.length;
  } finally {
    db.release();
  }
}

function sync(path: string) {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}
