// Which room of src, which folder of a room and which part of a workflow may import which. `npm run verify:architecture` checks it with
// dependency-cruiser; ARCHITECTURE.md explains the rooms.

/**
 * The rooms of `src`: what each may import, of which rooms it takes only types, and single files whose functions it may call nevertheless. A room
 * that is not listed may not be imported.
 */
const ROOMS = {
  "worker.ts": {
    imports: ["api", "cloudflare"],
    why: "The Worker's entry exports what wrangler.toml names; it does nothing itself.",
  },
  api: {
    imports: ["services", "core"],
    types: ["workflow-kit"],
    why: "Doors translate between a protocol and the services; they decide and store nothing.",
  },
  cloudflare: {
    imports: ["services", "engine", "workflow-kit", "agents", "retrieval", "llm", "store", "core"],
    why: "The platform adapter wires everything below the doors.",
  },
  node: {
    imports: ["core"],
    why: "The platform on Node is beside Cloudflare's: it runs the same Worker, of which it is given the classes.",
  },
  services: {
    imports: ["workflow-kit", "agents", "retrieval", "llm", "store", "core"],
    why: "Services do not know who calls them, nor the engine: runs move through the platform port.",
  },
  engine: {
    imports: ["workflow-kit", "llm", "core"],
    types: ["agents", "retrieval", "store"],
    why: "The engine executes a run with the ports that it is given; it knows neither services nor doors.",
  },
  "workflow-kit": {
    imports: ["core"],
    types: ["agents", "retrieval", "llm"],
    files: ["agents/name-key.ts", "llm/escape-untrusted.ts"],
    why: "The kit is what workflows are written in: interfaces and pure helpers.",
  },
  agents: {
    imports: ["llm", "core"],
    types: ["store"],
    why: "Worker agents, their tools and their sandbox are handed what is stored.",
  },
  retrieval: {
    imports: ["llm", "core"],
    types: ["store"],
    why: "Retrieval works on the store that it is given, and on encoders.",
  },
  llm: { imports: ["core"], why: "The model layer knows nobody above it, nor the store." },
  store: { imports: ["core"], why: "The store knows nobody above it, nor the model layer." },
  core: { imports: [], why: "core imports nothing of ours." },
};

/**
 * The layers inside a room, top first: a folder imports only from layers below its own. `.` is the room's root, `*` every folder that is not
 * listed.
 */
const LAYERS = {
  services: [
    ["maintenance"],
    ["tenants"],
    ["schedules"],
    ["templates"],
    ["runs"],
    ["webhooks"],
    ["interactions"],
    ["*"],
    ["providers"],
    ["idempotency"],
    ["fields"],
    ["."],
  ],
  engine: [["."], ["people", "programs", "children"], ["calls"], ["durable"], ["instance"]],
  core: [["."], ["outbound"]],
};

/**
 * The parts of a workflow, and what each may import besides `#workflow-kit` and packages. A part is a folder of the workflow or a file at its
 * root. Every part may import rules, artifacts and roles, unless `below` says otherwise.
 */
const PARTS = {
  workflow: { imports: ["contract", "inputs", "context", "outcome", "actions", "stages", "reports"] },
  stages: { imports: ["contract", "inputs", "context", "outcome", "actions", "reports"] },
  reports: { imports: ["outcome"], types: ["contract", "inputs", "context"] },
  context: { imports: ["contract", "inputs", "outcome"] },
  actions: { imports: ["inputs", "mock"], types: ["contract"] },
  mock: { imports: ["inputs"] },
  outcome: { imports: ["inputs"], types: ["contract"] },
  contract: {},
  inputs: { imports: ["templates"], types: ["contract"] },
  templates: { below: [] },
  // For tests and scripts: no other part imports these, so they are not in the Worker.
  samples: { imports: ["inputs", "actions", "reports", "templates"] },
  scenarios: { below: [] },
  rules: { types: ["inputs"], below: ["artifacts", "roles"] },
  artifacts: { below: ["roles"] },
  roles: { below: [] },
};

/** The only files of `src` that import `workflows/`, and the only file that they import there. */
const WORKFLOW_USERS = "^src/cloudflare/(?:compose|run-workflow)\\.ts$";
const WORKFLOWS = "^workflows/index\\.ts$";

/** A file name of `core` that names no concept. */
const VAGUE = "^src/core/(?:utils?|helpers?|types|common|misc|shared)\\.ts$";

const TYPES = ["type-only", "type-import"];
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
/** A rule that every module breaks that matches. */
const noModule = (name, comment, module) => ({
  name,
  comment,
  severity: "error",
  module: { ...module, numberOfDependentsLessThan: 100 },
  from: {},
});

const anyOf = (names) => `(?:${names.join("|").replaceAll(".", "\\.")})`;
const roomPath = (...rooms) => `^src/${anyOf(rooms)}(?:/|$)`;

