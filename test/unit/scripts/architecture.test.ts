/** `npm run verify:architecture` sees each violation of the architecture in a made-up tree, and none in a clean tree. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkImports } from "../../../scripts/architecture.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** A small tree that follows every rule: sources by path. */
const CLEAN: Record<string, string> = {
  "src/worker.ts": 'export { fetch } from "./api/http";',
  "src/api/http.ts":
    'import { createRun } from "#services/runs/create-run"; export const fetch = (name: string) => createRun(name);',
  "src/cloudflare/compose.ts":
    'import { workflows } from "#workflows/index"; import { createRun } from "#services/runs/create-run"; export const compose = () => createRun(workflows.tale.name);',
  "src/cloudflare/run-workflow.ts":
    'import { workflows } from "#workflows/index"; import { runToEnd } from "#engine/run"; export const run = () => runToEnd(workflows.tale);',
  "src/services/runs/create-run.ts":
    'import { newId } from "#core/ids"; import { insertRun } from "#store/runs"; export const createRun = (name: string) => insertRun(newId(), name);',
  "src/engine/run.ts":
    'import type { Workflow } from "#workflow-kit/workflow"; import { newId } from "#core/ids"; export const run = (workflow: Workflow) => newId() + workflow.name;',
  "src/workflow-kit/workflow.ts":
    'import type { Agent } from "#agents/registry"; export interface Workflow { name: string; agents: Agent[] }',
  "src/agents/registry.ts": "export interface Agent { name: string } export const AGENTS: Agent[] = [];",
  "src/store/runs.ts":
    'import { newId } from "#core/ids"; export const insertRun = (id: string, name: string) => [id, newId(), name];',
  "src/core/ids.ts": "export const newId = () => crypto.randomUUID();",
  "workflows/index.ts": 'import { tale } from "./tale/workflow"; export const workflows = { tale };',
  "workflows/tale/workflow.ts":
    'import type { Workflow } from "#workflow-kit/workflow"; import { write } from "./actions/write"; export const tale: Workflow = { name: write, agents: [] };',
  "workflows/tale/contract.ts": "export const MAX_LENGTH = 100;",
  "workflows/tale/actions/write.ts":
    'import prompt from "../../../prompts/tale/write.md"; import { shortened } from "../rules/words"; export const write = shortened(prompt);',
  "workflows/tale/rules/words.ts": "export const shortened = (text: string) => text.slice(0, 100);",
  "prompts/tale/write.md": "Write a tale.",
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-architecture-"));
  copyFileSync(join(ROOT, "package.json"), join(root, "package.json")); // its "imports" are the aliases of the rooms
  write(CLEAN);
});
afterEach(() => rmSync(root, { recursive: true }));

