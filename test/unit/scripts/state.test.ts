/** The state folder of `npm run dev`: its database has every migration, each applied once. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { localDatabase } from "../../../scripts/lib/database.ts";
import { prepareState } from "../../../scripts/lib/state.ts";

const state = mkdtempSync(join(tmpdir(), "parley-state-"));
afterEach(() => rmSync(state, { recursive: true, force: true }));

async function rows(sql: string) {
  const database = localDatabase(state);
  try {
    return await database.query(sql);
  } finally {
    database.release();
  }
}

it("a new folder has every migration and its keys; a later migration is applied, and nothing is applied twice", async () => {
  const { test_key } = prepareState(state);
  const names = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
  const applied = async () => (await rows("SELECT name FROM d1_migrations ORDER BY id")).map(({ name }) => name);
  const first = await applied();
  expect(first).toEqual([...names.sort(), expect.stringMatching(/^9999_keys_/)]);
  const keys = await rows("SELECT mode FROM keys ORDER BY mode");
  expect(keys).toEqual([{ mode: "live" }, { mode: "test" }]);

  expect(prepareState(state).test_key).toBe(test_key);
  expect(await applied()).toEqual(first);

  const file = join(state, "dev.json");
  const seed = "CREATE TABLE later (n INTEGER); INSERT INTO later VALUES (1);";
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), seed }));
  prepareState(state);
  expect(await rows("SELECT n FROM later")).toEqual([{ n: 1 }]);
  expect(await applied()).toHaveLength(first.length + 1);
  expect(await rows("SELECT mode FROM keys ORDER BY mode")).toEqual(keys);
});

it("a migration that fails leaves the database as it was, and is named when it is tried again", async () => {
  prepareState(state);
  const file = join(state, "dev.json");
  const before = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...before, seed: "CREATE TABLE half (n); INSERT INTO nowhere VALUES (1);" }));
  for (let attempt = 0; attempt < 2; attempt++) expect(() => prepareState(state)).toThrow("nowhere");
  writeFileSync(file, JSON.stringify(before));
  expect(await rows("SELECT name FROM sqlite_master WHERE name = 'half'")).toEqual([]);
});
