/** The script of `npm run verify:architecture` sees each violation of the architecture in a made-up tree, and none in a clean tree. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { check } from "../../../scripts/architecture/check.ts";
import { readImports } from "../../../scripts/architecture/imports.ts";

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

/** What the script says about the clean tree with these files added or replaced. */
function violationsWith(files: Record<string, string>): string[] {
  write(files);
  return check(readImports(root));
}

test("a clean tree has no violation", () => {
  expect(violationsWith({})).toEqual([]);
});

describe("rooms", () => {
  test("an import of a room above is reported, once for all its names", () => {
    const source =
      'import { insertRun, createRun } from "#services/runs/create-run"; export type { Run } from "#services/runs/create-run";';
    expect(violationsWith({ "src/store/upward.ts": source })).toContainEqual(
      "src/store/upward.ts imports src/services/runs/create-run.ts: store may not import services. The store knows nobody above it, nor the model layer.",
    );
    expect(check(readImports(root)).filter((sentence) => sentence.includes("may not import"))).toHaveLength(1);
  });

  test("a value of a room of which only types are allowed is reported with its name", () => {
    const source = 'import { AGENTS, type Agent } from "#agents/registry"; export const first: Agent = AGENTS[0]!;';
    expect(violationsWith({ "src/workflow-kit/first-agent.ts": source })).toEqual([
      "src/workflow-kit/first-agent.ts imports AGENTS of src/agents/registry.ts: workflow-kit takes only types of agents. The kit is what workflows are written in: interfaces and pure helpers.",
    ]);
  });

  test("a dynamic import counts as a value", () => {
    const source = 'export const load = () => import("#agents/registry");';
    expect(violationsWith({ "src/workflow-kit/load.ts": source })).toEqual([
      expect.stringContaining("imports * of src/agents/registry.ts: workflow-kit takes only types of agents."),
    ]);
  });

  test("a relative import of another room is reported", () => {
    const source = 'import { newId } from "../core/ids"; export const id = newId();';
    expect(violationsWith({ "src/store/relative.ts": source })).toEqual([
      "src/store/relative.ts imports src/core/ids.ts by a relative path: write #core/….",
    ]);
  });

  test("a folder of src that is no room is reported", () => {
    expect(violationsWith({ "src/misc/odd.ts": "export {};" })).toEqual([
      expect.stringMatching(
        /^src\/misc\/odd\.ts: src has no room of this name\. Rooms are worker\.ts, api, cloudflare, /,
      ),
    ]);
  });

  test("an import of a folder above, inside a room with floors, is reported", () => {
    const source = 'import { runToEnd } from "../run"; export const again = run;';
    expect(violationsWith({ "src/engine/durable/again.ts": source })).toEqual([
      "src/engine/durable/again.ts imports src/engine/run.ts: inside engine imports run down, . > people programs children > calls > durable > instance.",
    ]);
  });
});

test("two files that import only each other's types are a circle", () => {
  const files = {
    "src/store/hen.ts": 'import type { Egg } from "./egg"; export interface Hen { lays: Egg }',
    "src/store/egg.ts": 'import type { Hen } from "./hen"; export interface Egg { becomes: Hen }',
  };
  expect(violationsWith(files)).toEqual([
    "These files import each other in a circle, types counted: src/store/egg.ts, src/store/hen.ts. Move what they share below them.",
  ]);
});