function write(files: Record<string, string>) {
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${source}\n`);
  }
}

/** What is said about the clean tree with these files added or replaced: each begins with the files, and a part of its reason follows. */
async function violationsWith(files: Record<string, string>): Promise<string[]> {
  write(files);
  return (await checkImports(root)).violations;
}

test("a clean tree has no violation", async () => {
  expect(await violationsWith({})).toEqual([]);
  expect((await checkImports(root)).files).toBe(Object.keys(CLEAN).length);
});

/** A planted violation: the files that show it, and what is said. */
const PLANTED: Record<string, { files: Record<string, string>; said: (string | RegExp)[] }> = {
  "an import of a room above": {
    files: {
      "src/store/upward.ts": 'import { createRun } from "#services/runs/create-run"; export const run = createRun;',
    },
    said: [
      "src/store/upward.ts → src/services/runs/create-run.ts: store imports core. The store knows nobody above it, nor the model layer.",
    ],
  },
  "an import of a room above, of types": {
    files: { "src/store/upward.ts": 'export type { createRun } from "#services/runs/create-run";' },
    said: [/^src\/store\/upward\.ts → src\/services\/runs\/create-run\.ts: store imports core\./],
  },
  "a value of a room of which only types are allowed": {
    files: {
      "src/workflow-kit/first-agent.ts":
        'import { AGENTS, type Agent } from "#agents/registry"; export const first: Agent = AGENTS[0]!;',
    },
    said: [/^src\/workflow-kit\/first-agent\.ts → src\/agents\/registry\.ts: workflow-kit takes only types of agents/],
  },
  "such a value beside an import of types": {
    files: {
      "src/workflow-kit/first-agent.ts":
        'import type { Agent } from "#agents/registry"; import { AGENTS } from "#agents/registry"; export const first: Agent = AGENTS[0]!;',
    },
    said: [/^src\/workflow-kit\/first-agent\.ts → src\/agents\/registry\.ts: workflow-kit takes only types of agents/],
  },
  "a dynamic import of such a room": {
    files: { "src/workflow-kit/load.ts": 'export const load = () => import("#agents/registry");' },
    said: [/^src\/workflow-kit\/load\.ts → src\/agents\/registry\.ts: workflow-kit takes only types of agents/],
  },
  "a type that is imported where it is used": {
    files: { "src/store/odd.ts": 'export type Odd = import("#agents/registry").Agent;' },
    said: [/^src\/store\/odd\.ts → src\/agents\/registry\.ts: store imports core\./],
  },
  "a relative import of another room": {
    files: { "src/store/relative.ts": 'import { newId } from "../core/ids"; export const id = newId();' },
    said: ["src/store/relative.ts → src/core/ids.ts: An import of another room is written with its alias, #room/file."],
  },
  "a folder of src that is no room": {
    files: { "src/misc/odd.ts": "export {};" },
    said: [/^src\/misc\/odd\.ts: The rooms of src are worker\.ts, api, cloudflare, /],
  },
  "an import of a folder above, inside a room with layers": {
    files: { "src/engine/durable/again.ts": 'import { run } from "../run"; export const again = run;' },
    said: [
      "src/engine/durable/again.ts → src/engine/run.ts: Inside engine imports run down: . > people programs children > calls > durable > instance.",
    ],
  },
  "an import of a folder of the same floor": {
    files: {
      "src/services/agents/find.ts": "export const find = 1;",
      "src/services/corpora/find.ts": 'export { find } from "../agents/find";',
    },
    said: [/^src\/services\/corpora\/find\.ts → src\/services\/agents\/find\.ts: Inside services imports run down: /],
  },
  "two files that import only each other's types": {
    files: {
      "src/store/hen.ts": 'import type { Egg } from "./egg"; export interface Hen { lays: Egg }',
      "src/store/egg.ts": 'import type { Hen } from "./hen"; export interface Egg { becomes: Hen }',
    },
    said: [/^src\/store\/(hen|egg)\.ts → .*: Files import each other in a circle, types counted/],
  },
  "a file of src other than compose.ts and run-workflow.ts that imports workflows": {
    files: {
      "src/cloudflare/names.ts":
        'import { workflows } from "#workflows/index"; export const names = Object.keys(workflows);',
    },
    said: [/^src\/cloudflare\/names\.ts → workflows\/index\.ts: Only compose\.ts and run-workflow\.ts import /],
  },
  "a workflow that compose.ts imports past workflows/index.ts": {
    files: {
      "src/cloudflare/compose.ts":
        'import { tale } from "#workflows/tale/workflow"; export const compose = () => tale;',
    },
    said: [/^src\/cloudflare\/compose\.ts → workflows\/tale\/workflow\.ts: compose\.ts and run-workflow\.ts import /],
  },
  "a workflow that imports another workflow": {
    files: { "workflows/song/workflow.ts": 'import { tale } from "../tale/workflow"; export const song = tale;' },
    said: ["workflows/song/workflow.ts → workflows/tale/workflow.ts: A workflow imports no other workflow."],
  },
  "a workflow that imports a room other than workflow-kit": {
    files: { "workflows/tale/rules/id.ts": 'import { newId } from "#core/ids"; export const id = newId();' },
    said: ["workflows/tale/rules/id.ts → src/core/ids.ts: A workflow imports workflow-kit and its own files only."],
  },
  "a rule that imports its workflow's contract": {
    files: {
      "workflows/tale/rules/words.ts":
        'import { MAX_LENGTH } from "../contract"; export const shortened = (text: string) => text.slice(0, MAX_LENGTH);',
    },
    said: [
      "workflows/tale/rules/words.ts → workflows/tale/contract.ts: In a workflow rules imports inputs, artifacts, roles.",
    ],
  },
  "an action that takes a value of the contract": {
    files: {
      "workflows/tale/actions/measure.ts":
        'import { MAX_LENGTH } from "../contract"; export const length = MAX_LENGTH;',
    },
    said: [
      "workflows/tale/actions/measure.ts → workflows/tale/contract.ts: In a workflow actions takes only types of contract.",
    ],
  },
  "a part that the skeleton does not have": {
    files: { "workflows/tale/helpers.ts": "export {};" },
    said: [/^workflows\/tale\/helpers\.ts: A workflow consists of workflow, stages, .*; pure parts belong to rules\.$/],
  },
  "a prompt that a stage, or another workflow's action, imports": {
    files: {
      "workflows/tale/stages/telling.ts":
        'import prompt from "../../../prompts/tale/write.md"; export const telling = prompt;',
      "workflows/song/actions/sing.ts":
        'import prompt from "../../../prompts/tale/write.md"; export const sing = prompt;',
    },
    said: [
      "workflows/song/actions/sing.ts → prompts/tale/write.md: A workflow imports its own prompts only.",
      "workflows/tale/stages/telling.ts → prompts/tale/write.md: Prompts are imported by actions only.",
    ],
  },
  "a file of core that one room uses; api does not count": {
    files: {
      "src/core/page.ts": "export const LIMIT = 100;",
      "src/store/page.ts": 'export { LIMIT } from "#core/page";',
      "src/api/page.ts": 'export { LIMIT } from "#core/page";',
    },
    said: ["src/core/page.ts is used by store only: a file enters core when two rooms besides api need it."],
  },
  "a file of core named utils, however many rooms use it": {
    files: {
      "src/core/utils.ts": "export const ONE = 1;",
      "src/store/one.ts": 'export { ONE } from "#core/utils";',
      "src/services/one.ts": 'export { ONE } from "#core/utils";',
    },
    said: ["src/core/utils.ts: The name of a file of core names a concept."],
  },
};

test.each(Object.entries(PLANTED))("%s is reported", async (_, { files, said }) => {
  expect(await violationsWith(files)).toEqual(
    said.map((text) => (text instanceof RegExp ? expect.stringMatching(text) : text)),
  );
});
