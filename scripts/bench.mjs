// npm run bench [-- --quick]: measures the time that the engine adds to the model calls of a run, and beside it a bare pipeline on Workflows
// and D1, so that the ratio means something on any machine. It has no pass or fail.
// npm run bench -- debate [--quick]: four debaters over three rounds, compared with the longest chain of their calls.
// npm run bench -- ideation [--quick]: many trials at once, and the time of deduplication.
// npm run bench -- feed [--quick]: the time from the commit of an event to the clients that follow its run.
// npm run bench -- retrieval [--quick]: quality and speed of searches in corpora.
// npm run bench -- growth [--runs 200,20000]: what lists, metrics, the keeper and exports cost beside so many stored runs.
// npm run bench -- archive [--runs 1000]: bytes of archived runs, each read back.
// --host node: on the host of `npm run serve`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startModel } from "../test/support/model.ts";
import { benchArchive } from "./bench/archive.mjs";
import { benchDebate } from "./bench/debate.mjs";
import { benchFeed } from "./bench/feed.mjs";
import { benchGrowth } from "./bench/growth.mjs";
import { benchIdeation } from "./bench/ideation.mjs";
import { benchRetrieval } from "./bench/retrieval.mjs";
import { connect } from "./lib/api.mjs";
import { longestChain } from "./lib/chains.mjs";
import { allAtOnce, callsOf, finished, measured, median, plan, rehearse, reportCalls, wallOf } from "./lib/measure.mjs";
import { startPlainWorker } from "./bench/plain-worker.mjs";
import { startServer } from "./lib/server.mjs";
import { onStop } from "./lib/stopping.mjs";
import { markdownTable, say } from "./lib/terminal.mjs";
import { providerVariables } from "./lib/variables.mjs";

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false }, runs: { type: "string" }, host: { type: "string" } },
  allowPositionals: true,
});
const [subject = "engine"] = positionals;
const REPEATS = values.quick ? 2 : 5;
const AT_ONCE = values.quick ? 10 : 50;
/** Measurements of many at once, of which the median counts. */
const WAVES = values.quick ? 1 : 3;

const REQUEST = { workflow: "requirements", input: { idea: "A tool library for a neighbourhood, run by volunteers." } };

/** Two generated programs: one calls agents in sequence, the other calls them in parallel. */
const AGENT_CALLS = 10;
const PROGRAMS = {
  "one after the other": (agent) => `export default async function main(agents) {
  let last = null;
  for (let n = 1; n <= ${AGENT_CALLS}; n++) last = await agents.call(${JSON.stringify(agent)}, "step " + n, last);
  return last;
}`,
  "all at once": (agent) => `export default async function main(agents) {
  const steps = Array.from({ length: ${AGENT_CALLS} }, (_, n) => agents.call(${JSON.stringify(agent)}, "step " + n, null));
  return (await Promise.all(steps)).join(" ");
}`,
};
const PROGRAM_REQUEST = {
  workflow: "waterfall",
  input: { requirement: "Count to ten." },
  options: { clarification: "skip", skip_stages: ["design"] },
};

const start = (api, latency) => api.post("/v1/runs", { ...REQUEST, models: { default: `openai/${latency}ms` } });

async function oneAtATime(api, begin, latency, chain) {
  const runs = [];
  for (let count = 0; count < REPEATS; count++)
    runs.push(await finished(api, (await begin(latency)).id, latency * chain));
  return { wall: median(runs.map(wallOf)), ids: runs.map((run) => run.id) };
}

/** Measures the time of a program's execution outside its agent calls; a call lasts from its start to its commit. */
async function programs(server, endpoint) {
  const test = connect(server.url, server.test_key);
  const live = connect(server.url, server.live_key);
  const contents = await rehearse(test, PROGRAM_REQUEST);
  const agent = (await test.get("/v1/agents?limit=1")).data[0].name;
  const rows = [];
  for (const [name, source] of Object.entries(PROGRAMS)) {
    const answers = Object.fromEntries(
      contents.filter(([act]) => !act.includes("/execution#")).map(([act, content]) => [act, [{ content }]]),
    );
    answers["implementation/generate_code#1"] = [{ content: source(agent) }];
    answers["*"] = [{ content: "done", delay_ms: 50 }];
    await fetch(`${endpoint}/plan/program`, { method: "PUT", body: JSON.stringify(answers) });
    const logs = [];
    // The first execution of an isolate loads QuickJS, so it has its own column.
    for (let count = 0; count <= 2 * REPEATS; count++) logs.push(await logOfProgram(live));
    const besides = logs.map(({ duration_ms, calls_ms }) => duration_ms - calls_ms);
    const wall = median(logs.map(({ duration_ms }) => duration_ms));
    rows.push([name, `${wall} ms`, `${besides[0]} ms`, `${median(besides.slice(1))} ms`]);
  }
  say();
  say(
    markdownTable(
      [`program with ${AGENT_CALLS} agent calls`, "execution", "besides (first)", "besides (median)"],
      rows,
    ),
  );
}

async function logOfProgram(api) {
  const { id } = await api.post("/v1/runs", { ...PROGRAM_REQUEST, models: { default: "openai/program" } });
  await finished(api, id);
  const { id: log } = (await api.all(`/v1/runs/${id}/artifacts`)).find(({ kind }) => kind === "execution_log");
  const content = JSON.parse(await api.text(`/v1/runs/${id}/artifacts/${log}/content`));
  if (content.calls !== AGENT_CALLS) throw new Error(`The program made ${content.calls} calls, not ${AGENT_CALLS}.`);
  return content;
}

