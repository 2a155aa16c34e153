import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../lib/api.mjs";
import { startServer } from "../lib/server.mjs";
import { Outages, patientClient } from "./client.mjs";
import { judgeDeliveries, settle } from "./deliveries.mjs";
import { startFaultyModel } from "./endpoint.mjs";
import { LAWS, LLM_TIMEOUT } from "./laws.mjs";
import { startFaultyReceiver } from "./receiver.mjs";
import { parallel } from "./parallel.mjs";
import { between } from "./roll.mjs";
import { scenariosOf } from "./scenarios.mjs";
import { live, modelOf, planRuns, rehearse, Story } from "./storm.mjs";

/**
 * What a test suite has time for: `npm run chaos -- --short`. A question is open for a minute at least, so nobody lets one expire here;
 * everybody else answers both ways, twice, or two at once.
 */
export const SHORT = {
  seed: "1",
  runs: 8,
  kills: 2,
  absent: false,
  tempers: ["rivals", "twice", "form", "callback"],
};
export const FULL = { seed: "1", runs: 100, kills: 10, absent: true };

/** Quick to see what is wrong. */
const SETTINGS = {
  KEEPER_INTERVAL_MS: "1000",
  NUDGE_AFTER_MS: "5000",
  LLM_TIMEOUT_MS: String(LLM_TIMEOUT),
  RATE_LIMIT_PER_MINUTE: "0",
};
/** Runs under way at the same time. */
const AT_ONCE = 25;
/** After a start the server is left alone for a moment, so that each kill meets work. Milliseconds. */
const BREATH = 1500;

/**
 * Runs over all workflows, with a model that fails, a receiver of webhooks that fails, people who answer twice and late, and a server
 * that is killed. Then looks whether what is promised has held.
 * @param {object} options
 * @param {string} options.seed decides everything but what the machine's speed does
 * @param {number} options.runs
 * @param {number} options.kills
 * @param {boolean} options.absent with runs whose questions nobody answers; their rehearsal takes a minute
 * @param {string[]} [options.tempers] how people answer
 * @param {(text: string) => void} options.say
 * @param {(stop: () => Promise<void>) => void} [options.onStart] handed what ends the server
 */
