// npm run load [-- --runs 200 --cap 200 --concurrency 20]: many runs at once on one local server, with model calls of 200 ms.
// --cap is MAX_CONCURRENT_RUNS (as many as there are runs), --concurrency the provider's limit (none). It prints; it judges only that
// all runs complete, and that a provider with a limit refuses nobody.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startModel } from "../test/support/model.ts";
import { connect } from "./lib/api.mjs";
import { longestChain } from "./lib/chains.mjs";
import { allAtOnce, callsOf, finished, measured, median, plan, rehearse, reportCalls, wallOf } from "./lib/measure.mjs";
import { startServer } from "./lib/server.mjs";
import { onStop } from "./lib/stopping.mjs";
import { markdownTable, say, seconds } from "./lib/terminal.mjs";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "200" }, cap: { type: "string" }, concurrency: { type: "string" } },
});
const RUNS = Number(values.runs);
const LATENCY = 200;
const ALONE = 3;
const REQUEST = {
  workflow: "requirements",
  input: { idea: "A tool library for a neighbourhood, run by volunteers." },
  models: { default: `openai/${LATENCY}ms` },
};

async function main(server, endpoint) {
  const contents = await rehearse(connect(server.url, server.test_key), REQUEST);
  const api = connect(server.url, server.live_key);
  await plan(endpoint, contents, LATENCY);
  if (values.concurrency) await limit(endpoint, Number(values.concurrency));
  const start = () => api.post("/v1/runs", REQUEST);
  const trial = await finished(api, (await start()).id);
  const calls = await callsOf(endpoint, trial.id);
  const ideal = LATENCY * longestChain(calls);

  const alone = await measured(server, ALONE, async () => {
    const runs = [];
    for (let n = 0; n < ALONE; n++) runs.push(await finished(api, (await start()).id, ideal));
    const wall = median(runs.map(wallOf));
    return { wall, median: wall, ids: runs.map(({ id }) => id) };
  });
  const many = await measured(server, RUNS, () => allAtOnce(api, RUNS, start, ideal));

  const row = (what, count, one) => [
    what,
    seconds(one.wall),
    ((count * 1000) / one.wall).toFixed(2),
    ((count * calls.length * 1000) / one.wall).toFixed(1),
    seconds(one.median),
    (one.median / ideal).toFixed(2),
    one.cpu,
    one.workerd,
    one.rss,
  ];
  const head = [
    "runs",
    "wall",
    "runs/s",
    "calls/s",
    "median run",
    "run / path",
    "CPU ms a run",
    "workerd MiB",
    "with wrangler",
  ];
  say();
  say(markdownTable(head, [row("1 alone", 1, alone), row(`${RUNS} at once`, RUNS, many)]));
  say(
    `\nPath: ${ideal / LATENCY} calls of ${LATENCY} ms one after the other (${seconds(ideal)}), of ${calls.length} a run.`,
  );
  say(
    `All ${RUNS} completed. A run among ${RUNS} takes ${(many.median / alone.wall).toFixed(2)} times as long as one alone.`,
  );
  await reportCalls(endpoint, [...alone.ids, ...many.ids], calls.length);
  if (values.concurrency) await tellCrowd(endpoint);
}

const limit = (endpoint, most) =>
  fetch(`${endpoint}/crowd/${LATENCY}ms`, { method: "PUT", body: JSON.stringify({ most }) });

async function tellCrowd(endpoint) {
  const { seen, most, refused } = await (await fetch(`${endpoint}/crowd/${LATENCY}ms`)).json();
  say(`The provider was asked by ${seen} at once at most (limit ${most}), and refused ${refused}.`);
  if (refused) process.exitCode = 1;
}

const state = mkdtempSync(join(tmpdir(), "parley-load-"));
const model = await startModel();
let server;
onStop(() => void server?.stop());
try {
  server = await startServer({
    state,
    env: {
      OPENAI_API_KEY: "sk-load",
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_MODEL: `${LATENCY}ms`,
      MAX_CONCURRENT_RUNS: values.cap ?? String(RUNS),
      ...(values.concurrency && { OPENAI_MAX_CONCURRENCY: values.concurrency }),
    },
  });
  await main(server, model.url);
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  await server?.stop();
  await model.close();
  rmSync(state, { recursive: true, force: true });
}
