/**
 * Backup and restore of rows and objects, on SQLite in memory. test/slow/unit/scripts/backup-command.test.ts calls the commands,
 * test/slow/process/backup.test.ts does it with a server.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backUp } from "../../../scripts/backup/backup.ts";
import { objectFile, readManifest } from "../../../scripts/backup/folder.ts";
import { holdWrites } from "../../../scripts/backup/hold.ts";
import { references } from "../../../scripts/backup/objects.ts";
import { restore } from "../../../scripts/backup/restore.ts";
import { schemaOf } from "../../../scripts/backup/tables.ts";
import { archiveKey, encodeArchive } from "#store/archive/format";
import { bucketIn, databaseIn, filled, migrated, sha256 } from "../../support/stored-backup";

const say = () => {};

let folder: string;
let source: DatabaseSync;
let objects: Map<string, Buffer>;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "parley-backup-test-")), "backup");
  source = filled();
  objects = new Map([["ten_1/run_1/art_2", Buffer.from("large")]]);
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

const take = (db = databaseIn(source), hold = 60_000) =>
  backUp({ db, bucket: bucketIn(objects), folder, version: "1.2.3", hold, say });

async function restored(into = migrated(), found = new Map<string, Buffer>()) {
  const manifest = await readManifest(folder);
  await restore({ db: databaseIn(into), bucket: bucketIn(found), folder, manifest, say });
  return { into, found };
}

const all = (sqlite: DatabaseSync, sql: string) =>
  sqlite
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
const schema = (sqlite: DatabaseSync) => all(sqlite, "SELECT type, name, sql FROM sqlite_master ORDER BY type, name");

/** Archives run_7 with these artifacts. Returns the key of the archive. */
async function archived(artifacts: object[]): Promise<string> {
  const rows = {
    run: [],
    stages: [],
    artifacts: artifacts as never[],
    events: [],
    interactions: [],
    delivery_attempts: [],
  };
  const object = Buffer.from(await encodeArchive("run_7", rows));
  const key = archiveKey({ id: "run_7", tenant_id: "ten_1" }, 1, createHash("sha256").update(object).digest("hex"));
  source.prepare("UPDATE runs SET archive_key = ? WHERE id = 'run_7'").run(key);
  objects.set(key, object);
  return key;
}

describe("a restored backup", () => {
  it("has every row, byte by byte, every object, and the tables and triggers of before", async () => {
    expect(await take()).toMatchObject({ version: "1.2.3", objects: 1, invalid: [] });
    const { into, found } = await restored();
    for (const { name } of (await schemaOf(databaseIn(source))).tables)
      if (!["passages", "documents", "corpora", "pools", "maintenance_pass"].includes(name))
        expect(all(into, `SELECT * FROM ${name}`), name).toEqual(all(source, `SELECT * FROM ${name}`));
    expect(found).toEqual(objects);
    expect(schema(into)).toEqual(schema(source));
    expect(all(into, "SELECT COUNT(*) AS deliveries FROM deliveries")).toEqual([{ deliveries: 120 }]);
    into.exec("UPDATE runs SET phase = 'running' WHERE id = 'run_1'");
    expect(all(into, "SELECT type FROM events WHERE run_id = 'run_1'").at(-1)).toEqual({ type: "run.started" });
  });

  it("has rows with several texts that are each just short enough for one statement", async () => {
    const text = "€".repeat(14_000);
    source.prepare("UPDATE runs SET input = ?1, options = ?1, output = ?1, metadata = ?1 WHERE id = 'run_5'").run(text);
    await take();
    const { into } = await restored();
    const texts = "SELECT input, options, output, metadata FROM runs WHERE id = 'run_5'";
    expect(all(into, texts)).toEqual(all(source, texts));
  });

  it("says that the maintenance pass is overdue, so that a health check wakes the maintenance worker", async () => {
    await take();
    const { into } = await restored();
    const [round] = all(into, "SELECT next_at FROM maintenance_pass");
    expect(round!.next_at).toBeLessThan(Date.now() - 3_600_000);
  });

  it("has a full-text index, made from the passages", async () => {
    await take();
    const { into } = await restored();
    const found = (term: string) =>
      all(into, `SELECT doc, col FROM passages_terms WHERE term = '1·${term}' ORDER BY doc, col`);
    expect(found("lend")).toEqual([
      { doc: 1, col: "body" },
      { doc: 1, col: "head" },
      { doc: 2, col: "head" },
    ]);
    expect(found("loan")).toEqual([{ doc: 2, col: "body" }]);
  });

  it("embeds passages again whose vectors are in Vectorize", async () => {
    await take();
    const { into } = await restored();
    expect(all(into, "SELECT id, embedded, hex(vector) AS vector FROM passages")).toEqual([
      { id: 1, embedded: 1, vector: "0001FF" },
      { id: 2, embedded: 0, vector: "" },
    ]);
    expect(all(into, "SELECT status, (SELECT embedded FROM pools) AS embedded FROM documents")).toEqual([
      { status: "embedding", embedded: 1 },
    ]);
    expect(all(into, "SELECT id FROM corpora WHERE due_at IS NOT NULL")).toHaveLength(1);
  });
});

