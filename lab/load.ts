import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModel } from "../test/support/model.ts";
import { connect, type Json } from "../scripts/lib/api.ts";
import { command } from "../scripts/lib/command.ts";
import { longestChain } from "./lib/chains.ts";
import { allAtOnce, callsOf, finished, measured, median, plan, runMock, reportCalls, wallOf } from "./lib/measure.ts";
import { type Server, startServer } from "../scripts/lib/server.ts";
import { onStop } from "../scripts/lib/stopping.ts";
import { markdownTable, say, seconds } from "../scripts/lib/terminal.ts";

const { values } = command({
  name: "load",
  what: `Starts many runs at once on one local server, with model calls of 200 ms. It prints figures, and fails only when a run does not
complete or the provider refuses a call.`,
  options: {
    runs: { type: "string", value: "N", default: "200", help: "how many" },
    cap: { type: "string", value: "N", help: "MAX_CONCURRENT_RUNS (the number of runs)" },
    concurrency: { type: "string", value: "N", help: "the provider's limit (none)" },
  },
  example: "--runs 200 --cap 200 --concurrency 20",
});
const RUNS = Number(values.runs);
const LATENCY = 200;
const ALONE = 3;
const REQUEST = {
  workflow: "requirements",
  input: { idea: "A tool library for a neighbourhood, run by volunteers." },
  models: { default: `openai/${LATENCY}ms` },
};

async function main({ server, endpoint }: { server: Server; endpoint: string }) {
  const contents = await runMock(connect(server.url, server.test_key), REQUEST);
  const api = connect(server.url, server.live_key);
  await plan(endpoint, contents, LATENCY);
  if (values.concurrency) await limit(endpoint, Number(values.concurrency));
  const start = () => api.post("/v1/runs", REQUEST);
  const trial = await finished(api, (await start()).id);
  const calls = await callsOf(endpoint, trial.id);
  const ideal = LATENCY * longestChain(calls);

  const alone = await measured(server, ALONE, async () => {
    const runs: Json[] = [];
    for (let n = 0; n < ALONE; n++) runs.push(await finished(api, (await start()).id, ideal));
    const wall = median(runs.map(wallOf));
    return { wall, median: wall, ids: runs.map(({ id }) => id) };
  });
  const many = await measured(server, RUNS, () => allAtOnce(api, RUNS, start, ideal));

  const row = (name: string, count: number, { wall, median: run, cpu, workerd, rss }: typeof alone) => [
    name,
    seconds(wall),
    ((count * 1000) / wall).toFixed(2),
    ((count * calls.length * 1000) / wall).toFixed(1),
    seconds(run),
    (run / ideal).toFixed(2),
    cpu,
    workerd,
    rss,
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
    "all processes MiB",
  ];
  say();
  say(markdownTable(head, [row("1 alone", 1, alone), row(`${RUNS} at once`, RUNS, many)]));
  say(
    `\nPath: the longest chain of calls, ${ideal / LATENCY} of ${LATENCY} ms (${seconds(ideal)}); a run has ${calls.length} calls.`,
  );
  say(
    `All ${RUNS} completed. The median run of ${RUNS} takes ${(many.median / alone.wall).toFixed(2)} times as long as a run alone.`,
  );
  await reportCalls(endpoint, [...alone.ids, ...many.ids], calls.length);
  if (values.concurrency) await reportCrowd(endpoint);
}

const limit = (endpoint: string, most: number) =>
  fetch(`${endpoint}/crowd/${LATENCY}ms`, { method: "PUT", body: JSON.stringify({ most }) });

async function reportCrowd(endpoint: string) {
  const { seen, most, refused } = (await (await fetch(`${endpoint}/crowd/${LATENCY}ms`)).json()) as Record<
    string,
    number
  >;
  say(`The provider had at most ${seen} calls at once (limit ${most}), and refused ${refused}.`);
  if (refused) process.exitCode = 1;
}

const state = mkdtempSync(join(tmpdir(), "parley-load-"));
const model = await startModel();
let server: Server | undefined;
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
  await main({ server, endpoint: model.url });
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
} finally {
  await server?.stop();
  await model.close();
  rmSync(state, { recursive: true, force: true });
}