const rooms = Object.entries(ROOMS).flatMap(([room, { imports, types = [], files = [], why }]) => {
  const from = { path: roomPath(room) };
  const single = `^src/${anyOf(files)}$`;
  return [
    rule(`room-${room}`, `${room} imports ${[...imports, ...types].join(", ") || "no room"}. ${why}`, from, {
      path: "^src/",
      pathNot: roomPath(room, ...imports, ...types),
    }),
    ...(types.length === 0
      ? []
      : [
          rule(`types-in-${room}`, `${room} takes only types of ${types.join(", ")}. ${why}`, from, {
            path: roomPath(...types),
            ...(files.length > 0 && { pathNot: single }),
            dependencyTypesNot: TYPES,
          }),
        ]),
  ];
});

const layers = Object.entries(LAYERS).flatMap(([room, plan]) => {
  const listed = anyOf(plan.flat().filter((folder) => /\w/.test(folder)));
  const pathOf = (folder) =>
    ({ ".": `^src/${room}/[^/]+$`, "*": `^src/${room}/(?!${listed}/)([^/]+)/` })[folder] ?? `^src/${room}/(${folder})/`;
  const drawn = plan.map((folders) => folders.join(" ")).join(" > ");
  return plan.flatMap((folders, layer) =>
    folders.map((folder) =>
      rule(
        `layers-${room}-${folder}`,
        `Inside ${room} imports run down: ${drawn}.`,
        { path: pathOf(folder) },
        {
          path: plan.slice(0, layer + 1).flatMap((above) => above.map(pathOf)),
          pathNot: folder === "." ? pathOf(folder) : `^src/${room}/$1/`,
        },
      ),
    ),
  );
});

const partPath = (method, parts) => `^workflows/${method}/${anyOf(parts)}(?:\\.ts$|/)`;
const parts = Object.entries(PARTS).flatMap(
  ([part, { imports = [], types = [], below = ["rules", "artifacts", "roles"] }]) => {
    const from = { path: partPath("([^/]+)", [part]) };
    const allowed = [...imports, ...types, ...below];
    return [
      rule(`part-${part}`, `In a workflow ${part} imports ${allowed.join(", ") || "no other part"}.`, from, {
        path: "^workflows/$1/",
        pathNot: partPath("$1", [part, ...allowed]),
      }),
      ...(types.length === 0
        ? []
        : [
            rule(`types-in-${part}`, `In a workflow ${part} takes only types of ${types.join(", ")}.`, from, {
              path: partPath("$1", types),
              dependencyTypesNot: TYPES,
            }),
          ]),
    ];
  },
);

export default {
  forbidden: [
    ...rooms,
    ...layers,
    ...parts,
    rule(
      "circle",
      "Files import each other in a circle, types counted: move what they share below them.",
      {},
      { circular: true },
    ),
    rule(
      "relative-path",
      "An import of another room is written with its alias, #room/file.",
      { path: "^src/([^/]+)/" },
      { path: "^src/", pathNot: "^src/$1/", dependencyTypesNot: ["aliased"] },
    ),
    noModule("unknown-room", `The rooms of src are ${Object.keys(ROOMS).join(", ")}.`, {
      path: "^src/",
      pathNot: roomPath(...Object.keys(ROOMS)),
    }),
    noModule("unknown-part", `A workflow consists of ${Object.keys(PARTS).join(", ")}; pure parts belong to rules.`, {
      path: "^workflows/[^/]+/",
      pathNot: partPath("[^/]+", Object.keys(PARTS)),
    }),
    noModule("vague-name", "The name of a file of core names a concept.", { path: VAGUE }),
    rule(
      "workflows-are-received",
      "Only compose.ts and run-workflow.ts import workflows/index.ts; other files receive a workflow as a parameter.",
      { path: "^src/", pathNot: WORKFLOW_USERS },
      { path: "^workflows/" },
    ),
    rule(
      "workflows-have-one-door",
      "compose.ts and run-workflow.ts import workflows/index.ts only.",
      { path: WORKFLOW_USERS },
      { path: "^workflows/", pathNot: WORKFLOWS },
    ),
    rule(
      "kit-of-workflows",
      "A workflow imports workflow-kit and its own files only.",
      { path: "^workflows/" },
      { path: "^src/", pathNot: "^src/workflow-kit/" },
    ),
    rule(
      "other-workflow",
      "A workflow imports no other workflow.",
      { path: "^workflows/([^/]+)/" },
      { path: "^workflows/", pathNot: "^workflows/$1/" },
    ),
    rule(
      "prompts-of-actions",
      "Prompts are imported by actions only.",
      { pathNot: partPath("[^/]+", ["actions"]) },
      { path: "^prompts/" },
    ),
    rule(
      "prompts-of-others",
      "A workflow imports its own prompts only.",
      { path: "^workflows/([^/]+)/" },
      { path: "^prompts/", pathNot: "^prompts/$1/" },
    ),
  ],
  options: {
    // Imports of types count.
    tsPreCompilationDeps: true,
    includeOnly: "^(?:src|workflows|prompts)/",
    exclude: "\\.d\\.ts$",
    enhancedResolveOptions: { conditionNames: ["import", "default"] },
  },
};
