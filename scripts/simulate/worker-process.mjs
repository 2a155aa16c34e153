/**
 * Simulates the seeds that its parent sends, one after the other. A process of its own, because the globals of Node are replaced in it.
 */
import { join } from "node:path";
import { connect } from "../lib/api.mjs";
import { makeTenant } from "../lib/keys.mjs";
import { scenariosOf } from "../chaos/scenarios.mjs";
import { rehearse } from "../chaos/runs.mjs";
import { Chance } from "./chance.mjs";
import { QUIET } from "./fates.mjs";
import { enter, replaceGlobals } from "./globals.mjs";
import { URLS } from "./network.mjs";
import { simulate } from "./simulate.mjs";
import { makeTemplate } from "./storage.mjs";
import { World } from "./world.mjs";

const REHEARSAL_SEED = 20_27;

/* global MIGRATION_EDITS -- bundle.mjs defines it */

/** When the keys were made. */
const BEFORE = Date.UTC(2027, 0, 1);

/** What all worlds of a process have in common. */
async function prepare(root) {
  const chance = new Chance(REHEARSAL_SEED);
  enter(/** @type {any} */ ({ chance, scheduler: { now: () => BEFORE, time: BEFORE }, log: () => {} }));
  const main = makeTenant("simulated", [
    { name: "test key", mode: "test" },
    { name: "live key", mode: "live" },
  ]);
  const leaver = makeTenant("leaver", [{ name: "live key", mode: "live" }]);
  const [test_key, live_key] = main.keys;
  const template = makeTemplate(join(root, "migrations"), main.sql + leaver.sql, MIGRATION_EDITS);
  const world = new World({ seed: REHEARSAL_SEED, profile: QUIET, template, runs: 1 });
  /** @type {import("../chaos/runs.mjs").Rehearsed[]} */
  let rehearsed = [];
  await world.live(async () => {
    const api = connect(URLS.worker, test_key);
    const names = (await api.get("/v1/workflows")).data.map(({ name }) => name);
    const scenarios = await scenariosOf(names, { absent: true });
    rehearsed = await Promise.all(scenarios.map((scenario) => rehearse(api, scenario)));
  });
  if (world.violations.length) throw new Error(world.violations.join("\n"));
  return { template, rehearsed, test_key, live_key, leaver: { tenant: leaver.id, key: leaver.keys[0] } };
}

process.on("unhandledRejection", () => {}); // the Worker's platform logs these and goes on
replaceGlobals();
/** @type {ReturnType<typeof prepare> | undefined} */
let prepared;
process.on("message", async ({ root, seed, traced, runs, overrides }) => {
  try {
    const common = await (prepared ??= prepare(root));
    process.send?.({ seed, result: await simulate({ ...common, seed, traced, runs, overrides }) });
  } catch (error) {
    process.send?.({ seed, error: error.stack });
  }
});