describe("while a backup is taken", () => {
  it("writes to every table are refused, and afterwards they are not", async () => {
    const write = "UPDATE runs SET phase = 'running' WHERE id = 'run_2'";
    let refused = 0;
    await take(
      databaseIn(source, (sql) => {
        if (!sql.includes("FROM events")) return;
        expect(() => source.exec(write)).toThrow("writes_are_held");
        expect(() => source.exec("DELETE FROM orphans; DELETE FROM tenants")).toThrow("writes_are_held");
        refused++;
      }),
    );
    expect(refused).toBeGreaterThan(0);
    source.exec(write);
    expect(schema(source)).toEqual(schema(migrated()));
  });

  it("a hold that a killed command leaves ends by itself", async () => {
    const db = databaseIn(source);
    await holdWrites(db, (await schemaOf(db)).tables, 0);
    source.exec("DELETE FROM keys; UPDATE runs SET phase = 'running'");
  });

  it.each([
    ["that takes longer than the hold", 0, () => {}],
    ["whose hold another one ends", 60_000, () => source.exec("DROP TRIGGER IF EXISTS backup_holds_runs_update")],
  ])("a backup %s fails, and leaves no manifest", async (_name, hold, disturb) => {
    await expect(
      take(
        databaseIn(source, (sql) => sql.includes("FROM events") && disturb()),
        hold,
      ),
    ).rejects.toThrow("--hold");
    expect(existsSync(join(folder, "manifest.json"))).toBe(false);
    await expect(readManifest(folder)).rejects.toThrow("not finished");
    expect(schema(source)).toEqual(schema(migrated()));
  });

  it("a new object is copied with the rows, one of a run that is gone is not kept, and a missing one is named", async () => {
    objects.set("ten_1/run_1/gone", Buffer.from("gone"));
    source.exec("UPDATE runs SET input = NULL, input_key = 'ten_1/run_1/gone' WHERE id = 'run_3'");
    let first = true;
    const db = databaseIn(source, (sql) => {
      if (!sql.includes("backup_holds_") || !first) return;
      first = false;
      source.exec("UPDATE runs SET input_key = 'ten_1/run_1/missing' WHERE id = 'run_3'");
      source.exec("UPDATE runs SET input_key = 'ten_1/run_1/new' WHERE id = 'run_4'");
      objects.set("ten_1/run_1/new", Buffer.from("new"));
    });
    expect(await take(db)).toMatchObject({ objects: 2, invalid: ["ten_1/run_1/missing"] });
    expect(readdirSync(join(folder, "objects")).sort()).toEqual([sha256("large"), sha256("new")].sort());
  });

  it("archives of runs are copied, with the objects to which their rows refer", async () => {
    const key = await archived([
      { id: "art_9", content: null, content_key: "ten_1/run_7/art_9", sha256: sha256("inner") },
    ]);
    objects.set("ten_1/run_7/art_9", Buffer.from("inner"));
    expect(await take()).toMatchObject({ objects: 3, invalid: [] });
    const { found } = await restored();
    expect(found).toEqual(objects);
    expect(found.get(key)).toBeDefined();
  });

  it("an archive that was altered, or lacks an object, is named", async () => {
    const key = await archived([
      { id: "art_9", content: null, content_key: "ten_1/run_7/art_9", sha256: sha256("inner") },
    ]);
    expect(await take()).toMatchObject({ invalid: ["ten_1/run_7/art_9"] });
    rmSync(folder, { recursive: true });
    objects.set(key, gzipSync("{}\n"));
    expect(await take()).toMatchObject({ invalid: [key] });
  });

  it("an object that is not what its row says is named", async () => {
    objects.set("ten_1/run_1/art_2", Buffer.from("other"));
    expect(await take()).toMatchObject({ invalid: ["ten_1/run_1/art_2"] });
  });
});

it("a restore that breaks off says that its database must not be used", async () => {
  await take();
  const db = databaseIn(migrated());
  const statements: string[] = [];
  const broken = {
    ...db,
    execute: async (sql: string) =>
      statements.push(sql) > 1 ? Promise.reject(new Error("Network connection lost.")) : db.execute(sql),
  };
  const given = { db: broken, bucket: bucketIn(new Map()), folder, manifest: await readManifest(folder), say };
  await expect(restore(given)).rejects.toThrow(/^Network connection lost\.\n.*no triggers: delete it/);
});

describe("a restore is refused", () => {
  it("into a database with rows, and writes nothing", async () => {
    await take();
    const into = migrated();
    into.exec("INSERT INTO tenants (id, name, created_at) VALUES ('ten_x', 'x', 1)");
    await expect(restored(into)).rejects.toThrow("not empty (tenants)");
    expect(all(into, "SELECT id FROM tenants")).toEqual([{ id: "ten_x" }]);
  });

  it("into a database of another version", async () => {
    await take();
    const into = migrated();
    into.exec("INSERT INTO d1_migrations (name) VALUES ('9000_later.sql')");
    await expect(restored(into)).rejects.toThrow("this version of Parley ends with 9000_later.sql");
  });

  it.each([
    ["rows", () => appendFileSync(join(folder, "tables/runs.ndjson"), "{}\n"), "tables/runs.ndjson was changed"],
    ["an object", () => writeFileSync(objectFile(folder, sha256("large")), "changed"), "was changed"],
    ["a lost file", () => rmSync(objectFile(folder, sha256("large"))), "is missing"],
  ])("when the backup is damaged: %s", async (_name, damage, message) => {
    await take();
    damage();
    await expect(readManifest(folder)).rejects.toThrow(message);
  });

  it("into a folder with files a backup is not taken either", async () => {
    await take();
    await expect(take()).rejects.toThrow("is not empty");
    expect(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")).format).toBe(1);
  });
});

it("every column that holds the key of an object is known", async () => {
  const { tables } = await schemaOf(databaseIn(source));
  const known = references(tables).map(({ table, column }) => `${table}.${column}`);
  const others = ["runs.child_key", "runs.reuse_key", "agents.name_key"];
  const named = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
  expect(named.filter((name) => name.endsWith("_key") && !known.includes(name))).toEqual(others);
  expect(known).toContain("uploads.key");
});
