import fs, { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { openD1 } from "../../../src/node/d1";
import { openForGroups } from "../../../src/node/data-folder";
import { GroupCommits } from "../../../src/node/group-commit";
import { realHost } from "../../../src/node/host";
import { ObjectDatabase } from "../../../src/node/object-storage";

let folder: string;
let database: DatabaseSync;
/** Another process, which sees only what is committed. */
let other: DatabaseSync;
let commits: GroupCommits;
let DB: D1Database;
let objects: ObjectDatabase;
let lost: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-group-"));
  database = openForGroups(join(folder, "database"));
  other = openForGroups(join(folder, "database"));
  commits = new GroupCommits();
  lost = 0;
  commits.onLost = () => void lost++;
  DB = openD1(database, realHost(commits), commits.of(database));
  database.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT");
  database.exec("CREATE TABLE child (of INTEGER REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED) STRICT");
  objects = new ObjectDatabase(database, () => null, commits.of);
});
/** Syncs of the log that the disk has not ended; null: they are not held. */
let held: (() => void)[] | null = null;
/** Ends each sync. */
let failure: Error | null = null;
const { fdatasync } = fs;
beforeAll(() => {
  const replacement = (file: number, done: (error: Error | null) => void) => {
    const sync = () => (failure ? done(failure) : fdatasync(file, done));
    if (held) held.push(sync);
    else sync();
  };
  fs.fdatasync = replacement as never;
  syncBuiltinESMExports();
});
afterAll(() => {
  fs.fdatasync = fdatasync;
  syncBuiltinESMExports();
});
const nextTurn = () => new Promise<void>((done) => void setImmediate(done));
const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
};

afterEach(async () => {
  held = failure = null;
  await commits.end();
  database.close();
  other.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (name: string) => DB.prepare("INSERT INTO t (name) VALUES (?)").bind(name);
const stored = () =>
  other
    .prepare("SELECT name FROM t ORDER BY id")
    .all()
    .map(({ name }) => name);
const rejected = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => error.message,
  );

/** Commits of the other connections: it changes with each. */
const version = () => other.prepare("PRAGMA data_version").get()!.data_version;

it("writes of one turn share a commit, and each caller is answered after it", async () => {
  const seen: unknown[][] = [];
  const before = version();
  const writes = ["a", "b", "c"].map(async (name) => {
    await insert(name).run();
    seen.push(stored());
  });
  await Promise.all(writes);
  expect(seen).toEqual([
    ["a", "b", "c"],
    ["a", "b", "c"],
    ["a", "b", "c"],
  ]);
  expect(Number(version()) - Number(before)).toBe(1);
});

it("the last call of a turn begins the sync: it does not wait for the work of the next turn", async () => {
  held = [];
  const writes = [insert("a").run(), insert("b").run()];
  await nextTurn();
  expect([stored(), held.length]).toEqual([["a", "b"], 1]);
  held.shift()!();
  await Promise.all(writes);
});

it("a batch that fails undoes itself alone: those of other callers in the same group are stored", async () => {
  const outcomes = await Promise.all([
    rejected(DB.batch([insert("a"), insert("b")])),
    rejected(DB.batch([insert("c"), insert("a")])),
    rejected(insert("b").run()),
    rejected(DB.batch([insert("d")])),
  ]);
  expect(outcomes).toEqual([
    null,
    expect.stringContaining("UNIQUE constraint failed: t.name"),
    expect.stringContaining("UNIQUE constraint failed: t.name"),
    null,
  ]);
  expect(stored()).toEqual(["a", "b", "d"]);
});

it("counts the changes of each call by itself", async () => {
  objects.put("Probe/one", "key", 1);
  const counts = await Promise.all([
    insert("a").run(),
    insert("b").run(),
    DB.batch([insert("c"), DB.prepare("UPDATE t SET name = name || '!'")]),
  ]);
  const [a, b, both] = counts as [D1Result, D1Result, D1Result[]];
  expect([a.meta.changes, b.meta.changes, ...both.map(({ meta }) => meta.changes)]).toEqual([1, 1, 1, 3]);
});

it("a read that shares a turn with a write is answered when the write is stored", async () => {
  const write = insert("a").run();
  const read = DB.prepare("SELECT COUNT(*) AS n FROM t").first<number>("n");
  expect(await read).toBe(stored().length);
  await write;
});

it("what an object stores is there at once, and committed with the group", async () => {
  objects.put("Probe/one", "key", { n: 1 });
  expect(objects.get("Probe/one", "key")).toEqual({ n: 1 });
  const count = () => other.prepare("SELECT COUNT(*) AS n FROM _cf_object_values").get()!.n;
  expect(count()).toBe(0);
  await commits.durable();
  expect([count(), commits.durable()]).toEqual([1, undefined]);
});

it("a group that cannot be committed fails for all its callers, says so once, and stores nothing of it", async () => {
  // Only the commit checks the reference.
  const orphan = DB.prepare("INSERT INTO child VALUES (99)").run();
  const outcomes = await Promise.all([rejected(orphan), rejected(insert("a").run())]);
  expect(outcomes).toEqual([
    expect.stringContaining("FOREIGN KEY constraint failed"),
    expect.stringContaining("FOREIGN KEY constraint failed"),
  ]);
  expect([stored(), lost, database.isTransaction]).toEqual([[], 1, false]);
  await insert("b").run();
  expect(stored()).toEqual(["b"]);
});

it("a statement that makes SQLite undo the whole transaction fails the group; the next one is whole again", async () => {
  const outcomes = await Promise.all([
    rejected(insert("a").run()),
    rejected(DB.batch([DB.prepare("INSERT OR ROLLBACK INTO t (id, name) VALUES (1, 'b')")])),
  ]);
  expect(outcomes).toEqual([
    expect.stringContaining("UNIQUE constraint failed"),
    expect.stringContaining("UNIQUE constraint failed"),
  ]);
  await insert("c").run();
  expect([stored(), lost]).toEqual([["c"], 1]);
});

it("no caller is answered before the log is on the disk, readers of what was written included; what is written meanwhile shares the next commit and sync", async () => {
  held = [];
  const answered: string[] = [];
  const note = (name: string, work: Promise<unknown>) => void work.then(() => answered.push(name));
  note("a", insert("a").run());
  await turns();
  note("read", DB.prepare("SELECT name FROM t").all());
  note("b", insert("b").run());
  await turns();
  note("c", insert("c").run());
  await turns();
  expect([answered, held.length, stored()]).toEqual([[], 1, ["a"]]);
  const before = version();
  held.shift()!();
  await expect.poll(() => held!.length).toBe(1);
  expect([answered, stored()]).toEqual([
    ["a", "read"],
    ["a", "b", "c"],
  ]); // the read saw "a" alone
  expect(Number(version()) - Number(before)).toBe(1);
  held.shift()!();
  await expect.poll(() => answered).toEqual(["a", "read", "b", "c"]);
});

it("when the disk fails to sync, no caller is answered, and the process is told to end", async () => {
  const failures: Error[] = [];
  commits.onDiskFailure = (error) => void failures.push(error);
  failure = new Error("EIO");
  let settled = false;
  void insert("a")
    .run()
    .finally(() => (settled = true));
  await expect.poll(() => failures).toEqual([failure]);
  await turns();
  expect(settled).toBe(false);
  commits = new GroupCommits(); // the old one never ends
});
