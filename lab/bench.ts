import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModel } from "../test/support/model.ts";
import { benchArchive } from "./bench/archive.ts";
import { benchDebate } from "./bench/debate.ts";
import { benchFeed } from "./bench/feed.ts";
import { benchGrowth } from "./bench/growth.ts";
import { benchIdeation } from "./bench/ideation.ts";
import { benchRetrieval } from "./bench/retrieval.ts";
import { type Api, connect, type Json } from "../scripts/lib/api.ts";
import { command, refuse } from "../scripts/lib/command.ts";
import { longestChain } from "./lib/chains.ts";
import { allAtOnce, callsOf, finished, measured, median, plan, runMock, reportCalls, wallOf } from "./lib/measure.ts";
import { startPlainWorker } from "./bench/plain-worker.ts";
import { type Server, startServer } from "../scripts/lib/server.ts";
import { onStop } from "../scripts/lib/stopping.ts";
import { markdownTable, say } from "../scripts/lib/terminal.ts";
import { providerVariables } from "../scripts/lib/variables.ts";

const { values, positionals } = command({
  name: "bench",
  takes: "[engine | debate | ideation | feed | retrieval | growth | archive]",
  what: `Prints figures; it has no pass or fail.

  engine     the time that the engine adds to a run's model calls, beside a bare pipeline on Workflows and D1, so that the ratio means
             something on any machine (the default)
  debate     four debaters over three rounds, compared with the longest chain of their calls
  ideation   many trials at once, and the time of deduplication
  feed       the time from the commit of an event to the clients that follow its run
  retrieval  quality and speed of searches in corpora
  growth     what lists, metrics, the maintenance worker and exports cost beside so many stored runs
  archive    bytes of archived runs, each read back`,
  options: {
    quick: { type: "boolean", help: "fewer repetitions" },
    runs: { type: "string", value: "N", help: "growth: stored runs, such as 200,20000; archive: runs (1000)" },
    host: { type: "string", value: "HOST", help: "workerd, or node: the host of `npm run serve`" },
  },
  example: "debate --quick",
});
const [subject = "engine"] = positionals;
const SUBJECTS = ["engine", "debate", "ideation", "feed", "retrieval", "growth", "archive"];
if (!SUBJECTS.includes(subject))
  refuse("bench", `There is no benchmark "${subject}"; choose ${SUBJECTS.slice(0, -1).join(", ")} or archive.`);
const REPEATS = values.quick ? 2 : 5;
const CONCURRENCY = values.quick ? 10 : 50;
/** Measurements of many at once, of which the median counts. */
const WAVES = values.quick ? 1 : 3;

const REQUEST = { workflow: "requirements", input: { idea: "A tool library for a neighbourhood, run by volunteers." } };

