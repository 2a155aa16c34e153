/** Node runs scripts and lab by taking their types away: what would have to be compiled has no place there. */
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");

it("scripts and lab hold no TypeScript that cannot be erased", () => {
  const files = globSync("{scripts,lab}/**/*.ts", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(100);
  for (const file of files)
    expect(() => stripTypeScriptTypes(readFileSync(join(ROOT, file), "utf8")), file).not.toThrow();
});
