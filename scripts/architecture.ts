import { command } from "./lib/command.ts";
import { ROOT } from "./lib/wrangler.ts";
import { check } from "./architecture/check.ts";
import { countsOf } from "./architecture/counts.ts";
import { readImports } from "./architecture/imports.ts";

const { values } = command({
  name: "verify:architecture",
  what: `Prints the counts of a tree (rooms, floors, arrows, circles, lines), and checks its imports against scripts/architecture/rooms.ts. Exit
code 1: a rule is violated.`,
  options: {
    root: { type: "string", value: "FOLDER", default: ROOT, help: "of the tree" },
    count: { type: "boolean", help: "only counts, so that older trees can be compared" },
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