describe("workflows", () => {
  test("a file of src other than compose.ts and run-workflow.ts that imports workflows is reported", () => {
    const source = 'import { workflows } from "#workflows/index"; export const names = Object.keys(workflows);';
    expect(violationsWith({ "src/cloudflare/names.ts": source })).toEqual([
      "src/cloudflare/names.ts imports workflows/index.ts: only src/cloudflare/compose.ts and src/cloudflare/run-workflow.ts import workflows/index.ts; other files receive a workflow as a parameter.",
    ]);
  });

  test("compose.ts itself imports workflows/index.ts only", () => {
    const source = 'import { tale } from "#workflows/tale/workflow"; export const compose = () => tale;';
    expect(violationsWith({ "src/cloudflare/compose.ts": source })).toEqual([
      expect.stringMatching(/^src\/cloudflare\/compose\.ts imports workflows\/tale\/workflow\.ts: only /),
    ]);
  });

  test("a workflow that imports another workflow is reported", () => {
    const source = 'import { tale } from "../tale/workflow"; export const song = tale;';
    expect(violationsWith({ "workflows/song/workflow.ts": source })).toEqual([
      "workflows/song/workflow.ts imports workflows/tale/workflow.ts: a workflow imports no other workflow.",
    ]);
  });

  test("a workflow that imports a room other than workflow-kit is reported", () => {
    const source = 'import { newId } from "#core/ids"; export const id = newId();';
    expect(violationsWith({ "workflows/tale/rules/id.ts": source })).toEqual([
      "workflows/tale/rules/id.ts imports src/core/ids.ts: a workflow imports workflow-kit and its own files only.",
    ]);
  });

  test("a rule that imports its workflow's contract is reported", () => {
    const source =
      'import { MAX_LENGTH } from "../contract"; export const shortened = (text: string) => text.slice(0, MAX_LENGTH);';
    expect(violationsWith({ "workflows/tale/rules/words.ts": source })).toEqual([
      "workflows/tale/rules/words.ts imports workflows/tale/contract.ts: in a workflow rules may not import contract.",
    ]);
  });

  test("an action takes only types of the contract", () => {
    const source = 'import { MAX_LENGTH } from "../contract"; export const length = MAX_LENGTH;';
    expect(violationsWith({ "workflows/tale/actions/measure.ts": source })).toEqual([
      "workflows/tale/actions/measure.ts imports MAX_LENGTH of workflows/tale/contract.ts: actions takes only types of contract.",
    ]);
  });

  test("a part that the skeleton does not have is reported", () => {
    expect(violationsWith({ "workflows/tale/helpers.ts": "export {};" })).toEqual([
      expect.stringMatching(
        /^workflows\/tale\/helpers\.ts: a workflow consists of workflow, stages, .*; pure parts belong to rules\.$/,
      ),
    ]);
  });

  test("a prompt that a stage, or another workflow's action, imports is reported", () => {
    const files = {
      "workflows/tale/stages/telling.ts":
        'import prompt from "../../../prompts/tale/write.md"; export const telling = prompt;',
      "workflows/song/actions/sing.ts":
        'import prompt from "../../../prompts/tale/write.md"; export const sing = prompt;',
    };
    expect(violationsWith(files)).toEqual([
      "workflows/song/actions/sing.ts imports prompts/tale/write.md: prompts are imported by their own workflow's actions only.",
      "workflows/tale/stages/telling.ts imports prompts/tale/write.md: prompts are imported by their own workflow's actions only.",
    ]);
  });
});

describe("core", () => {
  test("a file that one room uses is reported; api does not count", () => {
    const files = {
      "src/core/page.ts": "export const LIMIT = 100;",
      "src/store/page.ts": 'export { LIMIT } from "#core/page";',
      "src/api/page.ts": 'export { LIMIT } from "#core/page";',
    };
    expect(violationsWith(files)).toEqual([
      "src/core/page.ts is used by store only: a file enters core when two rooms besides api need it.",
    ]);
  });

  test("a file named utils is reported, however many rooms use it", () => {
    const files = {
      "src/core/utils.ts": "export const ONE = 1;",
      "src/store/one.ts": 'export { ONE } from "#core/utils";',
      "src/services/one.ts": 'export { ONE } from "#core/utils";',
    };
    expect(violationsWith(files)).toEqual(["src/core/utils.ts: the name says nothing; name the concept."]);
  });
});

describe("the command", () => {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [join(ROOT, "scripts/architecture.ts"), "--root", root, ...args], {
      encoding: "utf8",
      stdio: "pipe",
    });

  test("prints the counts of a tree", () => {
    expect(run()).toBe(
      [
        "Rooms of src:                  9",
        "Floors:                        5",
        "Arrows between rooms:          10",
        "Arrows that run upward:        0",
        "Circles of files:              0",
        "Lines of src and workflows:    15 in 15 files",
        "",
      ].join("\n"),
    );
  });

  test("fails on a violation and names it; with --count it only counts", () => {
    write({ "src/store/upward.ts": 'export { createRun } from "#services/runs/create-run";' });
    expect(() => run()).toThrow(
      "src/store/upward.ts imports src/services/runs/create-run.ts: store may not import services.",
    );
    expect(run("--count")).toMatch(/^Arrows that run upward: +1$/m);
  });
});
