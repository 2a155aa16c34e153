/** The platform of `npm run serve` while its disk refuses writes or reads, and when it takes them again. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { log } from "#core/log";
import { StorageUnavailableError } from "#core/unavailable";
import { availableD1 } from "#store/availability";
import { openD1 } from "../../../src/node/d1";
import { openForGroups } from "../../../src/node/data-folder";
import { DurableObjects } from "../../../src/node/durable-objects";
import { GroupCommits } from "../../../src/node/group-commit";
import { directHost, type Host, Life, realHost } from "../../../src/node/host";
import { ObjectDatabase } from "../../../src/node/object-storage";
import { WorkflowRecord } from "../../../src/node/workflow-record";
import { Workflows } from "../../../src/node/workflows";

let folder: string;
let file: string;
let database: DatabaseSync;
let commits: GroupCommits;
let lines: string[];
/** Waits of the platform are this many times shorter. */
const HASTE = 50;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-disk-"));
  file = join(folder, "database");
  database = openForGroups(file);
  commits = new GroupCommits();
  lines = [];
  for (const level of ["warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line)));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await commits.end();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The disk is full: SQLite gets no further page. */
const fill = () => database.exec(`PRAGMA max_page_count = ${database.prepare("PRAGMA page_count").get()!.page_count}`);
const empty = () => database.exec("PRAGMA max_page_count = 1000000");

/** The real host, with shorter waits. */
const hasty = (): Host => {
  const host = realHost(commits);
  return {
    ...host,
    at: (time, life, fn) => host.at(Date.now() + Math.max(0, time - Date.now()) / HASTE, life, fn),
  };
};

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => error,
  );

const LARGE = "x".repeat(50_000);

it("a disk that is full, read-only, out of handles or failing is unavailable storage to the stores, and no bug", async () => {
  database.exec("CREATE TABLE t (text TEXT) STRICT");
  const db = availableD1(openD1(database, realHost(commits), commits.of(database)));
  const insert = () => db.prepare("INSERT INTO t VALUES (?)").bind(LARGE).run();
  fill();
  expect(await failureOf(insert())).toBeInstanceOf(StorageUnavailableError);
  empty();
  database.exec("PRAGMA query_only = ON");
  expect(await failureOf(insert())).toBeInstanceOf(StorageUnavailableError);
  database.exec("PRAGMA query_only = OFF");
  const missing = `ATTACH '${join(folder, "nowhere", "database")}' AS other`;
  expect(
    await failureOf(
      availableD1(openD1(new DatabaseSync(":memory:"), directHost))
        .prepare(missing)
        .run(),
    ),
  ).toBeInstanceOf(StorageUnavailableError);
  await insert();
  expect(await db.prepare("SELECT COUNT(*) AS n FROM t").first("n")).toBe(1);
});

it.each([
  [8, "READONLY"],
  [10 | (3 << 8), "IOERR"],
  [14, "CANTOPEN"],
])("SQLite's code %i is D1's SQLITE_%s", async (errcode, name) => {
  const failing = {
    prepare: () => {
      throw Object.assign(new Error("of the disk"), { errcode, code: "ERR_SQLITE_ERROR" });
    },
  };
  const failure = await failureOf(
    openD1(failing as never, directHost)
      .prepare("SELECT 1")
      .all(),
  );
  expect(failure!.message).toBe(`D1_ERROR: of the disk: SQLITE_${name}`);
});

it("a damaged page names its file and the remedy, as storage that is away, and is reported", async () => {
  database.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT) STRICT");
  for (let id = 0; id < 50; id++) database.prepare("INSERT INTO t VALUES (?, ?)").run(id, "x".repeat(3000));
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0xff, 8192, bytes.length - 4096);
  writeFileSync(file, bytes);
  database = openForGroups(file);
  const damages: Error[] = [];
  const db = availableD1(openD1(database, directHost, undefined, (error) => void damages.push(error)));
  const failure = await failureOf(db.prepare("SELECT text FROM t").all());
  expect(failure).toBeInstanceOf(StorageUnavailableError);
  expect(failure!.message).toContain(`${file} is damaged`);
  expect(failure!.message).toContain("restore a backup");
  expect(damages.map(({ name }) => name)).toEqual(["DamagedDatabaseError"]);
});

