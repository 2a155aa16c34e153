import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FileBlobs } from "../../../src/node/file-blobs";

let folder: string;
let blobs: FileBlobs;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-blobs-"));
  blobs = new FileBlobs(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | undefined) => found && new TextDecoder().decode(found);
const unfinished = () => readdirSync(join(folder, "unfinished"));

it("any key is an object of its own inside the folder, also one that looks like a path or lies below another", async () => {
  const keys = ["a", "a/b", "a/b/c", "../../escape", "./.", "..", "", "/", "a//b", "ä/ %2F?.object"];
  for (const key of keys) await blobs.put(key, bytes(`at ${key}`));
  expect(keys.map((key) => text(blobs.read(key)))).toEqual(keys.map((key) => `at ${key}`));
  expect([...blobs.keys("")].toSorted()).toEqual(keys.toSorted());
  expect([...blobs.keys("a/")].toSorted()).toEqual(["a//b", "a/b", "a/b/c"]);
  expect(existsSync(join(folder, "../escape.object"))).toBe(false);
});

it("gives ranges, and nothing for an object that is not there", async () => {
  await blobs.put("key", bytes("twelve bytes"));
  expect([text(blobs.read("key", 7, 5)), text(blobs.read("key", 7)), text(blobs.read("key", 0, 99))]).toEqual([
    "bytes",
    "bytes",
    "twelve bytes",
  ]);
  expect([text(blobs.read("key", 50, 5)), blobs.read("none"), blobs.size("none")]).toEqual(["", undefined, undefined]);
});

it("an object is replaced as a whole, and folders go with their last object", async () => {
  await blobs.put("run/one", bytes("old and long"));
  await blobs.put("run/one", bytes("new"));
  expect(text(blobs.read("run/one"))).toBe("new");
  blobs.delete("run/one");
  blobs.delete("run/none");
  expect([...blobs.keys("")]).toEqual([]);
  expect(readdirSync(join(folder, "objects"))).toEqual([]);
});

it("an upload appears when it is complete, in the order of its parts, and an aborted one leaves nothing", async () => {
  const upload = blobs.upload("key");
  await upload.add(2, bytes("bytes"));
  await upload.add(1, bytes("twelve "));
  expect(blobs.size("key")).toBeUndefined();
  expect([await upload.complete([1, 2]), text(blobs.read("key"))]).toEqual([12, "twelve bytes"]);
  const aborted = blobs.upload("other");
  await aborted.add(1, bytes("never"));
  await aborted.abort();
  expect([unfinished(), blobs.size("other")]).toEqual([[], undefined]);
});

it("what a killed process left unfinished is removed at the next start, and its objects stay", async () => {
  await blobs.put("key", bytes("kept"));
  await blobs.upload("other").add(1, bytes("half"));
  expect(unfinished()).toHaveLength(1);
  const next = new FileBlobs(folder);
  expect([unfinished(), text(next.read("key"))]).toEqual([[], "kept"]);
});

it("an object is stored when its folders are on the disk, also those that another object is making", async () => {
  const { open } = fs;
  let opened: string[] = [];
  fs.open = ((...given: Parameters<typeof open>) => {
    opened.push(String(given[0]));
    return open(...given);
  }) as typeof open;
  syncBuiltinESMExports();
  try {
    for (const key of ["tenant/run/one", "tenant/run/two"]) {
      opened = [];
      await blobs.put(key, bytes("kept"));
      for (const name of ["", "objects", "objects/tenant", "objects/tenant/run"])
        expect(opened, key).toContain(join(folder, name));
    }
  } finally {
    fs.open = open;
    syncBuiltinESMExports();
  }
});