async function main(server, endpoint) {
  const contents = await rehearse(connect(server.url, server.test_key), REQUEST);
  const api = connect(server.url, server.live_key);
  for (const latency of [5, 50, 200]) await plan(endpoint, contents, latency);
  const trial = await finished(api, (await start(api, 200)).id);
  const calls = await callsOf(endpoint, trial.id);
  const chain = longestChain(calls);
  const parley = await measureRuns(server, api, (latency) => start(api, latency), chain);
  const bare = await barePipeline(endpoint, chain);

  say();
  say(
    markdownTable(
      ["runs", "latency", "wall", "wall / path", "CPU ms a run", "memory MiB", "bare: wall / path", "bare: CPU ms"],
      parley.map(({ runs, latency, wall, ratio, cpu, rss }, at) => [
        runs,
        `${latency} ms`,
        `${wall.toFixed(0)} ms`,
        ratio.toFixed(3),
        cpu,
        rss,
        bare[at].ratio.toFixed(3),
        bare[at].cpu,
      ]),
    ),
  );
  say(
    `\nPath: ${chain} calls one after the other, of ${calls.length} a run. Bare: a Workflow with a step and a row in D1`,
  );
  say("for each of the calls of the path, which has no artifacts, events, usage, budgets, questions or keys.");
  await programs(server, endpoint);
  await reportCalls(
    endpoint,
    parley.flatMap(({ ids }) => ids),
    calls.length,
  );
}

/** Measures runs alone, at two latencies, and many at once. @param begin starts a run with the latency of its calls */
async function measureRuns(server, api, begin, chain) {
  await oneAtATime(api, begin, 5, chain);
  await allAtOnce(api, AT_ONCE, () => begin(5), 5 * chain);
  const measurements = [];
  const add = (runs, latency, measurement) =>
    measurements.push({ runs, latency, ratio: measurement.wall / (latency * chain), ...measurement });
  for (const latency of [50, 200])
    add(
      `1 (median of ${REPEATS})`,
      latency,
      await measured(server, REPEATS, () => oneAtATime(api, begin, latency, chain)),
    );
  const waves = [];
  for (let wave = 0; wave < WAVES; wave++)
    waves.push(await measured(server, AT_ONCE, () => allAtOnce(api, AT_ONCE, () => begin(200), 200 * chain)));
  const many = waves.toSorted((a, b) => a.wall - b.wall)[Math.floor(WAVES / 2)];
  const walls = waves.map(({ wall }) => (wall / (200 * chain)).toFixed(2)).join(", ");
  add(`${AT_ONCE} at once (median of ${walls})`, 200, { ...many, ids: waves.flatMap(({ ids }) => ids) });
  return measurements;
}

/** The same measurements of a pipeline without an engine. */
async function barePipeline(endpoint, chain) {
  const contents = [["*", "A short answer. ".repeat(60)]];
  for (const latency of [5, 50, 200]) await plan(endpoint, contents, latency, `bare-${latency}ms`);
  const worker = await startPlainWorker("bare-pipeline-worker.mjs", {
    vars: { MODEL_URL: endpoint },
    d1_databases: [{ binding: "DB", database_name: "bare", database_id: "bare" }],
    workflows: [{ binding: "RUNS", name: "bare", class_name: "BarePipeline" }],
  });
  try {
    const api = connect(worker.url, "none");
    const begin = (latency) => api.post("/v1/runs", { model: `bare-${latency}ms`, calls: chain });
    return await measureRuns(worker, api, begin, chain);
  } finally {
    worker.stop();
  }
}

const state = mkdtempSync(join(tmpdir(), "parley-bench-"));
const model = await startModel();
let server;
onStop(() => void server?.stop());
try {
  if (subject === "engine") {
    server = await startServer({
      state,
      host: values.host,
      env: { OPENAI_API_KEY: "sk-bench", OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: "5ms" },
    });
    await main(server, model.url);
  } else if (subject === "growth") {
    await benchGrowth((values.runs ?? "200,20000").split(",").map(Number), state);
  } else if (subject === "archive") {
    await benchArchive(Number(values.runs ?? 1000), state);
  } else if (subject === "retrieval") {
    server = await startServer({ state, host: values.host, env: providerVariables() });
    const apis = { test: connect(server.url, server.test_key), live: connect(server.url, server.live_key) };
    await benchRetrieval(apis, { quick: values.quick, embedding: process.env.OPENAI_EMBEDDING_MODEL });
  } else if (subject === "feed") {
    server = await startServer({ state, env: {} });
    await benchFeed(server, connect(server.url, server.test_key), { quick: values.quick });
  } else if (subject === "ideation" || subject === "debate") {
    server = await startServer({
      state,
      host: values.host,
      env: { OPENAI_API_KEY: "sk-bench", OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: "200ms" },
    });
    const apis = { test: connect(server.url, server.test_key), live: connect(server.url, server.live_key) };
    const options = { quick: values.quick, endpoint: model.url, pid: server.pid, state };
    await (subject === "debate" ? benchDebate(apis, options) : benchIdeation(apis, options));
  } else
    throw new Error(
      `There is no benchmark "${subject}"; choose engine, debate, ideation, feed, retrieval, growth or archive.`,
    );
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  await server?.stop();
  await model.close();
  rmSync(state, { recursive: true, force: true });
}