export async function chaos({ seed, runs, kills, absent, tempers, say, onStart }) {
  const state = mkdtempSync(join(tmpdir(), "parley-chaos-"));
  const model = await startFaultyModel({ seed });
  const receiver = await startFaultyReceiver({ seed });
  const env = {
    ...SETTINGS,
    OPENAI_API_KEY: "sk-chaos-chaos",
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: "nobody",
    OPENAI_EMBEDDING_MODEL: "encoder",
  };
  let server = await startServer({ state, env });
  const port = Number(new URL(server.url).port); // the same after every start: callback URLs name it
  onStart?.(() => server.stop());
  try {
    const names = (await connect(server.url, server.test_key).get("/v1/workflows")).data.map(({ name }) => name);
    const scenarios = scenariosOf(names, { absent });
    say(`Rehearsing ${scenarios.length} scenarios of ${names.join(", ")}.`);
    const rehearsed = await Promise.all(scenarios.map((one) => rehearse(connect(server.url, server.test_key), one)));

    const outages = new Outages();
    const wrong = [];
    const api = patientClient({ url: server.url, key: server.live_key, outages, wrong: (what) => wrong.push(what) });
    const tenant = (await api.send("POST", "/v1/webhook-endpoints", { body: { url: `${receiver.url}/tenant` } })).body;
    const secret = `whsec_${randomBytes(32).toString("base64")}`;

    const stories = planRuns({ seed, runs, tempers }, rehearsed).map((plan) => new Story(plan));
    for (const { plan } of stories) model.plan(modelOf(plan), plan.rehearsed.contents);

    const begun = Date.now();
    const one = (story) =>
      live(story, api, { hooks: receiver.url, secret })
        .catch((error) => void story.wrong.push(error.stack))
        .finally(() => (story.over = true));
    const lives = parallel(stories, one, AT_ONCE);
    const work = stories.reduce((sum, { plan }) => sum + plan.rehearsed.contents.size, 0);
    for (let kill = 0; kill < kills; kill++) {
      // By the work that is done rather than by the clock: a slow machine meets the same storm.
      const due = (work * between(kill + 0.2, kill + 0.9, seed, "kill", kill)) / (kills + 0.5);
      while (model.calls.length < due && !stories.every(({ over }) => over)) await sleep(10);
      const alive = stories.filter(({ id, over }) => id && !over).length;
      const outage = { from: Date.now(), to: Infinity };
      outages.all.push(outage);
      await server.kill();
      server = await startServer({ state, env, port });
      outage.to = Date.now();
      say(`Kill ${kill + 1} of ${kills} with ${alive} runs under way; up again after ${outage.to - outage.from} ms.`);
      await sleep(BREATH);
    }
    await lives;
    say("Every run has ended; the receiver is well again.");

    receiver.recover();
    const evidence = await Promise.all(stories.map((story) => (story.id ? gather(api, story, model.calls) : null)));
    const listeners = listenersOf(stories, evidence, { tenant, secret });
    const { redelivered, late } = await settle(api, listeners);
    wrong.push(...late);
    const logs = [];
    for (const listener of listeners) {
      const log = await api.all(`/v1/webhook-endpoints/${listener.id}/deliveries`);
      const received = receiver.received.filter(({ path }) => path === listener.path);
      wrong.push(...judgeDeliveries(listener, log, received, outages));
      logs.push(...log);
    }
    for (const [at, story] of stories.entries()) {
      const faults = evidence[at] ? Object.values(LAWS).flatMap((law) => law(story, evidence[at], outages)) : [];
      wrong.push(
        ...[...story.wrong, ...faults].map(
          (what) =>
            `${story.plan.name} (${story.id}, ${story.plan.scenario.workflow}, ${story.plan.scenario.name}, ${story.plan.temper}): ${what}`,
        ),
      );
    }
    return {
      seed,
      stories,
      evidence,
      outages,
      wrong,
      logs,
      redelivered,
      calls: model.calls,
      received: receiver.received,
      counts: api.counts,
      seconds: (Date.now() - begun) / 1000,
    };
  } finally {
    await server.stop();
    model.close();
    receiver.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/**
 * What is known of a run.
 * @returns {Promise<import("./laws.mjs").Evidence>}
 */
async function gather(api, { id }, calls) {
  const path = `/v1/runs/${id}`;
  const [run, artifacts, events] = await Promise.all([
    api.get(path),
    api.all(`${path}/artifacts`),
    api.all(`${path}/events`),
  ]);
  const asked = events.filter(({ type }) => type === "run.input_required").map(({ data }) => data.interaction_id);
  const interactions = await Promise.all(asked.map((one) => api.get(`/v1/interactions/${one}`)));
  const byPeople = artifacts.filter(({ role }) => role === "human");
  const contents = await Promise.all(byPeople.map((artifact) => api.get(`${path}/artifacts/${artifact.id}`)));
  const said = new Map(contents.map(({ act, content }) => [act, JSON.stringify(content)]));
  return { run, artifacts, events, interactions, said, calls: calls.filter((call) => call.run === id) };
}

/** Who was to be told of what: the endpoint of the tenant, and each run's own. */
function listenersOf(stories, evidence, { tenant, secret }) {
  const told = (types, some) =>
    some.flatMap(({ run, events }) =>
      events.filter(({ type }) => types.includes(type)).map((event) => ({ ...event, run_id: run.id })),
    );
  const known = evidence.filter((one) => one !== null);
  return [
    { id: tenant.id, path: "/tenant", secret: tenant.secret, events: told(tenant.events, known) },
    ...stories.flatMap(({ plan }, at) => {
      const one = evidence[at];
      if (!one) return [];
      const { webhook } = one.run;
      return [{ id: webhook.id, path: `/run/${plan.index}`, secret, events: told(webhook.events, [one]) }];
    }),
  ];
}
