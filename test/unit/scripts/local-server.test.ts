import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nextChange } from "../../../scripts/dev/changes.ts";
import { onSource } from "../../../scripts/workerd/source-positions.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-local-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("the stack trace of a bundled Worker names the source's file and line", async () => {
  const source = join(folder, "fieldError.ts");
  writeFileSync(source, "\n\nexport const fail = () => {\n  throw new Error('no');\n};\n");
  const bundle = join(folder, "worker.js");
  await build({ entryPoints: [source], outfile: bundle, bundle: true, minify: true, format: "esm", sourcemap: true });
  // In a process of its own: vitest maps positions, too.
  const program = `import { fail } from ${JSON.stringify(bundle)}; try { fail(); } catch (error) { console.log(error.stack); }`;
  const stack = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect(stack).not.toContain("fieldError.ts");
  expect(onSource(JSON.stringify({ stack }), bundle)).toMatch(/fieldError\.ts:4:\d+/);
  expect(onSource(JSON.stringify({ stack }), bundle)).not.toContain("worker.js");
});

it("a line of the log without a position stays as it is, also where there is no source map", () => {
  const bundle = join(folder, "worker.js");
  expect(onSource('{"message":"run completed"}', bundle)).toBe('{"message":"run completed"}');
  expect(onSource("at worker.js:1:2", bundle)).toBe("at worker.js:1:2");
});

it("a change of a file below a watched folder is noticed, also of a new folder; without one the wait ends when it is given up", async () => {
  mkdirSync(join(folder, "src/deep"), { recursive: true });
  const watching = { names: ["src"] };
  for (const file of ["src/deep/a.ts", "src/b.ts"]) {
    const changed = nextChange(folder, watching);
    await sleep(50);
    writeFileSync(join(folder, file), "1");
    await changed;
  }
  const over = new AbortController();
  const waiting = nextChange(folder, { ...watching, signal: over.signal });
  const early = await Promise.race([waiting.then(() => "changed"), sleep(300, "waits")]);
  expect(early).toBe("waits");
  over.abort();
  await waiting;
});

it("Miniflare, which serves locally, has the version that wrangler builds for", () => {
  const versionIn = (file: string, group: string) =>
    (JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>)[group]!.miniflare;
  expect(versionIn("package.json", "devDependencies")).toBe(
    versionIn("node_modules/wrangler/package.json", "dependencies"),
  );
});
