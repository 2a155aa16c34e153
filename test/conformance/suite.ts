/**
 * What Parley relies on of the platform. The same suite is executed in workerd (platform.test.ts beside it) and on Node
 * (test/unit/node/conformance.test.ts): so the platform of `src/node`, which the simulation uses, behaves as the local one does.
 */
import { describe, expect, it } from "vitest";
import type { ProbeEnv } from "./probe";

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits until `look` gives something, for a few seconds. */
async function eventually<T>(look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const found = await look();
    if (found) return found;
    if (tries === 300) throw new Error("It did not happen.");
    await pause(20);
  }
}

let last = 0;
const fresh = (prefix: string) => `${prefix}_${(last += 1)}`;

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: Error) => error.message,
  );

export function conformance(env: ProbeEnv): void {
  describe("D1", () => d1(env.DB));
  describe("R2", () => r2(env.BUCKET));
  describe("Durable Objects", () => objects(env.OBJECTS));
  describe("alarms", () => alarms(env.OBJECTS));
  describe("Workflows", () => workflows(env.FLOWS));
}

async function table(DB: D1Database): Promise<string> {
  const name = fresh("t");
  await DB.prepare(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, bytes BLOB) STRICT`).run();
  return name;
}

function d1(DB: D1Database): void {
  it("gives rows as objects, null for no row, and one column by its name", async () => {
    const t = await table(DB);
    await DB.prepare(`INSERT INTO ${t} (name) VALUES (?), (?)`).bind("a", "b").run();
    expect((await DB.prepare(`SELECT id, name FROM ${t} ORDER BY id`).all()).results).toEqual([
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ]);
    expect(await DB.prepare(`SELECT name FROM ${t} WHERE id = 2`).first("name")).toBe("b");
    expect(await DB.prepare(`SELECT name FROM ${t} WHERE id = 3`).first()).toBeNull();
    expect(await DB.prepare(`SELECT id, name FROM ${t}`).raw()).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
    expect(await messageOf(DB.prepare(`SELECT name FROM ${t}`).first("other"))).toMatch(/D1_/);
  });

  it("gives the columns that a table has now, and takes a LIMIT from a parameter", async () => {
    const t = await table(DB);
    await DB.prepare(`INSERT INTO ${t} (name) VALUES ('a'), ('b'), ('c')`).run();
    const page = (limit: number) =>
      DB.prepare(`SELECT * FROM ${t} WHERE id > ? ORDER BY id LIMIT ?`).bind(1, limit).all();
    expect((await page(1)).results).toEqual([{ id: 2, name: "b", bytes: null }]);
    await DB.prepare(`ALTER TABLE ${t} ADD COLUMN more INTEGER NOT NULL DEFAULT 4`).run();
    expect((await page(5)).results).toEqual([
      { id: 2, name: "b", bytes: null, more: 4 },
      { id: 3, name: "c", bytes: null, more: 4 },
    ]);
    expect((await DB.prepare("SELECT 1 AS n, 2 AS n").all()).results).toEqual([{ n: 2 }]);
    expect(
      (await DB.prepare(`DELETE FROM ${t} WHERE id IN (SELECT id FROM ${t} LIMIT ?1)`).bind(2).run()).meta.changes,
    ).toBe(2);
  });

  it("counts changes, those of triggers too, and gives the rows of RETURNING", async () => {
    const t = await table(DB);
    const log = await table(DB);
    await DB.prepare(
      `CREATE TRIGGER ${t}_log AFTER INSERT ON ${t} BEGIN INSERT INTO ${log} (name) VALUES (NEW.name); END`,
    ).run();
    const inserted = await DB.prepare(`INSERT INTO ${t} (name) VALUES ('a') RETURNING id, name`).all();
    expect(inserted.results).toEqual([{ id: 1, name: "a" }]);
    expect(inserted.meta.changes).toBe(2);
    const refused = await DB.prepare(`INSERT INTO ${t} (name) VALUES ('a') ON CONFLICT DO NOTHING RETURNING id`).all();
    expect([refused.results, refused.meta.changes]).toEqual([[], 0]);
    expect((await DB.prepare(`DELETE FROM ${log}`).run()).meta.changes).toBe(1);
    expect((await DB.prepare(`SELECT 1`).run()).meta.changes).toBe(0);
  });

  it("takes numbered parameters, texts, numbers, null, booleans and bytes; bytes come back as numbers", async () => {
    const t = await table(DB);
    await DB.prepare(`INSERT INTO ${t} (name, id, bytes) VALUES (?2, ?1, ?3)`)
      .bind(7, "x", new Uint8Array([1, 2]))
      .run();
    await DB.prepare(`INSERT INTO ${t} (name, bytes) VALUES (?, ?)`)
      .bind("y", new Uint8Array([3]).buffer)
      .run();
    expect((await DB.prepare(`SELECT * FROM ${t} ORDER BY id`).all()).results).toEqual([
      { id: 7, name: "x", bytes: [1, 2] },
      { id: 8, name: "y", bytes: [3] },
    ]);
    expect(await DB.prepare("SELECT ? AS t, ? AS f, ? AS n, ? AS r").bind(true, false, null, 1.5).first()).toEqual({
      t: 1,
      f: 0,
      n: null,
      r: 1.5,
    });
    const undefinedValue = () => DB.prepare("SELECT ?").bind(undefined).all();
    expect(await messageOf((async () => undefinedValue())())).toMatch(/D1_TYPE_ERROR/);
  });

  it("executes a batch in one transaction: an error undoes all of it", async () => {
    const t = await table(DB);
    const insert = DB.prepare(`INSERT INTO ${t} (name) VALUES (?)`);
    const results = await DB.batch([insert.bind("a"), DB.prepare(`SELECT COUNT(*) AS n FROM ${t}`), insert.bind("b")]);
    expect(results.map(({ results: rows, meta }) => [rows, meta.changes])).toEqual([
      [[], 1],
      [[{ n: 1 }], 0],
      [[], 1],
    ]);
    const told = await DB.batch([
      DB.prepare(`UPDATE ${t} SET name = name`),
      DB.prepare("SELECT changes() AS n"),
      DB.prepare(`DELETE FROM ${t} WHERE id = 99`),
      DB.prepare("SELECT changes() AS n"),
    ]);
    expect(told.map(({ results: rows }) => rows)).toEqual([[], [{ n: 2 }], [], [{ n: 0 }]]);
    expect(await messageOf(DB.batch([insert.bind("c"), insert.bind("a")]))).toContain(
      `UNIQUE constraint failed: ${t}.name`,
    );
    expect(await DB.prepare(`SELECT COUNT(*) AS n FROM ${t}`).first("n")).toBe(2);
  });

  it("refuses wrong SQL, broken constraints and broken references with D1_ERROR and SQLite's text", async () => {
    const t = await table(DB);
    expect(await messageOf(DB.prepare("SELEC 1").all())).toMatch(
      /^D1_ERROR: near "SELEC": syntax error.*: SQLITE_ERROR/,
    );
    const twice = DB.prepare(`INSERT INTO ${t} (id, name) VALUES (1, 'a')`);
    await twice.run();
    expect(await messageOf(twice.run())).toMatch(/^D1_ERROR: UNIQUE constraint failed: .*: SQLITE_CONSTRAINT/);
    expect(await messageOf(DB.prepare(`INSERT INTO ${t} (id) VALUES (2)`).run())).toMatch(
      /^D1_ERROR: NOT NULL constraint failed/,
    );
    const child = fresh("child");
    await DB.prepare(`CREATE TABLE ${child} (of INTEGER REFERENCES ${t} (id) ON DELETE CASCADE)`).run();
    expect(await messageOf(DB.prepare(`INSERT INTO ${child} VALUES (5)`).run())).toMatch(
      /^D1_ERROR: FOREIGN KEY constraint failed/,
    );
    await DB.prepare(`INSERT INTO ${child} VALUES (1)`).run();
    await DB.prepare(`DELETE FROM ${t}`).run();
    expect(await DB.prepare(`SELECT COUNT(*) AS n FROM ${child}`).first("n")).toBe(0);
  });

  it("has RAISE(ABORT) of triggers, json_each, FTS5 with bm25, and milliseconds of the clock", async () => {
    const t = await table(DB);
    await DB.prepare(
      `CREATE TRIGGER ${t}_no BEFORE DELETE ON ${t} BEGIN SELECT RAISE(ABORT, 'never deleted'); END`,
    ).run();
    await DB.prepare(`INSERT INTO ${t} (name) SELECT value FROM json_each(?)`).bind('["p","q"]').run();
    expect(await messageOf(DB.prepare(`DELETE FROM ${t}`).run())).toMatch(
      /^D1_ERROR: never deleted: SQLITE_CONSTRAINT/,
    );
    await DB.prepare(`CREATE VIRTUAL TABLE ${t}_text USING fts5(body)`).run();
    await DB.prepare(`INSERT INTO ${t}_text VALUES ('tools that neighbours lend'), ('a choir')`).run();
    const found = await DB.prepare(
      `SELECT body, bm25(${t}_text) AS rank FROM ${t}_text WHERE ${t}_text MATCH 'lend'`,
    ).all();
    expect(found.results).toMatchObject([{ body: "tools that neighbours lend" }]);
    const now = await DB.prepare("SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now").first<number>("now");
    expect(Math.abs(now! - Date.now())).toBeLessThan(5000);
  });
}

function r2(BUCKET: R2Bucket): void {
  it("stores text and bytes, and gives them whole, in part, or null", async () => {
    const key = fresh("object");
    await BUCKET.put(key, "twelve bytes");
    expect(await (await BUCKET.get(key))!.text()).toBe("twelve bytes");
    const part = await BUCKET.get(key, { range: { offset: 7, length: 5 } });
    expect(new TextDecoder().decode(await part!.arrayBuffer())).toBe("bytes");
    await BUCKET.put(key, new Uint8Array([1, 2, 3]));
    const { size } = (await BUCKET.head(key))!;
    expect([size, [...new Uint8Array(await (await BUCKET.get(key))!.arrayBuffer())]]).toEqual([3, [1, 2, 3]]);
    expect(await BUCKET.get(fresh("none"))).toBeNull();
    expect(await BUCKET.head(fresh("none"))).toBeNull();
  });

  it("lists by prefix in the order of keys, in pages, and deletes one, many or none", async () => {
    const folder = fresh("folder");
    for (const name of ["b", "a", "c"]) await BUCKET.put(`${folder}/${name}`, name);
    const first = await BUCKET.list({ prefix: `${folder}/`, limit: 2 });
    expect([first.objects.map(({ key }) => key), first.truncated]).toEqual([[`${folder}/a`, `${folder}/b`], true]);
    const cursor = first.truncated ? first.cursor : "";
    const rest = await BUCKET.list({ prefix: `${folder}/`, cursor });
    expect([rest.objects.map(({ key }) => key), rest.truncated]).toEqual([[`${folder}/c`], false]);
    await BUCKET.delete([`${folder}/a`, `${folder}/b`]);
    await BUCKET.delete(`${folder}/nothing`);
    expect((await BUCKET.list({ prefix: folder })).objects.map(({ key }) => key)).toEqual([`${folder}/c`]);
  });

  it("shows an upload in parts only when it is complete", async () => {
    const key = fresh("upload");
    const large = new Uint8Array(5 * 1024 * 1024).fill(1);
    const upload = await BUCKET.createMultipartUpload(key);
    const parts = [await upload.uploadPart(1, large), await upload.uploadPart(2, new Uint8Array([2]))];
    expect(await BUCKET.head(key)).toBeNull();
    await upload.complete(parts);
    expect((await BUCKET.head(key))!.size).toBe(large.length + 1);
    const aborted = await BUCKET.createMultipartUpload(fresh("upload"));
    await aborted.abort();
  });
}

function objects(OBJECTS: ProbeEnv["OBJECTS"]): void {
  const object = () => OBJECTS.get(OBJECTS.idFromName(fresh("object")));

  it("is one for each name, knows its name, and answers only after its constructor's work", async () => {
    const name = fresh("named");
    const stub = () => OBJECTS.get(OBJECTS.idFromName(name));
    expect(await stub().isLoaded()).toBe(true);
    await stub().note("kept");
    expect([await stub().notes(), await stub().ownName()]).toEqual([["kept"], name]);
    expect(await OBJECTS.getByName(name).notes()).toEqual(["kept"]);
    expect(await object().notes()).toEqual([]);
  });

  it("lets no other call in while storage is awaited, and lets calls in while anything else is", async () => {
    const counted = object();
    await Promise.all(Array.from({ length: 20 }, () => counted.increment()));
    expect(await counted.get("count")).toBe(20);
    const racing = object();
    await racing.isLoaded();
    await Promise.all(Array.from({ length: 10 }, () => racing.incrementAcrossD1()));
    expect(await racing.get("count")).toBeLessThan(10);
  });

  it("runs calls side by side during a timer, and none during blockConcurrencyWhile", async () => {
    const open = object();
    await open.isLoaded();
    const slow = open.noteAfter(300, "slow");
    await open.note("quick");
    await slow;
    expect(await open.notes()).toEqual(["quick", "slow"]);
    const blocking = object();
    await blocking.isLoaded();
    const blocked = blocking.block(300, "blocked");
    await pause(50);
    await blocking.note("after");
    await blocked;
    expect(await blocking.notes()).toEqual(["blocked", "after"]);
  });

  it("keeps keys, keys without await, and tables; deleteAll removes all of them and the alarm", async () => {
    const one = object();
    await one.put("key", { list: [1, "two", null], at: new Date(5) });
    expect(await one.get("key")).toEqual({ list: [1, "two", null], at: new Date(5) });
    expect(await one.get("none")).toBeUndefined();
    expect(await one.keep("kv", 7)).toBe(7);
    expect(await one.sum(4)).toBe(10);
    await one.setAlarm(60_000);
    await one.deleteAll();
    expect([await one.get("key"), await one.get("kv"), await one.tables()]).toEqual([undefined, undefined, []]);
    expect(await one.hasAlarm()).toBe(false);
  });

  it("carries an error's text to the caller", async () => {
    expect(await messageOf(object().fail("Out of bounds."))).toContain("Out of bounds.");
  });
}

function alarms(OBJECTS: ProbeEnv["OBJECTS"]): void {
  const object = () => OBJECTS.get(OBJECTS.idFromName(fresh("alarmed")));
  const notesOf = (one: ReturnType<typeof object>, count: number) =>
    eventually(async () => {
      const notes = await one.notes();
      return notes.length >= count && notes;
    });

  it("rings once, and is not set while it rings", async () => {
    const one = object();
    expect(await one.setAlarm(30)).toBe(true);
    expect(await notesOf(one, 2)).toEqual(["alarm", "alarm done"]);
    await pause(100);
    expect([await one.notes(), await one.hasAlarm()]).toEqual([["alarm", "alarm done"], false]);
  });

  it("rings at the last time that was set, and not when it was deleted", async () => {
    const one = object();
    await one.setAlarm(60_000);
    await one.setAlarm(20);
    expect(await notesOf(one, 2)).toEqual(["alarm", "alarm done"]);
    await one.setAlarm(150);
    await one.deleteAlarm();
    await pause(300);
    expect(await one.notes()).toHaveLength(2);
  });

  it("set while one rings, rings after that one is done", async () => {
    const one = object();
    await one.setAlarm(10, { on: "set" });
    expect(await notesOf(one, 5)).toEqual(["alarm", "set", "alarm done", "alarm", "alarm done"]);
  });

  it("may be deleted while it rings", async () => {
    const one = object();
    await one.setAlarm(10, { on: "delete" });
    expect(await notesOf(one, 2)).toEqual(["alarm", "alarm done"]);
    expect(await one.hasAlarm()).toBe(false);
  });

  it("that fails rings again", { timeout: 20_000 }, async () => {
    const one = object();
    await one.setAlarm(10, { fails: 1 });
    expect(await notesOf(one, 3)).toEqual(["alarm", "alarm", "alarm done"]);
  });
}

function workflows(FLOWS: ProbeEnv["FLOWS"]): void {
  const start = async (scenario: string) => FLOWS.create({ id: fresh("flow"), params: { scenario } });
  const ended = (instance: Awaited<ReturnType<typeof start>>) =>
    eventually(async () => {
      const status = await instance.status();
      return ["complete", "errored", "terminated"].includes(status.status) && status;
    });
  const outputOf = async (scenario: string) => (await ended(await start(scenario))).output;

  it("runs steps in their order; a step's value is what is stored, and equal names are two steps", async () => {
    const instance = await start("steps");
    const { status, output } = await ended(instance);
    expect(status).toBe("complete");
    expect(output).toMatchObject([instance.id, { n: 1 }, "first", "second"]);
    expect(await outputOf("parallel")).toEqual(["a", "b", "c"]);
  });

  it("tries a step again as configured, counts its attempts, and throws its last error", async () => {
    expect(await outputOf("retries")).toEqual([1, 2, 3]);
    expect(await outputOf("exhausted")).toEqual({
      attempts: [1, 2, 3],
      error: { caught: expect.stringContaining("Never.") },
    });
    expect(await outputOf("step timeout")).toEqual({ caught: expect.stringMatching(/timed out/i) });
  });

  it("sleeps, and ends as errored with the error's text", async () => {
    expect(await outputOf("sleep")).toBe("awake");
    const { status, error } = await ended(await start("fails"));
    expect([status, error?.message]).toEqual(["errored", "The workflow fails."]);
  });

  it("wakes a wait by an event of its type, sent before or after it begins", async () => {
    const early = await start("wait");
    await early.sendEvent({ type: "other", payload: 1 });
    await early.sendEvent({ type: "go", payload: { n: 2 } });
    expect((await ended(early)).output).toEqual({ type: "go", payload: { n: 2 } });
    const late = await start("wait");
    await pause(300);
    expect((await late.status()).status).toMatch(/running|waiting/);
    await late.sendEvent({ type: "go", payload: "late" });
    expect((await ended(late)).output).toEqual({ type: "go", payload: "late" });
  });

  it("wakes one wait by one event, in their order", async () => {
    const two = await start("two waits");
    await pause(300);
    await two.sendEvent({ type: "go", payload: 1 });
    await pause(300);
    expect((await two.status()).status).toMatch(/running|waiting/);
    await two.sendEvent({ type: "go", payload: 2 });
    expect((await ended(two)).output).toEqual([1, 2]);
  });

  it("ends a wait at its timeout with an error", async () => {
    expect(await outputOf("wait timeout")).toEqual({ caught: expect.stringMatching(/timed? ?out/i) });
  });

  it("refuses an id that is taken, and knows no instance that was not created", async () => {
    const instance = await start("wait");
    expect(await messageOf(FLOWS.create({ id: instance.id, params: { scenario: "wait" } }))).toMatch(
      /already.?exists/i,
    );
    const missing = fresh("flow");
    expect(await messageOf(FLOWS.get(missing).then((found) => found.status()))).toMatch(/not[_ ]found|does not exist/i);
    await instance.sendEvent({ type: "go", payload: null });
    await ended(instance);
  });

  it("terminates an instance for good; events to an ended instance are taken and have no effect", async () => {
    const instance = await start("wait");
    await pause(200);
    await instance.terminate();
    expect((await ended(instance)).status).toBe("terminated");
    await messageOf(instance.sendEvent({ type: "go", payload: null }));
    expect((await instance.status()).status).toBe("terminated");
    const complete = await start("steps");
    await ended(complete);
    expect(await messageOf(complete.sendEvent({ type: "nudge", payload: {} }))).toBe("no error");
    expect((await complete.status()).status).toBe("complete");
  });
}
