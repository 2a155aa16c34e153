import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fillIntegrity, withoutEntry, withoutIntegrity } from "../../../scripts/lockfile/integrity.mjs";

const checked = { version: "1.0.0", integrity: "sha512-aaaa" };
const unchecked = { version: "1.0.0" };

test("a package from the registry without integrity is reported, on whatever level and for whatever platform", () => {
  const packages = {
    "": { version: "0.1.0" },
    "node_modules/good": checked,
    "node_modules/bad": unchecked,
    "node_modules/good/node_modules/@scope/bad": { ...unchecked, optional: true, os: ["darwin"] },
    "clients/js/node_modules/bad": unchecked,
    "node_modules/empty": { ...unchecked, integrity: "" },
    "node_modules/alias": { ...unchecked, name: "real" },
  };
  expect(withoutIntegrity({ packages })).toEqual([
    { location: "node_modules/bad", spec: "bad@1.0.0" },
    { location: "node_modules/good/node_modules/@scope/bad", spec: "@scope/bad@1.0.0" },
    { location: "clients/js/node_modules/bad", spec: "bad@1.0.0" },
    { location: "node_modules/empty", spec: "empty@1.0.0" },
    { location: "node_modules/alias", spec: "real@1.0.0" },
  ]);
});

test("a package from a plain address needs integrity too", () => {
  const packages = { "node_modules/a": { ...unchecked, resolved: "https://example.com/a.tgz" } };
  expect(withoutIntegrity({ packages })).toHaveLength(1);
});

test("the root, workspaces, links, local files, git and bundled dependencies need no integrity", () => {
  const packages = {
    "": { version: "0.1.0" },
    console: unchecked,
    "clients/js": unchecked,
    "node_modules/console": { resolved: "console", link: true },
    "node_modules/local": { ...unchecked, resolved: "file:../local.tgz" },
    "node_modules/by-ssh": { ...unchecked, resolved: "git+ssh://git@example.com/a/b.git#0123456789abcdef" },
    "node_modules/by-git": { ...unchecked, resolved: "git://example.com/a/b.git#0123456789abcdef" },
    "node_modules/good": checked,
    "node_modules/good/node_modules/bundled": { ...unchecked, inBundle: true },
  };
  expect(withoutIntegrity({ packages })).toEqual([]);
});

test("an optional dependency without an entry is reported, one that node finds in a folder above is not", () => {
  const packages = {
    "node_modules/@scope/a": { ...checked, optionalDependencies: { "a-darwin": "1.0.0", "a-linux": "1.0.0" } },
    "node_modules/@scope/a/node_modules/a-linux": checked,
    "node_modules/@scope/a/node_modules/b": { ...checked, optionalDependencies: { "a-linux": "1.0.0", c: "1.0.0" } },
    "node_modules/c": checked,
    "node_modules/d": { ...checked, optionalDependencies: { "a-linux": "1.0.0" } },
  };
  expect(withoutEntry({ packages })).toEqual([
    { location: "node_modules/@scope/a", name: "a-darwin" },
    { location: "node_modules/d", name: "a-linux" },
  ]);
});

test("the registry is asked once for each version that lacks integrity, and for no package from another address", () => {
  const asked: string[] = [];
  const elsewhere = { ...unchecked, resolved: "https://example.com/d.tgz" };
  const packages = {
    "node_modules/a": { ...unchecked, license: "MIT" },
    "node_modules/b": checked,
    "node_modules/b/node_modules/a": unchecked,
    "node_modules/c": unchecked,
    "node_modules/d": elsewhere,
  };
  const lookUp = (spec: string) => {
    asked.push(spec);
    return spec === "a@1.0.0" ? "sha512-bbbb" : undefined;
  };
  const filled = fillIntegrity({ packages }, lookUp);
  expect(asked).toEqual(["a@1.0.0", "c@1.0.0"]);
  expect(filled.packages["node_modules/a"]).toEqual({ version: "1.0.0", integrity: "sha512-bbbb", license: "MIT" });
  expect(filled.packages["node_modules/b/node_modules/a"]!.integrity).toBe("sha512-bbbb");
  expect(filled.packages["node_modules/b"]).toEqual(checked);
  expect(filled.packages["node_modules/d"]).toEqual(elsewhere);
  expect(withoutIntegrity(filled).map(({ spec }) => spec)).toEqual(["c@1.0.0", "d@1.0.0"]);
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-lockfile-test-"));
  const npm = join(folder, "npm");
  // A registry that has one package, has none of the name "gone", and otherwise cannot be reached.
  writeFileSync(
    npm,
    `#!/bin/sh
case "$2" in
  bad@1.0.0) echo '"sha512-bbbb"' ;;
  gone@1.0.0) echo '{"error":{"code":"E404","summary":"none"}}'; exit 1 ;;
  *) echo 'the network is down' >&2; exit 1 ;;
esac
`,
  );
  chmodSync(npm, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => join(folder, "package-lock.json");

/** Runs the command on a lockfile with these packages, with the registry from above. */
function run(packages: Record<string, object>, ...options: string[]) {
  writeFileSync(file(), JSON.stringify({ packages }));
  const script = join(import.meta.dirname, "../../../scripts/lockfile.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options, file()], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
  });
  return { status, stdout, stderr };
}

test("the command passes a complete lockfile", () => {
  const { status, stderr } = run({ "node_modules/good": checked });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("the command fails on missing integrity, names the package and says what to run", () => {
  const { status, stderr } = run({ "node_modules/good": checked, "node_modules/bad": unchecked });
  expect(status).toBe(1);
  expect(stderr).toContain("bad@1.0.0 (node_modules/bad)");
  expect(stderr).toContain("npm run verify:lockfile -- --fix");
  expect(stderr).not.toContain("good");
});

test("the command fails on an optional dependency without an entry", () => {
  const { status, stderr } = run({ "node_modules/a": { ...checked, optionalDependencies: { "a-darwin": "1.0.0" } } });
  expect(status).toBe(1);
  expect(stderr).toContain("a-darwin (optional dependency of node_modules/a)");
});

test("--fix writes what the registry answers", () => {
  const { status } = run({ "node_modules/bad": unchecked }, "--fix");
  expect(status).toBe(0);
  expect(JSON.parse(readFileSync(file(), "utf8")).packages["node_modules/bad"].integrity).toBe("sha512-bbbb");
});

test("--fix fails on a version that the registry does not have, and still writes the others", () => {
  const { status, stderr } = run({ "node_modules/bad": unchecked, "node_modules/gone": unchecked }, "--fix");
  expect(status).toBe(1);
  expect(stderr).toContain("gone@1.0.0");
  expect(stderr).not.toContain("bad@1.0.0");
  expect(JSON.parse(readFileSync(file(), "utf8")).packages["node_modules/bad"].integrity).toBe("sha512-bbbb");
});

test("--fix changes nothing when the registry cannot be reached", () => {
  const packages = { "node_modules/bad": unchecked, "node_modules/other": unchecked };
  const { status, stderr } = run(packages, "--fix");
  expect(status).toBe(1);
  expect(stderr).toContain("the network is down");
  expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({ packages });
});
