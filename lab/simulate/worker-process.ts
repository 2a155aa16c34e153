/**
 * Simulates the seeds that its parent sends, one after the other. A process of its own, because the globals of Node are replaced in it.
 */
import type { Edit } from "./sabotages.ts";
import type { Reply } from "./run-seeds.ts";
import { runMock, type MockRun } from "../chaos/runs.ts";
import { clientOf } from "../lib/client.ts";
import type { Json } from "../../scripts/lib/json.ts";
import { makeTenant } from "../../scripts/lib/keys.ts";
import { scenariosOf } from "../chaos/scenarios.ts";
import { Chance } from "./chance.ts";
import { QUIET } from "./fates.ts";
import { enter, replaceGlobals, type WorldContext } from "./globals.ts";
import { URLS } from "./network.ts";
import { type Common, simulate, type Task } from "./simulate.ts";
import { makeTemplate } from "./storage.ts";
import { World } from "./world.ts";

const MOCK_SEED = 20_27;

/** Of sabotages; bundle.ts defines it. */
declare const MIGRATION_EDITS: Edit[];

/** When the keys were made. */
const BEFORE = Date.UTC(2027, 0, 1);

async function prepare(root: string): Promise<Common> {
  const chance = new Chance(MOCK_SEED);
  enter({ chance, scheduler: { now: () => BEFORE, time: BEFORE }, log: () => {} } as unknown as WorldContext);
  const main = makeTenant("simulated", [
    { name: "test key", mode: "test" },
    { name: "live key", mode: "live" },
  ]);
  const leaver = makeTenant("leaver", [{ name: "live key", mode: "live" }]);
  const [test_key = "", live_key = ""] = main.keys;
  const template = makeTemplate(root, main.sql + leaver.sql, MIGRATION_EDITS);
  const world = new World({ seed: MOCK_SEED, profile: QUIET, template, runs: 1 });
  let mockRuns: MockRun[] = [];
  await world.live(async () => {
    const api = clientOf(URLS.worker, test_key);
    const names = (await api.get("/v1/workflows")).data.map(({ name }: Json) => name);
    const scenarios = await scenariosOf(names, { absent: true });
    mockRuns = await Promise.all(scenarios.map((scenario) => runMock(api, scenario)));
  });
  if (world.violations.length) throw new Error(world.violations.join("\n"));
  return { template, mockRuns, test_key, live_key, leaver: { tenant: leaver.id, key: leaver.keys[0] ?? "" } };
}

process.on("unhandledRejection", () => {}); // the Worker's platform logs these and goes on
replaceGlobals();
let prepared: ReturnType<typeof prepare> | undefined;
process.on("message", async ({ root, ...task }: Task & { root: string }) => {
  const { seed } = task;
  try {
    const common = await (prepared ??= prepare(root));
    const reply: Reply = { seed, result: await simulate(common, task) };
    process.send?.(reply);
  } catch (error) {
    process.send?.({ seed, error: (error as Error).stack } satisfies Reply);
  }
});