/** Two generated programs: one calls agents in sequence, the other calls them in parallel. */
const AGENT_CALLS = 10;
const PROGRAMS: Record<string, (agent: string) => string> = {
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

const start = (api: Api, latency: number) =>
  api.post("/v1/runs", { ...REQUEST, models: { default: `openai/${latency}ms` } });

/** Starts a run with this latency of its calls. */
type Begin = (latency: number) => Promise<{ id: string }>;

async function oneAtATime(api: Api, begin: Begin, latency: number, chain: number) {
  const runs: Json[] = [];
  for (let count = 0; count < REPEATS; count++)
    runs.push(await finished(api, (await begin(latency)).id, latency * chain));
  return { wall: median(runs.map(wallOf)), ids: runs.map((run) => run.id) };
}

/** Measures the time of a program's execution outside its agent calls; a call lasts from its start to its commit. */
async function programs(server: Server, endpoint: string) {
  const test = connect(server.url, server.test_key);
  const live = connect(server.url, server.live_key);
  const contents = await runMock(test, PROGRAM_REQUEST);
  const agent = (await test.get("/v1/agents?limit=1")).data[0].name;
  const rows: string[][] = [];
  for (const [name, source] of Object.entries(PROGRAMS)) {
    const answers: Record<string, object[]> = Object.fromEntries(
      contents.filter(([step]) => !step.includes("/execution#")).map(([step, content]) => [step, [{ content }]]),
    );
    answers["implementation/generate_code#1"] = [{ content: source(agent) }];
    answers["*"] = [{ content: "done", delay_ms: 50 }];
    await fetch(`${endpoint}/plan/program`, { method: "PUT", body: JSON.stringify(answers) });
    const logs: Json[] = [];
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

async function logOfProgram(api: Api) {
  const { id } = await api.post("/v1/runs", { ...PROGRAM_REQUEST, models: { default: "openai/program" } });
  await finished(api, id);
  const { id: log } = (await api.all(`/v1/runs/${id}/artifacts`)).find(({ kind }) => kind === "execution_log");
  const content = JSON.parse(await api.text(`/v1/runs/${id}/artifacts/${log}/content`));
  if (content.calls !== AGENT_CALLS) throw new Error(`The program made ${content.calls} calls, not ${AGENT_CALLS}.`);
  return content;
}

async function main(server: Server, endpoint: string) {
  const contents = await runMock(connect(server.url, server.test_key), REQUEST);
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
        bare[at]?.ratio.toFixed(3),
        bare[at]?.cpu,
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

interface Measurement {
  wall: number;
  ids: string[];
  cpu: string;
  rss: string | undefined;
}

/**
 * Measures runs alone, at two latencies, and many at once.
 * @param begin starts a run with the latency of its calls
 */
async function measureRuns(server: Pick<Server, "pid">, api: Api, begin: Begin, chain: number) {
  await oneAtATime(api, begin, 5, chain);
  await allAtOnce(api, CONCURRENCY, () => begin(5), 5 * chain);
  const measurements: (Measurement & { runs: string; latency: number; ratio: number })[] = [];
  const add = (runs: string, latency: number, measurement: Measurement) =>
    measurements.push({ runs, latency, ratio: measurement.wall / (latency * chain), ...measurement });
  for (const latency of [50, 200])
    add(
      `1 (median of ${REPEATS})`,
      latency,
      await measured(server, REPEATS, () => oneAtATime(api, begin, latency, chain)),
    );
  const waves: Measurement[] = [];
  for (let wave = 0; wave < WAVES; wave++)
    waves.push(await measured(server, CONCURRENCY, () => allAtOnce(api, CONCURRENCY, () => begin(200), 200 * chain)));
  const many = waves.toSorted((a, b) => a.wall - b.wall)[Math.floor(WAVES / 2)] as Measurement;
  const walls = waves.map(({ wall }) => (wall / (200 * chain)).toFixed(2)).join(", ");
  add(`${CONCURRENCY} at once (median of ${walls})`, 200, { ...many, ids: waves.flatMap(({ ids }) => ids) });
  return measurements;
}

/** The same measurements of a pipeline without an engine. */
async function barePipeline(endpoint: string, chain: number) {
  const contents: [string, string][] = [["*", "A short answer. ".repeat(60)]];
  for (const latency of [5, 50, 200]) await plan(endpoint, contents, latency, `bare-${latency}ms`);
  const worker = await startPlainWorker("bare-pipeline-worker.ts", {
    vars: { MODEL_URL: endpoint },
    d1_databases: [{ binding: "DB", database_name: "bare", database_id: "bare" }],
    workflows: [{ binding: "RUNS", name: "bare", class_name: "BarePipeline" }],
  });
  try {
    const api = connect(worker.url, "none");
    const begin = (latency: number) => api.post("/v1/runs", { model: `bare-${latency}ms`, calls: chain });
    return await measureRuns(worker, api, begin, chain);
  } finally {
    worker.stop();
  }
}

const state = mkdtempSync(join(tmpdir(), "parley-bench-"));
const model = await startModel();
let server: Server | undefined;
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
  }
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
} finally {
  await server?.stop();
  await model.close();
  rmSync(state, { recursive: true, force: true });
}