it("a step whose record the disk refuses is executed once: its record is stored when the disk takes it", async () => {
  let executed = 0;
  class Flow {
    async run(_event: unknown, step: { do(name: string, fn: () => Promise<unknown>): Promise<unknown> }) {
      const first = await step.do("first", async () => {
        executed++;
        fill();
        setTimeout(empty, 300);
        return LARGE;
      });
      return (first as string).length;
    }
  }
  const record = new WorkflowRecord(database, commits.of(database));
  const flows = new Workflows(hasty(), new Life("process"), record, Flow as never, {}).binding();
  const instance = await flows.create({ id: "one", params: {} });
  await expect.poll(async () => (await instance.status()).status, { timeout: 20_000 }).toBe("complete");
  expect([executed, (await instance.status()).output]).toEqual([1, LARGE.length]);
});

it("an event that the disk does not let a wait consume is received when it does", async () => {
  class Flow {
    run = (_event: unknown, step: { waitForEvent(name: string, options: object): Promise<unknown> }) =>
      step.waitForEvent("wait", { type: "answer", timeout: "1 hour" });
  }
  const record = new WorkflowRecord(database, commits.of(database));
  const flows = new Workflows(hasty(), new Life("process"), record, Flow as never, {}).binding();
  const instance = await flows.create({ id: "one", params: {} });
  const { consume } = record;
  let refused = 0;
  record.consume = (...given) => {
    if (refused++ < 2) throw Object.assign(new Error("disk I/O error"), { errcode: 10, code: "ERR_SQLITE_ERROR" });
    return consume.apply(record, given);
  };
  await instance.sendEvent({ type: "answer", payload: "yes" });
  await expect.poll(async () => (await instance.status()).status, { timeout: 20_000 }).toBe("complete");
  expect(refused).toBe(3);
});

it("an instance whose creation was lost with its group is created again, and runs once", async () => {
  let runs = 0;
  class Flow {
    async run() {
      runs++;
      await new Promise((later) => setTimeout(later, 100));
      return "done";
    }
  }
  const record = new WorkflowRecord(database, commits.of(database));
  const host = realHost(commits);
  const flows = new Workflows(host, new Life("process"), record, Flow as never, {}).binding();
  const DB = openD1(database, host, commits.of(database));
  database.exec("CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT; INSERT INTO t VALUES (1)");
  const creation = failureOf(flows.create({ id: "one", params: {} }));
  const [lost] = await Promise.all([creation, failureOf(DB.prepare("INSERT OR ROLLBACK INTO t VALUES (1)").run())]);
  expect(lost).toBeInstanceOf(StorageUnavailableError);
  const instance = await flows.create({ id: "one", params: {} });
  await expect.poll(async () => (await instance.status()).status).toBe("complete");
  expect(runs).toBe(1);
});

it("while writes are lost, overdue alarms ring ever more seldom; when the disk takes writes again they ring as before", async () => {
  const rings: number[] = [];
  class Bell {
    constructor(private readonly ctx: DurableObjectState) {}
    async alarm() {
      rings.push(Date.now());
      await this.ctx.storage.setAlarm(Date.now());
      await this.ctx.storage.put(`text ${rings.length}`, LARGE);
    }
  }
  const host = hasty();
  const stored = new ObjectDatabase(database, () => null, commits.of);
  const life = new Life("process");
  const objects = new DurableObjects(host, life, stored, { Bell: Bell as never }, {});
  let losses = 0;
  commits.onLost = (error) => {
    losses++;
    objects.reload(error);
  };
  stored.setAlarm("Bell/one", Date.now());
  await commits.durable();
  fill();
  objects.resume();
  await new Promise((later) => setTimeout(later, 1500));
  const [during, lost] = [rings.length, losses];
  empty();
  // Pauses of 20, 40, 80 … milliseconds here: seven of them fit into the time.
  expect(during).toBeGreaterThan(1);
  expect(during).toBeLessThan(12);
  expect(lost).toBeLessThan(12);
  await expect.poll(() => rings.length, { timeout: 20_000 }).toBeGreaterThan(during + 20);
  life.end();
});

it("storage that is away gets one line a second of each message, which counts those that were left out", () => {
  vi.useFakeTimers();
  const away = () => new StorageUnavailableError("D1", new Error("database or disk is full"));
  for (let count = 0; count < 500; count++) log.warn("storage failed this test", { error: away() });
  log.warn("another message of this test", { error: away() });
  log.warn("a bug of this test", { error: new Error("a") });
  log.warn("a bug of this test", { error: new Error("a") });
  expect(lines.map((line) => JSON.parse(line).message)).toEqual([
    "storage failed this test",
    "another message of this test",
    "a bug of this test",
    "a bug of this test",
  ]);
  vi.advanceTimersByTime(1000);
  log.warn("storage failed this test", { error: away() });
  expect(JSON.parse(lines.at(-1)!).left_out).toBe(499);
  vi.useRealTimers();
});
