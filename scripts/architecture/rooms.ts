/** The tables of the architecture: which room, folder or part of a workflow may import which. check.ts checks them. */

/** The room of a file: the first name below `src`, or `workflows` or `prompts`. */
export const roomOf = (file: string) => file.split("/")[file.startsWith("src/") ? 1 : 0] ?? "";

/**
 * The rooms of `src` and the rooms that each may import: `true` allows everything, a list allows types and the named values, and a room
 * that is not listed may not be imported.
 */
export const ROOMS: Record<string, { may: Record<string, true | string[]>; why: string }> = {
  "worker.ts": {
    may: { api: true, cloudflare: true },
    why: "The Worker's entry exports what wrangler.toml names; it does nothing itself.",
  },
  api: {
    may: { services: true, core: true, "workflow-kit": [] },
    why: "Doors translate between a protocol and the services; they decide and store nothing.",
  },
  cloudflare: {
    may: {
      services: true,
      engine: true,
      "workflow-kit": true,
      agents: true,
      retrieval: true,
      llm: true,
      store: true,
      core: true,
    },
    why: "The platform adapter wires everything below the doors.",
  },
  node: {
    may: { core: true },
    why: "The platform on Node is beside Cloudflare's: it runs the same Worker, of which it is given the classes.",
  },
  services: {
    may: { "workflow-kit": true, agents: true, retrieval: true, llm: true, store: true, core: true },
    why: "Services do not know who calls them, nor the engine: runs move through the platform port.",
  },
  engine: {
    may: { "workflow-kit": true, agents: [], retrieval: [], llm: true, store: [], core: true },
    why: "The engine executes a run with the ports that it is given; it knows neither services nor doors.",
  },
  "workflow-kit": {
    may: { agents: ["nameKey"], retrieval: [], llm: ["escapeUntrusted"], core: true },
    why: "The kit is what workflows are written in: interfaces and pure helpers.",
  },
  agents: {
    may: { llm: true, store: [], core: true },
    why: "Worker agents, their tools and their sandbox are handed what is stored.",
  },
  retrieval: {
    may: { llm: true, store: [], core: true },
    why: "Retrieval works on the store that it is given, and on encoders.",
  },
  llm: { may: { core: true }, why: "The model layer knows nobody above it, nor the store." },
  store: { may: { core: true }, why: "The store knows nobody above it, nor the model layer." },
  core: { may: {}, why: "core imports nothing of ours." },
};

/** The only files of `src` that import `workflows/`, and the only file that they import there. */
export const WORKFLOWS = {
  importers: ["src/cloudflare/compose.ts", "src/cloudflare/run-workflow.ts"],
  index: "workflows/index.ts",
};

/**
 * The floors inside a room, top first: a folder imports only folders of lower floors. `.` is the room's root, and `*` stands for all folders
 * that are not listed.
 */
export const FLOORS: Record<string, string[][]> = {
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

const BELOW = { rules: true, artifacts: true, roles: true } as const;

/**
 * The parts of a workflow and the parts that each may import, besides `#workflow-kit` and packages. A part is a folder of the workflow or a
 * file at its root. `types` allows types only.
 */
export const PARTS: Record<string, Record<string, true | "types">> = {
  workflow: {
    ...BELOW,
    contract: true,
    inputs: true,
    context: true,
    outcome: true,
    actions: true,
    stages: true,
    reports: true,
  },
  stages: { ...BELOW, contract: true, inputs: true, context: true, outcome: true, actions: true, reports: true },
  reports: { ...BELOW, contract: "types", inputs: "types", context: "types", outcome: true },
  context: { ...BELOW, contract: true, inputs: true, outcome: true },
  actions: { ...BELOW, contract: "types", inputs: true, mock: true, prompts: true },
  mock: { ...BELOW, inputs: true },
  outcome: { ...BELOW, contract: "types", inputs: true },
  contract: { ...BELOW },
  inputs: { ...BELOW, contract: "types", templates: true },
  templates: {},
  // For tests and scripts: no other part imports these, so they are not in the Worker.
  samples: { ...BELOW, inputs: true, actions: true, reports: true, templates: true },
  scenarios: {},
  rules: { artifacts: true, roles: true, inputs: "types" },
  artifacts: { roles: true },
  roles: {},
};

/** Names that no file of `core` may have, because they name no concept. */
export const VAGUE_NAMES = ["utils", "util", "helpers", "helper", "types", "common", "misc", "shared"];
