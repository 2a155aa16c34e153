/** Every promise of SECURITY.md and docs/promises.md names an existing test. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const HEAD = /^\| (attempt|promise) \|/;

/** The names of tests and groups in a test file. */
const namesIn = (path: string) =>
  [
    ...readFileSync(join(ROOT, path), "utf8").matchAll(
      /(?:\(|^\s+)("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`),?\s*(?:async )?(?:\(|\{|$)/gm,
    ),
  ].map(([, literal = ""]) => literal.slice(1, -1));

describe.each(["SECURITY.md", "docs/promises.md"])("%s", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  /** The rows of its tables, without the header rows. */
  const lines = text.split("\n").filter((line) => line.startsWith("| ") && !HEAD.test(line));
  const links = [...text.matchAll(/\[((?:[^\]]|\](?!\())+)\]\(([^)]*test\/[^)]+)\)/g)].map(
    ([, name = "", path = ""]) => ({
      name,
      path: normalize(join(dirname(page), path)),
    }),
  );

  it("has lines, each with a test", () => {
    expect(lines.length).toBeGreaterThan(25);
    for (const line of lines) expect(line, line).toMatch(/\[.+\]\([^)]*test\/[^)]+\.test\.ts\) \|$/);
  });

  test.each(links)("names an existing test, in $path: $name", ({ name, path }) => {
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    expect(namesIn(path)).toContain(name);
  });
});
