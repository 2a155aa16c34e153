/** One version of Node is stated everywhere: that of .nvmrc, which `npm ci` installs. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const VERSION = read(".nvmrc").trim();

/** Whoever uses the clients has a Node of their own, and recorded texts of models may name any. */
const FILES = globSync(["*.md", "docs/{*,guide/*}.md", "Dockerfile", ".ci/run", "{scripts,lab}/**/*.{mjs,ts}"], {
  cwd: ROOT,
});
/** `Node 24`, `Node.js 24`, `node:24`, `node24`. */
const MENTION = /\bnode(?:\.js)?[ :]?v?(\d+)/gi;

test("package.json asks for it, installs it and has its types", () => {
  const { engines, devDependencies } = JSON.parse(read("package.json"));
  expect(engines.node).toBe(`>=${VERSION}`);
  for (const name of ["node", "@types/node"]) expect(devDependencies[name]).toMatch(new RegExp(`^${VERSION}\\.`));
});

test("documents, the image and bundles name no other", () => {
  const named = FILES.flatMap((file) => [...read(file).matchAll(MENTION)].map(([, version]) => `${file}: ${version}`));
  expect(named.filter((mention) => !mention.endsWith(`: ${VERSION}`))).toEqual([]);
  for (const file of ["README.md", "CONTRIBUTING.md", "docs/guide/quick-start.md", "Dockerfile"])
    expect(named).toContain(`${file}: ${VERSION}`);
});
