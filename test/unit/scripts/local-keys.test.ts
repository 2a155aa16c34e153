import fs, { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keysOfState, recordSecrets } from "../../../scripts/lib/local-keys.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-keys-"));
  file = join(folder, "keys.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

it("keys.json is on the disk before it has its name, and its name before a server uses it", () => {
  const { openSync, fsyncSync, renameSync } = fs;
  const names = new Map<number, string>();
  const calls: string[] = [];
  Object.assign(fs, {
    openSync: (path: string, flags: string, mode?: number) => {
      const opened = openSync(path, flags, mode);
      names.set(opened, path === folder ? "folder" : basename(path));
      return opened;
    },
    fsyncSync: (opened: number) => (calls.push(`sync ${names.get(opened)}`), fsyncSync(opened)),
    renameSync: (from: string, to: string) => (calls.push(`rename to ${basename(to)}`), renameSync(from, to)),
  });
  syncBuiltinESMExports();
  try {
    keysOfState(file);
  } finally {
    Object.assign(fs, { openSync, fsyncSync, renameSync });
    syncBuiltinESMExports();
  }
  expect(calls).toEqual(["sync keys.json.new", "rename to keys.json", "sync folder"]);
});

it("keys are the same at each start; a file that is empty or no keys is named with the remedy", () => {
  expect(keysOfState(file)).toEqual(keysOfState(file));
  for (const damage of ["", "{", "{}", "null", '{"secret": 1}']) {
    writeFileSync(file, damage);
    expect(() => keysOfState(file)).toThrow(`${file} is empty or damaged. Put it back from a backup`);
  }
});

it("secrets of the environment are recorded, and hold until the environment names others", () => {
  const keys = keysOfState(file);
  expect(recordSecrets(file, keys, { OPENAI_MODEL: "a" })).toEqual({ PARLEY_SECRET: keys.secret });
  expect(keysOfState(file)).toEqual(keys);
  const rotated = { PARLEY_SECRET_2: "2".repeat(32), PARLEY_SECRET_UNTIL: "2099-01-31" };
  const secrets = recordSecrets(file, keys, rotated);
  expect(secrets).toEqual({ PARLEY_SECRET: keys.secret, ...rotated });
  expect(recordSecrets(file, keysOfState(file), {})).toEqual(secrets);
  const alone = { PARLEY_SECRET: "3".repeat(32) };
  expect(recordSecrets(file, keysOfState(file), alone)).toEqual(alone);
  expect(recordSecrets(file, keysOfState(file), {})).toEqual(alone);
});
