/** The commands that take a backup and restore it, as an operator calls them. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backUp } from "../../../../scripts/backup/backup.ts";
import { bucketIn, databaseIn, filled } from "../../../support/stored-backup";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "parley-backup-test-")), "backup");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

it.each([
  ["backup", ["--local", "elsewhere"]],
  ["operator", ["--local", "tenants"]],
])("%s of a folder that no server has used is refused, and makes no database there", async (name, args) => {
  const state = join(folder, "mistyped");
  const run = promisify(execFile)(process.execPath, [`scripts/${name}.ts`, ...args], {
    env: { ...process.env, PARLEY_STATE: state },
  });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("set PARLEY_STATE") });
  expect(existsSync(state)).toBe(false);
});

describe("on a deployment, with a stand-in for wrangler", () => {
  const command = (name: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [`scripts/${name}.ts`, ...args], {
      env: { ...process.env, PARLEY_WRANGLER: "test/support/wrangler-on-disk.mjs", FAKE_ACCOUNT: account },
    });
  let account: string;
  beforeEach(() => (account = mkdtempSync(join(tmpdir(), "parley-account-"))));
  afterEach(() => rmSync(account, { recursive: true }));

  it("a backup is restored into a database and a bucket that the command makes, and into no other", async () => {
    const source = filled();
    source.exec(`VACUUM INTO '${join(account, "parley.sqlite")}'`);
    mkdirSync(join(account, "parley"));
    const stored = encodeURIComponent("ten_1/run_1/art_2");
    writeFileSync(join(account, "parley", stored), "large");
    expect((await command("backup", folder)).stdout).toContain("1 objects");

    const { stdout } = await command("restore", "--env", "drill", folder);
    expect(stdout).toContain("npm run deploy -- --adopt --env drill");
    expect(readFileSync(join(account, "parley-drill", stored), "utf8")).toBe("large");
    const into = new DatabaseSync(join(account, "parley-drill.sqlite"));
    const eventsOf = (database: DatabaseSync) => database.prepare("SELECT * FROM events").all();
    expect(eventsOf(into)).toEqual(eventsOf(source));
    into.close();

    for (const where of [["--env", "drill"], []])
      await expect(command("restore", ...where, folder)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining("The database is not empty"),
      });
  });

  it("of another version, a backup is refused before a database or a bucket is made", async () => {
    await backUp({
      db: databaseIn(filled()),
      bucket: bucketIn(new Map()),
      folder,
      version: "1.2.3",
      hold: 60_000,
      say: () => {},
    });
    const file = join(folder, "manifest.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...manifest, migrations: manifest.migrations.slice(0, -1) }));
    await expect(command("restore", "--env", "drill", folder)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("restore with the version that took the backup"),
    });
    expect(readdirSync(account)).toEqual([]);
  });

  it.each([
    ["backup", [], "Name one folder"],
    ["backup", ["--hold", "soon", "folder"], "a number of seconds"],
    ["restore", [], "Name one folder"],
    ["restore", ["--all", "folder"], "--all"],
  ])("%s %j is refused with its usage", async (name, args, message) => {
    await expect(command(name, ...args)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
