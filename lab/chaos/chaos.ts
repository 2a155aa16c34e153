import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../scripts/lib/json.ts";
import { startServer } from "../../scripts/lib/server.ts";
import { onStop } from "../../scripts/lib/stopping.ts";
import { clientOf, Outages } from "../lib/client.ts";
import { keepLibrary } from "./librarian.ts";
import { judgeDatabase } from "./stored.ts";
import { storageControl, storageStorms } from "./storage.ts";
import { startFaultyModel } from "./endpoint.ts";
import { LLM_TIMEOUT } from "./laws.ts";
import { startFaultyReceiver } from "./receiver.ts";
import { between } from "./roll.ts";
import { scenariosOf } from "./scenarios.ts";
import { planRuns, runMock, RunRecord } from "./runs.ts";
import { storm } from "./storm.ts";

/**
 * The short form, for the test suite: `npm run chaos -- --short`. A question stays open for a minute at least, so no question expires here;
 * people answer through a form or the callback URL, twice, or two at once.
 */
export const SHORT = {
  seed: "1",
  runs: 8,
  kills: 2,
  absent: false,
  behaviours: ["rivals", "twice", "form", "callback"],
};
export const FULL = { seed: "1", runs: 100, kills: 10, absent: true };

/** Short intervals, so that recovery takes seconds. */
const SETTINGS = {
  MAINTENANCE_INTERVAL_MS: "1000",
  NUDGE_AFTER_MS: "5000",
  LLM_TIMEOUT_MS: String(LLM_TIMEOUT),
  RATE_LIMIT_PER_MINUTE: "0",
};
/** Milliseconds until a slow model answers: long enough for a cancel and a retry. */
const SLOW = { from: 300, to: 3500 };
/** Four calls of storage, each delayed by up to two seconds, and the waits between them. Milliseconds. */
const SLOW_RECORD = 10_000;
/** Pause after a restart, so that the next kill interrupts work. Milliseconds. */
const PAUSE_AFTER_START = 1500;

/** Things that a client makes of each kind while calls of storage fail, and the longest pause before each. Milliseconds. */
const LIBRARY = { names: ["one", "two", "three", "four", "five"], pause: 30_000 };

interface ChaosOptions {
  /** determines everything except the effects of the machine's speed */
  seed: string;
  runs: number;
  kills: number;
  /** share of the calls across the platform's edge that fail */
  faults?: number;
  /** seconds for which D1 and R2 are away, one after the other */
  storageOutages?: number[];
  /** slow models, and runs that are canceled and retried during their calls */
  slow?: boolean;
  /** as `startServer` takes it */
  host?: string;
  /** includes runs whose questions nobody answers; their mock runs take a minute */
  absent: boolean;
  /** the ways in which people answer; all by default */
  behaviours?: string[];
  say: (text: string) => void;
}

/**
 * Plays runs of all workflows, with a failing model, a failing receiver of webhooks, people who answer twice and late, and a server that is
 * killed. Then checks every promise.
 */
export async function chaos(options: ChaosOptions) {
  const { seed, runs, kills, absent, behaviours, say, faults = 0, storageOutages = [], slow = false, host } = options;
  const injects = faults > 0 || storageOutages.length > 0;
  const main = injects ? "lab/chaos/worker.ts" : undefined;
  const state = mkdtempSync(join(tmpdir(), "parley-chaos-"));
  const modelServer = await startFaultyModel({ seed, ...(slow && { latency: SLOW }) });
  const hookServer = await startFaultyReceiver({ seed });
  const { model } = modelServer;
  const { receiver } = hookServer;
  const env = {
    ...SETTINGS,
    OPENAI_API_KEY: "sk-chaos-chaos",
    OPENAI_BASE_URL: modelServer.url,
    OPENAI_MODEL: "nobody",
    OPENAI_EMBEDDING_MODEL: "encoder",
  };
  let server = await startServer({ state, env, main, host });
  const port = Number(new URL(server.url).port); // fixed over restarts: callback URLs contain it
  onStop(() => void server.stop().then(() => process.exit(1)));
  try {
    const calm = clientOf(server.url, server.test_key);
    const names = (await calm.get("/v1/workflows")).data.map(({ name }: Json) => name);
    const scenarios = await scenariosOf(names, { absent });
    say(`Running ${scenarios.length} scenarios of ${names.join(", ")} on the mock model.`);
    const mockRuns = await Promise.all(scenarios.map((scenario) => runMock(calm, scenario)));

    const outages = new Outages();
    if (faults > 0) outages.recorded_within = SLOW_RECORD;
    const violations: string[] = [];
    const report = (violation: string) => void violations.push(violation);
    const api = clientOf(server.url, server.live_key, { outages, report, faulty: faults > 0 });
    const control = storageControl(server.url, injects);
    const records = planRuns({ seed, runs, behaviours, cancels: slow }, mockRuns).map((plan) => new RunRecord(plan));
    const startedAt = Date.now();
    const kill = async () => {
      const expectedCalls = records.reduce((sum, { plan }) => sum + plan.mockRun.calls, 0);
      for (let done = 0; done < kills; done++) {
        // Due after a number of calls, not at a time: a slow machine gets the same kills.
        const due = (expectedCalls * between(done + 0.2, done + 0.9, seed, "kill", done)) / (kills + 0.5);
        while (model.calls.length < due && !records.every(({ over }) => over)) await sleep(10);
        const active = records.filter(({ id, over }) => id && !over).length;
        const outage = { from: Date.now(), to: Infinity };
        outages.all.push(outage);
        await server.kill();
        server = await startServer({ state, env, port, main, host });
        outage.to = Date.now();
        // The new process knows nothing of an outage of storage that continues.
        await control.set({ rate: faults, delayed: faults, away_until: outages.storage.at(-1)?.to ?? 0 });
        say(`Kill ${done + 1} of ${kills} with ${active} active runs; up again after ${outage.to - outage.from} ms.`);
        await sleep(PAUSE_AFTER_START);
      }
    };
    const disturb = async () => {
      await control.set({ rate: faults, delayed: faults });
      const over = () => records.every((record) => record.over);
      const disturbed = Promise.all([kill(), storageStorms({ seconds: storageOutages, control, outages, say, over })]);
      const { names: things, pause } = LIBRARY;
      const library = { hooks: hookServer.url, names: things, pause: () => Math.random() * pause, report };
      await Promise.all([disturbed, injects && keepLibrary(api, { ...library, calm: disturbed })]);
    };
    let injected: Record<string, number> = {};
    const onEnded = () => {
      void control.set({ rate: 0, delayed: 0, away_until: 0 }).then((counts) => (injected = counts));
      say("Every run has ended; the receiver has no more faults.");
    };
    const judged = await storm({ records, api, model, receiver, hooks: hookServer.url, outages, disturb, onEnded });
    await server.stop();
    violations.push(...judgeDatabase(state));
    return {
      seed,
      injected,
      records,
      outages,
      ...judged,
      violations: [...violations, ...judged.violations],
      calls: model.calls,
      received: receiver.received,
      counts: api.counts,
      seconds: (Date.now() - startedAt) / 1000,
    };
  } finally {
    await server.stop();
    modelServer.close();
    hookServer.close();
    rmSync(state, { recursive: true, force: true });
  }
}
