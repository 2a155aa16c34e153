import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../lib/api.mjs";
import { parallel } from "../lib/parallel.mjs";
import { startServer } from "../lib/server.mjs";
import { Outages, retryingClient } from "./client.mjs";
import { keepsEpochs } from "./epochs.mjs";
import { storageControl, storageStorms, writeUnderKeys } from "./storage.mjs";
import { judgeDeliveries, settle } from "./deliveries.mjs";
import { startFaultyModel } from "./endpoint.mjs";
import { LAWS, LLM_TIMEOUT } from "./laws.mjs";
import { startFaultyReceiver } from "./receiver.mjs";
import { between } from "./roll.mjs";
import { scenariosOf } from "./scenarios.mjs";
import { modelOf, planRuns, playRun, rehearse, RunRecord } from "./runs.mjs";

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
  KEEPER_INTERVAL_MS: "1000",
  NUDGE_AFTER_MS: "5000",
  LLM_TIMEOUT_MS: String(LLM_TIMEOUT),
  RATE_LIMIT_PER_MINUTE: "0",
};
/** Active runs at the same time. */
const CONCURRENCY = 25;
/** Pause after a restart, so that the next kill interrupts work. Milliseconds. */
const PAUSE_AFTER_START = 1500;

/**
 * Plays runs of all workflows, with a failing model, a failing receiver of webhooks, people who answer twice and late, and a server that is
 * killed. Then checks every promise.
 * @param {object} options
 * @param {string} options.seed determines everything except the effects of the machine's speed
 * @param {number} options.runs
 * @param {number} options.kills
 * @param {number} [options.faults] share of the calls across the platform's edge that fail
 * @param {number[]} [options.storageOutages] seconds for which D1 and R2 are away, one after the other
 * @param {boolean} [options.slow] slow models, and runs that are canceled and retried during their calls
 * @param {boolean} options.absent includes runs whose questions nobody answers; their rehearsal takes a minute
 * @param {string[]} [options.behaviours] the ways in which people answer; all by default
 * @param {(text: string) => void} options.say
 * @param {(stop: () => Promise<void>) => void} [options.onStart] receives a function that stops the server
 */
