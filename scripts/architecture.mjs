// npm run architecture [-- --root DIR] [--count]: counts rooms, floors, imports that run upward, circles and lines of a tree, and checks the
// tree against the table of scripts/architecture/rooms.mjs. Fails on a violation; with --count it counts only, so that older trees can be
// compared.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check, roomOf } from "./architecture/check.mjs";
import { circles, floors, graphOf, order } from "./architecture/graph.mjs";
import { readImports } from "./architecture/imports.mjs";

const { values } = parseArgs({
  options: {
    root: { type: "string", default: join(import.meta.dirname, "..") },
    count: { type: "boolean", default: false },
  },
});

const tree = readImports(values.root);
process.stdout.write(`${counts(tree).join("\n")}\n`);
const violations = values.count ? [] : check(tree);
if (violations.length) {
  process.stderr.write(
    `\n${violations.map((one) => `- ${one}`).join("\n")}\n\n${violations.length} violations of the architecture. ARCHITECTURE.md has the plan.\n`,
  );
  process.exitCode = 1;
}

/** @param {ReturnType<typeof readImports>} tree */
function counts({ files, imports }) {
  const inSource = imports.filter(({ from, to }) => from.startsWith("src/") && to.startsWith("src/"));
  const room = (file) => roomOf(file).replace(/\.ts$/, "");
  const rooms = graphOf(
    inSource.map(({ from, to }) => [room(from), room(to)]),
    files.filter((file) => file.startsWith("src/") && !file.endsWith(".d.ts")).map(room),
  );
  const sorted = order(rooms);
  const arrows = [...rooms].flatMap(([from, tos]) => [...tos].map((to) => [from, to]));
  const upward = arrows.filter(([from, to]) => sorted.indexOf(from) > sorted.indexOf(to));
  const files_in_circles = circles(graphOf(imports.map(({ from, to }) => [from, to])));
  const lines = files.reduce(
    (sum, file) => sum + readFileSync(join(values.root, file), "utf8").split("\n").length - 1,
    0,
  );
  return [
    `Rooms of src:                  ${rooms.size}`,
    `Floors:                        ${floors(rooms, sorted)}`,
    `Arrows between rooms:          ${arrows.length}`,
    `Arrows that run upward:        ${upward.length}`,
    `Circles of files:              ${files_in_circles.length}${files_in_circles.length ? ` (the largest of ${files_in_circles[0].length} files)` : ""}`,
    `Lines of src and workflows:    ${lines} in ${files.length} files`,
  ];
}
