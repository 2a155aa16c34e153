/** Group commit over runs, on SQLite whose calls fail before they are executed, or are executed and lose their answer. */
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openD1 } from "../../../src/node/d1";
import { directHost } from "../../../src/node/host";
import { type Fault, faultyD1 } from "../../support/faults";
import { StorageUnavailableError } from "#core/unavailable";
import { availableD1 } from "#store/availability";
import { type CommitOutcome, GroupCommit, RepeatableCommits } from "#store/group-commit";

let database: DatabaseSync;
/** Number of the statements of each call. */
let calls: number[];
let errorOf: (call: number) => Fault | Promise<Fault>;
let group: GroupCommit;

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE steps (step TEXT PRIMARY KEY, by TEXT NOT NULL, seq INTEGER NOT NULL)");
  calls = [];
  errorOf = () => "ok";
  const DB = faultyD1(openD1(database, directHost), ({ operation }) => {
    calls.push(operation.split("; ").length);
    return errorOf(calls.length);
  });
  group = new GroupCommit(availableD1(DB));
});

afterEach(() => void vi.useRealTimers());

const INSERT =
  "INSERT INTO steps SELECT ?1, ?2, (SELECT COUNT(*) FROM steps) ON CONFLICT DO NOTHING RETURNING step, by, seq";
const insert = (step: string, by = step) => ({ sql: INSERT, values: [step, by] });
const commit = (...steps: string[]) => group.commit(steps.map((step) => insert(step)));
const stored = () =>
  database
    .prepare("SELECT step FROM steps ORDER BY seq")
    .all()
    .map((row) => row.step);
const rowsOf = (outcome: CommitOutcome) => ("rows" in outcome ? outcome.rows.flat().map((row) => row.step) : outcome);

it("commits that arrive while one is under way go together, in the order of arrival, and each gets its own rows", async () => {
  const outcomes = await Promise.all([commit("a"), commit("b", "c"), commit("d"), commit()]);
  expect(calls).toEqual([1, 3]);
  expect(outcomes.map(rowsOf)).toEqual([["a"], ["b", "c"], ["d"], []]);
  expect(stored()).toEqual(["a", "b", "c", "d"]);
});

it("a batch that fails before it is executed: each of its commits is sent again alone, and succeeds", async () => {
  errorOf = (call) => (call === 2 ? "before" : "ok");
  const outcomes = await Promise.all(["a", "b", "c"].map((step) => commit(step)));
  expect(calls).toEqual([1, 2, 1, 1]);
  expect(outcomes.map(rowsOf)).toEqual([["a"], ["b"], ["c"]]);
});

it("a batch that fails after it took effect: its commits are repeated and write nothing twice", async () => {
  errorOf = (call) => (call === 2 ? "after" : "ok");
  const outcomes = await Promise.all(["a", "b", "c"].map((step) => commit(step)));
  expect(calls).toEqual([1, 2, 1, 1]);
  expect(outcomes.map(rowsOf)).toEqual([["a"], [], []]); // as after any lost answer: the callers look for their rows
  expect(stored()).toEqual(["a", "b", "c"]);
});

it("a wrong statement fails its own commit, of which nothing is written, and no other", async () => {
  const wrong = group.commit([insert("w"), { sql: "INSERT INTO steps VALUES (?, NULL, 1)", values: ["x"] }]);
  const outcomes = await Promise.all([commit("a"), wrong, commit("b")]);
  const again = await Promise.all([commit("c"), group.commit([insert("v"), { sql: "SELECT vault", values: [] }])]);
  expect([outcomes[0], outcomes[2], again[0]].map((outcome) => rowsOf(outcome!))).toEqual([["a"], ["b"], ["c"]]);
  expect([outcomes[1], again[1]]).toEqual([
    { failure: expect.stringContaining("SQLITE_CONSTRAINT"), passing: false },
    { failure: expect.stringContaining("no such column"), passing: false },
  ]);
  expect(stored().toSorted()).toEqual(["a", "b", "c"]);
});

it("a batch whose answer never comes holds up the commits after it for ten seconds, not for ever", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const late = Promise.withResolvers<Fault>();
  errorOf = (call) => (call === 1 ? late.promise : "ok");
  const lost = commit("a");
  const behind = commit("b");
  vi.setSystemTime(Date.now() + 10_001);
  expect(rowsOf(await commit("a"))).toEqual(["a"]); // its caller repeats it
  expect(rowsOf(await behind)).toEqual(["b"]);
  late.resolve("ok"); // executed at last, it writes nothing twice
  expect(rowsOf(await lost)).toEqual([]);
  expect(rowsOf(await commit("c"))).toEqual(["c"]);
  expect(stored()).toEqual(["b", "a", "c"]);
  expect(calls).toEqual([1, 1, 1, 1]);
});

it("while D1 is away each caller learns that the failure passes, and a later commit succeeds", async () => {
  errorOf = () => "before";
  const outcomes = await Promise.all(["a", "b", "c"].map((step) => commit(step)));
  expect(outcomes).toEqual(
    Array.from({ length: 3 }, () => ({ failure: expect.stringContaining("Network connection lost"), passing: true })),
  );
  errorOf = () => "ok";
  expect(rowsOf(await commit("a"))).toEqual(["a"]);
  expect(stored()).toEqual(["a"]);
});

it("what waits is bounded: a commit beyond the bound fails in passing, is not executed, and succeeds once there is room", async () => {
  const large = "x".repeat(1_000_000);
  const big = (step: string) => group.commit([insert(step, large)]);
  const steps = Array.from({ length: 10 }, (_, n) => `a${n}`);
  const outcomes = await Promise.all(steps.map(big));
  expect(outcomes.filter((outcome) => "rows" in outcome)).toHaveLength(8); // one under way, seven that wait
  expect(outcomes.at(-1)).toEqual({ failure: expect.stringContaining("wait"), passing: true });
  expect(calls).toEqual([1, 1, 1, 1, 1, 1, 1, 1]); // each is larger than a batch should be
  expect(stored()).toEqual(steps.slice(0, 8));
  expect(rowsOf(await big("a9"))).toEqual(["a9"]);
});

it("the store throws Unavailable for a failure that passes, and an Error of a bug", async () => {
  const db = availableD1(openD1(database, directHost));
  const commits = new RepeatableCommits(db, (_tenant, statements) => group.commit(statements));
  const one = (sql: string, ...values: unknown[]) => commits.execute("ten_1", { one: db.prepare(sql).bind(...values) });
  expect(await one(INSERT, "a", "me")).toEqual({ one: [{ step: "a", by: "me", seq: 0 }] });
  const bug = await one("SELECT vault").catch((error: unknown) => error);
  expect(bug).toBeInstanceOf(Error);
  expect(bug).not.toBeInstanceOf(StorageUnavailableError);
  errorOf = () => "after";
  await expect(one(INSERT, "b", "me")).rejects.toBeInstanceOf(StorageUnavailableError);
});
