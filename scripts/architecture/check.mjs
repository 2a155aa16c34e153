import { circles, graphOf } from "./graph.mjs";
import { FLOORS, ROOMS, SKELETON, VAGUE_NAMES, WORKFLOWS } from "./rooms.mjs";

/** @typedef {import("./imports.mjs").Import} Import */

/** The room of a file: the first name below `src`, or `workflows`. */
export const roomOf = (file) => (file.startsWith("src/") ? file.split("/")[1] : file.split("/")[0]);

/**
 * Checks a tree against the table of rooms.
 * @param {{ files: string[], imports: Import[] }} tree
 * @returns {string[]} One sentence for each violation.
 */
export const check = ({ files, imports }) => [
  ...files.filter((file) => file.startsWith("src/") && !(roomOf(file) in ROOMS)).map(unknownRoom),
  ...imports.flatMap((one) => [...betweenRooms(one), ...floorsOfRoom(one), ...intoWorkflows(one), ...skeleton(one)]),
  ...files.flatMap(placeInWorkflow),
  ...circles(graphOf(imports.map(({ from, to }) => [from, to]))).map(
    (circle) =>
      `These files import each other in a circle, types counted: ${circle.join(", ")}. Move what they share below them.`,
  ),
  ...entriesOfCore(files, imports),
];

const unknownRoom = (file) => `${file}: src has no room of this name. Rooms are ${Object.keys(ROOMS).join(", ")}.`;

/** @param {Import} one */
function betweenRooms({ from, to, specifier, values }) {
  const [room, other] = [roomOf(from), roomOf(to)];
  if (room === other || !from.startsWith("src/") || !to.startsWith("src/") || !(room in ROOMS)) {
    return from.startsWith("workflows/") && to.startsWith("src/") && other !== "workflow-kit"
      ? [`${from} imports ${to}: a workflow imports workflow-kit and its own files only.`]
      : [];
  }
  const { may, why } = ROOMS[room];
  const allowed = may[other];
  if (!allowed) return [`${from} imports ${to}: ${room} may not import ${other}. ${why}`];
  const excess = allowed === true ? [] : values.filter((name) => !allowed.includes(name));
  return [
    ...(excess.length
      ? [`${from} imports ${excess.join(", ")} of ${to}: ${room} takes only types of ${other}. ${why}`]
      : []),
    ...(specifier.startsWith(".") && room !== "worker.ts"
      ? [`${from} imports ${to} by a relative path: write #${other}/….`]
      : []),
  ];
}

/** @param {Import} one */
function floorsOfRoom({ from, to }) {
  const room = roomOf(from);
  const plan = FLOORS[room];
  if (!plan || roomOf(to) !== room) return [];
  const [upper, lower] = [folderOf(from), folderOf(to)];
  if (upper === lower || floorOf(plan, upper) < floorOf(plan, lower)) return [];
  const drawn = plan.map((folders) => folders.join(" ")).join(" > ");
  return [`${from} imports ${to}: inside ${room} imports run down, ${drawn}.`];
}

const folderOf = (file) => (file.split("/").length > 3 ? file.split("/")[2] : ".");

function floorOf(plan, folder) {
  const floor = plan.findIndex((folders) => folders.includes(folder));
  return floor === -1 ? plan.findIndex((folders) => folders.includes("*")) : floor;
}

/** @param {Import} one */
function intoWorkflows({ from, to }) {
  if (!from.startsWith("src/") || !to.startsWith("workflows/")) return [];
  if (WORKFLOWS.importers.includes(from) && to === WORKFLOWS.index) return [];
  return [
    `${from} imports ${to}: only ${WORKFLOWS.importers.join(" and ")} know ${WORKFLOWS.index}; the others are handed a workflow.`,
  ];
}

/** `workflows/<method>/<part>…`: the method and the part. */
const placeOf = (file) => {
  const [, method, part] = file.match(/^workflows\/([^/]+)\/([^/]+?)(?:\.ts|\/.*)$/) ?? [];
  return method ? { method, part } : null;
};

function placeInWorkflow(file) {
  const place = placeOf(file);
  return place && !(place.part in SKELETON)
    ? [`${file}: a workflow consists of ${Object.keys(SKELETON).join(", ")}; pure parts belong to rules.`]
    : [];
}

/** @param {Import} one */
function skeleton({ from, to, values }) {
  const place = placeOf(from);
  if (!place || !(place.part in SKELETON)) return [];
  const may = SKELETON[place.part];
  if (to.startsWith("prompts/")) {
    return may.prompts && to.startsWith(`prompts/${place.method}/`)
      ? []
      : [`${from} imports ${to}: prompts are imported by their own workflow's actions only.`];
  }
  if (!to.startsWith("workflows/")) return [];
  const other = placeOf(to);
  if (other?.method !== place.method) return [`${from} imports ${to}: a workflow knows no other workflow.`];
  if (other.part === place.part || may[other.part] === true) return [];
  if (may[other.part] === "types")
    return values.length
      ? [`${from} imports ${values.join(", ")} of ${to}: ${place.part} takes only types of ${other.part}.`]
      : [];
  return [`${from} imports ${to}: in a workflow ${place.part} may not import ${other.part}.`];
}

/** A file of core is needed by at least two rooms besides api, and bears a noun; `outbound` counts as one file. */
function entriesOfCore(files, imports) {
  const entry = (file) => (file.startsWith("src/core/outbound/") ? "src/core/outbound" : file);
  const entries = new Set(files.filter((file) => roomOf(file) === "core").map(entry));
  return [...entries].flatMap((one) => {
    const name = one.split("/").at(-1).replace(/\.ts$/, "");
    const rooms = new Set(imports.filter(({ to }) => entry(to) === one).map(({ from }) => roomOf(from)));
    rooms.delete("core");
    rooms.delete("api");
    return [
      ...(VAGUE_NAMES.includes(name) ? [`${one}: the name says nothing; name the concept.`] : []),
      ...(rooms.size < 2
        ? [
            `${one} is used by ${[...rooms].join(", ") || "nobody"} only: a file enters core when two rooms besides api need it.`,
          ]
        : []),
    ];
  });
}
