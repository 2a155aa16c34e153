/**
 * Simulates the seeds that its parent sends, one after the other. A process of its own, because the globals of Node are replaced in it.
 */
import { join } from "node:path";
import type { Edit } from "./sabotages.ts";
import type { Reply } from "./run-seeds.ts";
import { runMock, type MockRun } from "../chaos/runs.ts";
import { connect, type Json } from "../../scripts/lib/api.ts";
import { makeTenant } from "../../scripts/lib/keys.ts";
import { scenariosOf } from "../chaos/scenarios.ts";
import { Chance } from "./chance.ts";
import { type Profile, QUIET } from "./fates.ts";
import { enter, replaceGlobals, type PresentationContext } from "./globals.ts";
import { URLS } from "./network.ts";
import { simulate } from "./simulate.ts";
import { makeTemplate } from "./storage.ts";
import { World } from "./world.ts";

const MOCK_SEED = 20_27;

/** Of sabotages; bundle.ts defines it. */
declare const MIGRATION_EDITS: Edit[];

/** When the keys were made. */
const BEFORE = Date.UTC(2027, 0, 1);

/** What all worlds of a process have in common. */
async function prepare(root: string) {
  const chance = new Chance(MOCK_SEED);
  enter({ chance, scheduler: { now: () => BEFORE, time: BEFORE }, log: () => {} } as unknown as PresentationContext);
  const main = makeTenant("simulated", [
    { name: "test key", mode: "test" },
    { name: "live key", mode: "live" },
  ]);
  const leaver = makeTenant("leaver", [{ name: "live key", mode: "live" }]);
  const [test_key = "", live_key = ""] = main.keys;
  const template = makeTemplate(join(root, "migrations"), main.sql + leaver.sql, MIGRATION_EDITS);
  const world = new World({ seed: MOCK_SEED, profile: QUIET, template, runs: 1 });
  let mockRuns: MockRun[] = [];
  await world.live(async () => {
    const api = connect(URLS.worker, test_key);
    const names = (await api.get("/v1/workflows")).data.map(({ name }: Json) => name);
    const scenarios = await scenariosOf(names, { absent: true });
    mockRuns = await Promise.all(scenarios.map((scenario) => runMock(api, scenario)));
  });
  if (world.violations.length) throw new Error(world.violations.join("\n"));
  return { template, mockRuns, test_key, live_key, leaver: { tenant: leaver.id, key: leaver.keys[0] ?? "" } };
}

/** What the parent asks for. */
interface Task {
  root: string;
  seed: number;
  traced: boolean;
  runs: number;
  overrides: Partial<Profile>;
}

process.on("unhandledRejection", () => {}); // the Worker's platform logs these and continues
replaceGlobals();
let prepared: ReturnType<typeof prepare> | undefined;
process.on("message", async ({ root, seed, traced, runs, overrides }: Task) => {
  try {
    const common = await (prepared ??= prepare(root));
    const reply: Reply = { seed, result: await simulate({ ...common, seed, traced, runs, overrides }) };
    process.send?.(reply);
  } catch (error) {
    process.send?.({ seed, error: (error as Error).stack } satisfies Reply);
  }
});
