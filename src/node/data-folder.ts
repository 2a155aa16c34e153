import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FileBlobs } from "./file-blobs";
import { GroupCommits } from "./group-commit";
import { type Migration, migrate } from "./migrate";
import { ObjectDatabase } from "./object-storage";
import { namingDamage } from "./sqlite-errors";
import type { ProcessStorage } from "./worker-process";
import { WorkflowRecord } from "./workflow-record";

/** The database of D1, of Workflows, and of the keys and alarms of Durable Objects: one transaction may write all of them. */
export const DATABASE = "parley.sqlite";
/** Files of R2. */
export const BUCKET = "bucket";
/** A database for each Durable Object that uses SQL. */
export const OBJECTS = "objects";

/** How long a write waits for another process, such as an operator's command. Milliseconds. */
const BUSY_TIMEOUT = 10_000;

/** Opens a database for group commit, which syncs its log. */
export function openForGroups(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000");
  return database;
}

/** All that a server stores, in one folder, which one process uses at a time. */
export class DataFolder {
  readonly commits = new GroupCommits();
  readonly storage: ProcessStorage;
  private readonly opened: DatabaseSync[] = [];

  /**
   * Opens the folder, and makes it when it is missing.
   * @param migrations those that are new are applied
   * @throws Error when another process uses the folder
   */
  constructor(
    private readonly folder: string,
    migrations: readonly Migration[],
  ) {
    mkdirSync(join(folder, OBJECTS), { recursive: true, mode: 0o700 });
    this.opened.push(lock(folder));
    const d1 = this.open(DATABASE);
    try {
      migrate(d1, migrations);
    } catch (error) {
      throw namingDamage(d1, error);
    }
    if (!existsSync(join(folder, BUCKET))) makeDurable(d1, folder);
    const objects = new ObjectDatabase(
      d1,
      (object, create) => {
        const name = join(OBJECTS, `${encodeURIComponent(object)}.sqlite`);
        return create || existsSync(join(folder, name)) ? this.open(name) : null;
      },
      this.commits.of,
    );
    const workflows = new WorkflowRecord(d1, this.commits.of(d1));
    this.storage = { d1, blobs: new FileBlobs(join(folder, BUCKET)), objects, workflows };
  }

  /** @throws Error when the folder cannot be written, for example when its file system has become read-only */
  async checkWritable(): Promise<void> {
    const probe = join(this.folder, "write-check");
    await writeFile(probe, "x"); // a full disk takes a name, and no byte
    await rm(probe, { force: true });
  }

  /** Commits what is open, moves the log into the databases, and lets the folder go. */
  async close(): Promise<void> {
    await this.commits.end();
    rmSync(pidFile(this.folder), { force: true });
    for (const database of this.opened.toReversed()) database.close();
  }

  private open(name: string): DatabaseSync {
    const database = openForGroups(join(this.folder, name));
    this.opened.push(database);
    return database;
  }
}

/** The bucket is made when the database is on the disk: a bucket without a database is a loss, and not an interrupted first start. */
function makeDurable(database: DatabaseSync, folder: string): void {
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const entries = openSync(folder, "r");
  fsyncSync(entries);
  closeSync(entries);
}

const pidFile = (folder: string) => join(folder, "server.pid");

/** Takes a lock that the system releases when the process ends, however it ends. */
function lock(folder: string): DatabaseSync {
  const file = new DatabaseSync(join(folder, "lock"));
  try {
    file.exec("BEGIN EXCLUSIVE");
  } catch {
    const pid = existsSync(pidFile(folder)) ? ` (process ${readFileSync(pidFile(folder), "utf8")})` : "";
    throw new Error(`${folder} is in use by a running server${pid}. Stop it, or name another folder with --data.`);
  }
  writeFileSync(pidFile(folder), String(process.pid));
  return file;
}
