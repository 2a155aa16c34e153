import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { StorageUnavailableError } from "#core/unavailable";
import { directHost } from "../../../src/node/host";
import { openD1 } from "../../../src/node/d1";
import { availableD1, availableR2, isD1Bug, isR2Bug } from "#store/availability";

describe("failures of storage are told from bugs", () => {
  it.each([
    "D1_ERROR: Network connection lost.",
    "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
    "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
    "D1_ERROR: internal error; reference = abc",
    "D1_ERROR: database or disk is full: SQLITE_FULL",
    "D1_ERROR: database is locked: SQLITE_BUSY",
    "D1_ERROR: writes_are_held: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_TRIGGER)",
  ])("D1: %s passes", (message) => expect(isD1Bug(new Error(message))).toBe(false));

  it.each([
    new Error("D1_ERROR: no such table: vault: SQLITE_ERROR"),
    new Error("D1_ERROR: UNIQUE constraint failed: runs.id: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)"),
    new Error("D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'"),
    new TypeError("x is not a function"),
  ])("D1: %s is a bug", (error) => expect(isD1Bug(error)).toBe(true));

  it.each(["put: We encountered an internal error. Please try again. (10001)", "Network connection lost."])(
    "R2: %s passes",
    (message) => expect(isR2Bug(new Error(message))).toBe(false),
  );

  it("R2: a refused request is a bug", () =>
    expect(isR2Bug(new Error("put: The specified object name is not valid. (10020)"))).toBe(true));
});

it("D1 and R2 throw Unavailable, with the message of the platform, also from the body of an object", async () => {
  const lost = () => Promise.reject(new Error("Network connection lost."));
  const statement = { bind: () => statement, all: lost, run: lost, first: lost };
  const db = availableD1({ prepare: () => statement, batch: lost } as unknown as D1Database);
  const object = { arrayBuffer: lost, text: lost };
  const bucket = availableR2({ put: lost, get: async () => object } as unknown as R2Bucket);
  const calls = [
    () => db.prepare("SELECT ?").bind(1).all(),
    () => db.batch([db.prepare("SELECT 1")]),
    () => bucket.put("key", "x"),
    async () => (await bucket.get("key"))!.text(),
  ];
  for (const call of calls) {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(String(error)).toContain("Network connection lost.");
  }
});

it("a statement whose LIMIT is a parameter is planned once, however often it is executed", async () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE things (id INTEGER PRIMARY KEY); INSERT INTO things VALUES (1), (2), (3)");
  let planned = 0;
  const db = availableD1(openD1(database, directHost));
  database.setAuthorizer(() => (planned++, 0));
  const page = (limit: number) => db.prepare("SELECT id FROM things ORDER BY id LIMIT ?").bind(limit).all();
  expect((await page(1)).results).toEqual([{ id: 1 }]);
  const once = planned;
  expect((await page(2)).results).toEqual([{ id: 1 }, { id: 2 }]);
  expect(planned).toBe(once);
});
