import type { Import } from "./imports.ts";
import { circles, graphOf } from "./graph.ts";
import { FLOORS, PARTS, roomOf, ROOMS, VAGUE_NAMES, WORKFLOWS } from "./rooms.ts";

export type Tree = { files: string[]; imports: Import[] };

/** Rules of the whole tree. Each returns one sentence for each violation. */
const RULES = [knownRooms, partsOfWorkflows, noCircles, entriesOfCore];

/** Rules of one import. Each returns one sentence for each violation. */
const IMPORT_RULES = [
  allowedRoom,
  noRelativePath,
  allowedFloor,
  receivedWorkflows,
  ownWorkflow,
  allowedPart,
  ownPrompts,
];

/**
 * Checks a tree against the tables of rooms.ts.
 * @returns one sentence for each violation, each once
 */
export const check = (tree: Tree): string[] => [
  ...new Set([
    ...RULES.flatMap((rule) => rule(tree)),
    ...tree.imports.flatMap((imported) => IMPORT_RULES.flatMap((rule) => rule(imported))),
  ]),
];

// --- rooms of src -------------------------------------------------------------------------------------------------------------------

/** Every file of src lies in a room. */
function knownRooms({ files }: Tree) {
  return files
    .filter((file) => file.startsWith("src/") && !(roomOf(file) in ROOMS))
    .map((file) => `${file}: src has no room of this name. Rooms are ${Object.keys(ROOMS).join(", ")}.`);
}

/** A room imports only the rooms that its line of ROOMS names. */
function allowedRoom({ from, to, values }: Import) {
  const [room, other] = [roomOf(from), roomOf(to)];
  const table = ROOMS[room];
  if (room === other || !table || !to.startsWith("src/")) return [];
  const { may, why } = table;
  const allowed = may[other];
  if (!allowed) return [`${from} imports ${to}: ${room} may not import ${other}. ${why}`];
  const excess = allowed === true ? [] : values.filter((name) => !allowed.includes(name));
  return excess.length
    ? [`${from} imports ${excess.join(", ")} of ${to}: ${room} takes only types of ${other}. ${why}`]
    : [];
}

/** Imports of another room are written with its alias. */
function noRelativePath({ from, to, specifier }: Import) {
  const other = roomOf(to);
  if (roomOf(from) === other || from === "src/worker.ts" || !specifier.startsWith(".")) return [];
  return to.startsWith("src/") ? [`${from} imports ${to} by a relative path: write #${other}/….`] : [];
}

/** Inside a room with FLOORS, a folder imports only folders below it. */
function allowedFloor({ from, to }: Import) {
  const room = roomOf(from);
  const plan = FLOORS[room];
  if (!plan || roomOf(to) !== room) return [];
  const [upper, lower] = [folderOf(from), folderOf(to)];
  if (upper === lower || floorOf(plan, upper) < floorOf(plan, lower)) return [];
  const drawn = plan.map((folders) => folders.join(" ")).join(" > ");
  return [`${from} imports ${to}: inside ${room} imports run down, ${drawn}.`];
}

/** The folder of a file inside its room; `.` is the room's root. */
const folderOf = (file: string) => (file.split("/").length > 3 ? (file.split("/")[2] ?? ".") : ".");

function floorOf(plan: string[][], folder: string) {
  const floor = plan.findIndex((folders) => folders.includes(folder));
  return floor === -1 ? plan.findIndex((folders) => folders.includes("*")) : floor;
}

/** A file of core has a concept for a name, and at least two rooms besides api import it. `outbound` counts as one file. */
function entriesOfCore({ files, imports }: Tree) {
  const entryOf = (file: string) => (file.startsWith("src/core/outbound/") ? "src/core/outbound" : file);
  const entries = new Set(files.filter((file) => roomOf(file) === "core").map(entryOf));
  return [...entries].flatMap((entry) => {
    const name = (entry.split("/").at(-1) ?? "").replace(/\.ts$/, "");
    const users = new Set(imports.filter(({ to }) => entryOf(to) === entry).map(({ from }) => roomOf(from)));
    const rooms = [...users].filter((room) => room !== "core" && room !== "api");
    return [
      ...(VAGUE_NAMES.includes(name) ? [`${entry}: the name says nothing; name the concept.`] : []),
      ...(rooms.length < 2
        ? [
            `${entry} is used by ${rooms.join(", ") || "nobody"} only: a file enters core when two rooms besides api need it.`,
          ]
        : []),
    ];
  });
}

// --- files --------------------------------------------------------------------------------------------------------------------------

/** No files import each other in a circle; imports of types count. */
function noCircles({ imports }: Tree) {
  return circles(graphOf(imports.map(({ from, to }): [string, string] => [from, to]))).map(
    (circle) =>
      `These files import each other in a circle, types counted: ${circle.join(", ")}. Move what they share below them.`,
  );
}

// --- workflows ----------------------------------------------------------------------------------------------------------------------

/** Only the files of WORKFLOWS import workflows. */
function receivedWorkflows({ from, to }: Import) {
  if (!from.startsWith("src/") || !to.startsWith("workflows/")) return [];
  if (WORKFLOWS.importers.includes(from) && to === WORKFLOWS.index) return [];
  return [
    `${from} imports ${to}: only ${WORKFLOWS.importers.join(" and ")} import ${WORKFLOWS.index}; other files receive a workflow as a parameter.`,
  ];
}

/** The method and the part of `workflows/<method>/<part>…`; undefined for other files. */
function placeOf(file: string) {
  const [, method, part] = file.match(/^workflows\/([^/]+)\/([^/]+?)(?:\.ts|\/.*)$/) ?? [];
  return method && part ? { method, part } : undefined;
}

/** A workflow consists of the parts of PARTS. */
function partsOfWorkflows({ files }: Tree) {
  return files
    .filter((file) => !((placeOf(file)?.part ?? "workflow") in PARTS))
    .map((file) => `${file}: a workflow consists of ${Object.keys(PARTS).join(", ")}; pure parts belong to rules.`);
}

/** A workflow imports workflow-kit and its own files. */
function ownWorkflow({ from, to }: Import) {
  if (from.startsWith("workflows/") && to.startsWith("src/") && roomOf(to) !== "workflow-kit")
    return [`${from} imports ${to}: a workflow imports workflow-kit and its own files only.`];
  const [place, target] = [placeOf(from), placeOf(to)];
  if (!place || !to.startsWith("workflows/") || target?.method === place.method) return [];
  return [`${from} imports ${to}: a workflow imports no other workflow.`];
}

/** A part of a workflow imports only the parts that its line of PARTS names. */
function allowedPart({ from, to, values }: Import) {
  const [place, target] = [placeOf(from), placeOf(to)];
  if (!place || place.method !== target?.method || place.part === target.part || !(place.part in PARTS)) return [];
  const allowed = PARTS[place.part]?.[target.part];
  if (allowed === true || (allowed === "types" && !values.length)) return [];
  return allowed === "types"
    ? [`${from} imports ${values.join(", ")} of ${to}: ${place.part} takes only types of ${target.part}.`]
    : [`${from} imports ${to}: in a workflow ${place.part} may not import ${target.part}.`];
}

/** A prompt is imported by the actions of its own workflow. */
function ownPrompts({ from, to }: Import) {
  const place = placeOf(from);
  if (!to.startsWith("prompts/") || (place && PARTS[place.part]?.prompts && to.startsWith(`prompts/${place.method}/`)))
    return [];
  return [`${from} imports ${to}: prompts are imported by their own workflow's actions only.`];
}
