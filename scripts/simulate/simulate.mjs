import { retryingClient } from "../chaos/client.mjs";
import { planRuns, RunRecord } from "../chaos/runs.mjs";
import { storm } from "../chaos/storm.mjs";
import { Chance } from "./chance.mjs";
import { drawProfile } from "./fates.mjs";
import { URLS } from "./network.mjs";
import { World } from "./world.mjs";

/**
 * Simulates the world of one seed, and checks its laws.
 * @param {object} options
 * @param {number} options.seed
 * @param {number} options.runs
 * @param {boolean} options.traced
 * @param {Uint8Array} options.template
 * @param {import("../chaos/runs.mjs").Rehearsed[]} options.rehearsed
 * @param {string} options.live_key
 */
export async function simulate({ seed, runs, traced, template, rehearsed, live_key }) {
  const begun = process.hrtime.bigint();
  const profile = drawProfile(new Chance(seed ^ 0x5eed));
  const world = new World({ seed, profile, template, runs, traced });
  const { model, receiver, outages, scheduler } = world;
  const startedAt = Date.now();
  const records = planRuns({ seed: String(seed), runs }, rehearsed).map((plan) => new RunRecord(plan));
  await world.live(async () => {
    const report = (violation) => world.violations.push(violation);
    const excuses = { overlap: (from, to) => outages.overlap(from, to) || world.fates.excuse(from, to) };
    const api = retryingClient({ url: URLS.worker, key: live_key, outages: excuses, report });
    const onEnded = () => void (world.fates.active = false);
    const judged = await storm({ records, api, model, receiver, hooks: URLS.hooks, outages, onEnded });
    world.violations.push(...judged.violations);
  });
  return {
    profile,
    violations: world.violations,
    runs: records.length,
    completed: records.filter(({ status }) => status === "completed").length,
    calls: model.calls.length,
    events: scheduler.events,
    fingerprint: scheduler.fingerprint,
    simulated_ms: scheduler.now() - startedAt,
    real_ms: Number(process.hrtime.bigint() - begun) / 1e6,
    trace: world.trace,
  };
}
