import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { readImports } from "./imports.ts";
import { circles, floors, graphOf, order } from "./graph.ts";
import { roomOf } from "./rooms.ts";

/** Counts of a tree, one line each: rooms, floors, arrows between rooms, arrows that run upward, circles of files, lines of code. */
export function countsOf(root: string, { files, imports }: ReturnType<typeof readImports>) {
  const rooms = graphOf(
    imports
      .filter(({ from, to }) => from.startsWith("src/") && to.startsWith("src/"))
      .map(({ from, to }): [string, string] => [roomOf(from), roomOf(to)]),
    files.filter((file) => file.startsWith("src/")).map(roomOf),
  );
  const sorted = order(rooms);
  const arrows = [...rooms].flatMap(([from, targets]) => [...targets].map((to): [string, string] => [from, to]));
  const upward = arrows.filter(([from, to]) => sorted.indexOf(from) > sorted.indexOf(to));
  const found = circles(graphOf(imports.map(({ from, to }): [string, string] => [from, to])));
  const linesOf = (file: string) => readFileSync(join(root, file), "utf8").split("\n").length - 1;
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  return [
    `Rooms of src:                  ${rooms.size}`,
    `Floors:                        ${floors(rooms, sorted)}`,
    `Arrows between rooms:          ${arrows.length}`,
    `Arrows that run upward:        ${upward.length}`,
    `Circles of files:              ${found.length}${found.length ? ` (the largest of ${found[0]?.length} files)` : ""}`,
    `Lines of src and workflows:    ${lines} in ${files.length} files`,
  ];
}
