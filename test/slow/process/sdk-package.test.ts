/** The SDK as npm packs it, unpacked into an empty project, with the README's quick start. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Served } from "../../support/served";

const ROOT = join(import.meta.dirname, "../../..");
const PACKAGE = join(ROOT, "clients/typescript");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");

const project = mkdtempSync(join(tmpdir(), "parley-sdk-"));
const run = (cwd: string, file: string, ...args: string[]) => execFileSync(file, args, { cwd, encoding: "utf8" });

let tarball: string;
beforeAll(() => {
  run(PACKAGE, process.execPath, TSC, "-p", ".");
  const [packed] = JSON.parse(run(PACKAGE, "npm", "pack", "--json", "--silent", "--pack-destination", project));
  tarball = join(project, packed.filename);
  const installed = join(project, "node_modules/@parley/sdk");
  mkdirSync(installed, { recursive: true });
  run(project, "tar", "-xzf", tarball, "-C", installed, "--strip-components=1");
});
afterAll(() => rmSync(project, { recursive: true }));

it("publint and arethetypeswrong find no error in the package", () => {
  const program = (name: string, path: string) => join(ROOT, "node_modules", name, path);
  expect(run(PACKAGE, process.execPath, program("publint", "src/cli.js"), "--strict", tarball)).toContain("All good!");
  const attw = program("@arethetypeswrong/cli", "dist/index.js");
  run(PACKAGE, process.execPath, attw, tarball, "--profile", "esm-only");
});

it("the README's quick start has at most 12 lines, compiles in an empty project, and prints its run's answer", async () => {
  const [, quickStart] = /## Quick start\s+```ts\n(.*?)```/s.exec(readFileSync(join(PACKAGE, "README.md"), "utf8"))!;
  expect(quickStart!.trimEnd().split("\n").length).toBeLessThanOrEqual(12);
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  writeFileSync(join(project, "start.ts"), quickStart!);
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom"];
  run(project, process.execPath, TSC, ...options, "--types", "", "start.ts");

  const served = await Served.start();
  try {
    const env = { ...process.env, PARLEY_BASE_URL: served.url, PARLEY_API_KEY: served.test_key };
    const printed = execFileSync(process.execPath, ["start.ts"], { cwd: project, encoding: "utf8", env });
    expect(printed).toMatch(/^completed /);
  } finally {
    await served.close();
  }
});