export async function chaos(options) {
  const {
    seed,
    runs,
    kills,
    absent,
    behaviours,
    say,
    onStart,
    faults = 0,
    storageOutages = [],
    slow = false,
  } = options;
  const injects = faults > 0 || storageOutages.length > 0;
  const main = injects ? "scripts/chaos/worker.ts" : undefined;
  const state = mkdtempSync(join(tmpdir(), "parley-chaos-"));
  const model = await startFaultyModel({ seed, slow });
  const receiver = await startFaultyReceiver({ seed });
  const env = {
    ...SETTINGS,
    OPENAI_API_KEY: "sk-chaos-chaos",
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: "nobody",
    OPENAI_EMBEDDING_MODEL: "encoder",
  };
  let server = await startServer({ state, env, main });
  const port = Number(new URL(server.url).port); // fixed over restarts: callback URLs contain it
  onStart?.(() => server.stop());
  try {
    const names = (await connect(server.url, server.test_key).get("/v1/workflows")).data.map(({ name }) => name);
    const scenarios = scenariosOf(names, { absent });
    say(`Rehearsing ${scenarios.length} scenarios of ${names.join(", ")}.`);
    const rehearsed = await Promise.all(
      scenarios.map((scenario) => rehearse(connect(server.url, server.test_key), scenario)),
    );

    const outages = new Outages();
    const violations = [];
    const report = (violation) => violations.push(violation);
    const api = retryingClient({ url: server.url, key: server.live_key, outages, report, faulty: faults > 0 });
    const control = storageControl(server.url, injects);
    const tenant = (await api.send("POST", "/v1/webhook-endpoints", { body: { url: `${receiver.url}/tenant` } })).body;
    const secret = `whsec_${randomBytes(32).toString("base64")}`;

    const records = planRuns({ seed, runs, behaviours, slow }, rehearsed).map((plan) => new RunRecord(plan));
    for (const { plan } of records) model.plan(modelOf(plan), plan.rehearsed.contents);

    const startedAt = Date.now();
    await control.set({ rate: faults, delayed: faults });
    const storms = storageStorms({ seconds: storageOutages, control, outages, say });
    const keyed = injects ? writeUnderKeys(api, { seed, over: () => records.every(({ over }) => over) }) : null;
    const play = (record) =>
      playRun(record, api, { hooks: receiver.url, secret })
        .catch((error) => void record.violations.push(error.stack))
        .finally(() => (record.over = true));
    const played = parallel(records, play, CONCURRENCY);
    const expectedCalls = records.reduce((sum, { plan }) => sum + plan.rehearsed.contents.size, 0);
    for (let kill = 0; kill < kills; kill++) {
      // Due after a number of calls, not at a time: a slow machine gets the same kills.
      const due = (expectedCalls * between(kill + 0.2, kill + 0.9, seed, "kill", kill)) / (kills + 0.5);
      while (model.calls.length < due && !records.every(({ over }) => over)) await sleep(10);
      const active = records.filter(({ id, over }) => id && !over).length;
      const outage = { from: Date.now(), to: Infinity };
      outages.all.push(outage);
      await server.kill();
      server = await startServer({ state, env, port, main });
      outage.to = Date.now();
      await control.set({ rate: faults, delayed: faults });
      say(`Kill ${kill + 1} of ${kills} with ${active} active runs; up again after ${outage.to - outage.from} ms.`);
      await sleep(PAUSE_AFTER_START);
    }
    await Promise.all([played, storms]);
    if (keyed) violations.push(...(await keyed));
    const injected = await control.set({ rate: 0, delayed: 0, away_until: 0 });
    say("Every run has ended; the receiver has no more faults.");

    receiver.recover();
    const evidence = await Promise.all(records.map((record) => (record.id ? gather(api, record, model.calls) : null)));
    const listeners = listenersOf(records, evidence, { tenant, secret });
    const { redelivered, late } = await settle(api, listeners);
    violations.push(...late);
    const logs = [];
    for (const listener of listeners) {
      const log = await api.all(`/v1/webhook-endpoints/${listener.id}/deliveries`);
      const received = receiver.received.filter(({ path }) => path === listener.path);
      violations.push(...judgeDeliveries(listener, log, received, outages));
      logs.push(...log);
    }
    for (const [index, record] of records.entries()) {
      const { id, plan } = record;
      const broken = evidence[index] ? Object.values(LAWS).flatMap((law) => law(record, evidence[index], outages)) : [];
      const place = `${plan.name} (${id}, ${plan.scenario.workflow}, ${plan.scenario.name}, ${plan.behaviour})`;
      violations.push(...[...record.violations, ...broken].map((violation) => `${place}: ${violation}`));
    }
    await server.stop();
    violations.push(...keepsEpochs(state));
    return {
      seed,
      injected,
      records,
      evidence,
      outages,
      violations,
      logs,
      redelivered,
      calls: model.calls,
      received: receiver.received,
      counts: api.counts,
      seconds: (Date.now() - startedAt) / 1000,
    };
  } finally {
    await server.stop();
    model.close();
    receiver.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/**
 * Collects the evidence of one run.
 * @returns {Promise<import("./laws.mjs").Evidence>}
 */
async function gather(api, { id }, calls) {
  const path = `/v1/runs/${id}`;
  const [run, artifacts, events] = await Promise.all([
    api.get(path),
    api.all(`${path}/artifacts`),
    api.all(`${path}/events`),
  ]);
  const ids = events.filter(({ type }) => type === "run.input_required").map(({ data }) => data.interaction_id);
  const interactions = await Promise.all(ids.map((interaction) => api.get(`/v1/interactions/${interaction}`)));
  const byPeople = artifacts.filter(({ role }) => role === "human");
  const contents = await Promise.all(byPeople.map((artifact) => api.get(`${path}/artifacts/${artifact.id}`)));
  const said = new Map(contents.map(({ act, content }) => [act, JSON.stringify(content)]));
  return { run, artifacts, events, interactions, said, calls: calls.filter((call) => call.run === id) };
}

/** The webhook endpoints with the events that each must receive: the tenant's endpoint, and one of each run. */
function listenersOf(records, evidence, { tenant, secret }) {
  const eventsOf = (types, runs) =>
    runs.flatMap(({ run, events }) =>
      events.filter(({ type }) => types.includes(type)).map((event) => ({ ...event, run_id: run.id })),
    );
  const ofRun = ({ plan }, index) => {
    if (!evidence[index]) return [];
    const { webhook } = evidence[index].run;
    return [
      { id: webhook.id, path: `/run/${plan.index}`, secret, events: eventsOf(webhook.events, [evidence[index]]) },
    ];
  };
  const created = evidence.filter((item) => item !== null);
  return [
    { id: tenant.id, path: "/tenant", secret: tenant.secret, events: eventsOf(tenant.events, created) },
    ...records.flatMap(ofRun),
  ];
}
