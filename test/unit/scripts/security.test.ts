/** SECURITY.md promises nothing that no test holds. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const page = readFileSync(join(ROOT, "SECURITY.md"), "utf8");

/** The lines of its tables, without their heads. */
const lines = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| attempt "));
const links = [...page.matchAll(/\[([^\]]+)\]\((test\/[^)]+)\)/g)].map(([, name = "", path = ""]) => ({ name, path }));

/** The names that a test file gives: of tests, and of groups of them. */
const namesIn = (path: string) =>
  [
    ...readFileSync(join(ROOT, path), "utf8").matchAll(
      /(?:\(|^\s+)("(?:[^"\\]|\\.)*"|`[^`]*`),?\s*(?:async )?(?:\(|$)/gm,
    ),
  ].map(([, literal = ""]) => literal.slice(1, -1));

it("has lines, each with a test that holds it", () => {
  expect(lines.length).toBeGreaterThan(25);
  for (const line of lines) expect(line, line).toMatch(/\[[^\]]+\]\(test\/[^)]+\.test\.ts\)[^|]*\|$/);
});

describe("names tests that there are", () => {
  test.each(links)("$path: $name", ({ name, path }) => {
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    expect(namesIn(path)).toContain(name);
  });
});
