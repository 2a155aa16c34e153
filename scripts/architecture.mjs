// npm run verify:architecture [-- --root DIR] [--count]: prints the counts of a tree (rooms, floors, arrows, circles, lines) and checks its
// imports against scripts/architecture/rooms.mjs. Exit code 1: a rule is violated. With --count it only counts, so that older trees can be
// compared.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check } from "./architecture/check.mjs";
import { countsOf } from "./architecture/counts.mjs";
import { readImports } from "./architecture/imports.mjs";

const { values } = parseArgs({
  options: {
    root: { type: "string", default: join(import.meta.dirname, "..") },
    count: { type: "boolean", default: false },
  },
});

const tree = readImports(values.root);
process.stdout.write(`${countsOf(values.root, tree).join("\n")}\n`);
const violations = values.count ? [] : check(tree);
if (violations.length) {
  const list = violations.map((violation) => `- ${violation}`).join("\n");
  process.stderr.write(
    `\n${list}\n\nViolations of the architecture: ${violations.length}. ARCHITECTURE.md explains the rooms.\n`,
  );
  process.exitCode = 1;
}
