import { setTimeout as sleep } from "node:timers/promises";
import { drawProfile, type Profile } from "./fates.ts";
import { planRuns, type MockRun, RunRecord } from "../chaos/runs.ts";
import { type Client, clientOf } from "../lib/client.ts";
import { storm } from "../chaos/storm.ts";
import { Chance } from "./chance.ts";
import { Histories } from "./histories.ts";
import { keepLibrary } from "../chaos/librarian.ts";
import { quietHours } from "./quiet-hours.ts";
import { URLS } from "./network.ts";
import { judgeStored } from "./stored-laws.ts";
import { REMOVED_WITHIN, watch } from "./watch.ts";
import { World } from "./world.ts";

/** How often the lists of deliveries are read at the end. Milliseconds. */
const DRAIN_INTERVAL_MS = 4000;
/** How often a client reads its run. Milliseconds. */
const POLL = { from: 1000, to: 2500 };

/** What the worlds of a process have in common. */
export interface Common {
  template: Uint8Array;
  mockRuns: MockRun[];
  test_key: string;
  live_key: string;
  /** a tenant that deletes itself */
  leaver: { tenant: string; key: string };
}

/** A world to simulate. */
export interface Task {
  seed: number;
  runs: number;
  traced: boolean;
  /** of the profile that the seed draws */
  overrides: Partial<Profile>;
}

/** Simulates the world of one seed, and checks its laws. */
export async function simulate(
  { template, mockRuns, test_key, live_key, leaver }: Common,
  { seed, runs, traced, overrides }: Task,
) {
  const begun = process.hrtime.bigint();
  const profile = { ...drawProfile(new Chance(seed ^ 0x5eed)), ...overrides };
  const world = new World({ seed, profile, template, runs, traced });
  const { model, receiver, outages, scheduler } = world;
  const startedAt = Date.now();
  const { spread } = profile;
  const mix = profile.only_trees ? mockRuns.filter(({ scenario }) => scenario.dataset) : mockRuns;
  const plans = planRuns({ seed: String(seed), runs, cancels: true, spread, poll: POLL }, mix);
  const records = plans.map((plan) => new RunRecord(plan));
  const pauses = new Chance(seed ^ 0xc11e);
  const histories = new Histories();
  watch(world);
  await world.live(async () => {
    const report = (violation: string) => void world.violations.push(violation);
    const { fates } = world;
    const storageAway = () => false;
    // A request may fail when the process was down, or a call so slow that its client gave up. Faults alone give a 503.
    const failed = {
      storageAway,
      overlap: (from: number, to: number) => outages.overlap(from, to) || fates.wasSlow(from, to),
    };
    const unrecorded = {
      storageAway,
      overlap: (from: number, to: number) => outages.overlap(from, to) || fates.excuse(from, to),
      recorded_within: outages.recorded_within,
    };
    outages.doneBy = (from, to) => world.fates.slowUntil(from, to);
    const api = clientOf(URLS.worker, live_key, {
      outages: failed,
      faulty: profile.faults > 0 || profile.broken_sender,
      report,
      observe: histories.record,
    });
    const { promise: calm, resolve: calmDown } = Promise.withResolvers<void>();
    const onEnded = () => {
      world.fates.active = false;
      calmDown();
    };
    const pause = () => pauses.between(0, spread);
    const library = keepLibrary(api, { hooks: URLS.hooks, names: ["one", "two"], pause, calm, report });
    const leaving = sleep(pause()).then(() => leave(api, leaver));
    // A broken sender stays so for long enough to hold up the tenant's removal.
    const disturb = async () => {
      if (profile.broken_sender) await leaving.then(() => sleep(REMOVED_WITHIN + 5000));
    };
    const judged = await storm({
      records,
      api,
      model,
      receiver,
      hooks: URLS.hooks,
      outages,
      unrecorded,
      disturb,
      onEnded,
      drainInterval: DRAIN_INTERVAL_MS,
    });
    world.violations.push(...judged.violations);
    await Promise.all([library, leaving]);
    if (profile.quiet_hours) await quietHours(world, api, { chance: pauses, key: test_key });
    world.violations.push(...judgeStored(world), ...histories.judge());
  });
  return {
    profile,
    violations: world.violations,
    runs: records.length,
    completed: records.filter(({ status }) => status === "completed").length,
    removed: records.filter(({ status }) => status === "removed").length,
    calls: model.calls.length,
    events: scheduler.events,
    fingerprint: scheduler.fingerprint,
    simulated_ms: scheduler.now() - startedAt,
    real_ms: Number(process.hrtime.bigint() - begun) / 1e6,
    trace: world.trace,
  };
}

async function leave(api: Client, { tenant, key }: Common["leaver"]) {
  const { status, body } = await api.send("DELETE", `/v1/tenant?confirm=${tenant}`, { key });
  // A retried request finds the tenant's keys gone.
  if (status !== 202 && status !== 401)
    throw new Error(`The tenant was not deleted: ${status} ${JSON.stringify(body)}`);
}
