import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { schemaOf } from "../../../scripts/backup/tables.ts";
import { applyMigrations } from "../../../scripts/lib/apply-migrations.ts";
import { databaseBindings } from "../../../scripts/lib/bindings.ts";
import { localDatabase } from "../../../scripts/lib/database.ts";
import { prepareState } from "../../../scripts/lib/state.ts";
import { isOf, NUMBERS, tenantTables } from "../../../scripts/operator/tenant-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-databases-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("bindings of databases", () => {
  it("are those of the configuration in the order of their numbers, without those in comments", () => {
    const file = join(folder, "some.toml");
    const blocks = ["DB_10", "DB", "DB_2"].map((name) => `[[d1_databases]]\nbinding = "${name}"\n`);
    writeFileSync(file, `${blocks.join("\n")}\n# binding = "DB_3"\nbinding = "BUCKET"\n`);
    expect(databaseBindings(file)).toEqual(["DB", "DB_2", "DB_10"]);
    expect(databaseBindings()).toEqual(["DB"]);
  });
});

describe("migrations of a deployment", () => {
  it("are applied to each database; one that was bound since is created before", async () => {
    const ran: string[] = [];
    await applyMigrations({
      bindings: ["DB", "DB_2", "DB_3"],
      nameOf: (binding) => binding.replace("DB", "parley").replace("_", "-"),
      run: async (args) => void ran.push(args.join(" ")),
      exists: async (name) => name === "parley-2",
    });
    expect(ran).toEqual([
      "d1 migrations apply DB --remote",
      "d1 migrations apply DB_2 --remote",
      "d1 create parley-3",
      "d1 migrations apply DB_3 --remote",
    ]);
  });
});

describe("a tenant's rows", () => {
  it("are known in every table, and their conditions are SQL", async () => {
    const state = join(folder, "state");
    prepareState(state);
    const db = localDatabase(state);
    const { tables } = await schemaOf(db);
    for (const { name } of tenantTables(tables)) await db.query(`SELECT 1 FROM ${name} WHERE ${isOf(name, "ten_1")}`);
    const numbered = await db.query("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%' ORDER BY name");
    const known = [...Object.keys(NUMBERS), "d1_migrations"].toSorted();
    expect(numbered.map(({ name }) => name)).toEqual(known);
    db.release();
  });

  it("in a table that nobody has described are an error", () => {
    const table = { name: "letters", columns: [{ name: "text", isBlob: false }], key: null };
    expect(() => tenantTables([table])).toThrow("move-tenant does not know the table letters.");
  });
});
