import { command, work } from "../scripts/lib/command.ts";
import { allAtOnce, type Bench, measured, oneAtATime, prepare, reportCalls, withEndpoint } from "./lib/measure.ts";
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
const { runs, concurrency } = values;
const RUNS = Number(runs);
const LATENCY = 200;
const ALONE = 3;
const REQUEST = {
  workflow: "requirements",
  input: { idea: "A tool library for a neighbourhood, run by volunteers." },
};

async function main(bench: Bench) {
  const { server, endpoint, live } = bench;
  const { start, calls, path } = await prepare(bench, REQUEST, [LATENCY]);
  const crowd = `${endpoint}/crowd/${LATENCY}ms`;
  if (concurrency) await fetch(crowd, { method: "PUT", body: JSON.stringify({ most: Number(concurrency) }) });
  const ideal = LATENCY * path;
  const alone = await measured(server, ALONE, () => oneAtATime(live, ALONE, start(LATENCY), ideal));
  const many = await measured(server, RUNS, () => allAtOnce(live, RUNS, start(LATENCY), ideal));

  const row = (name: string, count: number, { wall, median: run, cpu, workerd, rss }: typeof alone) => [
    name,
    seconds(wall),
    ((count * 1000) / wall).toFixed(2),
    ((count * calls * 1000) / wall).toFixed(1),
    seconds(run),
    (run / ideal).toFixed(2),
    cpu,
    `${workerd} of ${rss}`,
  ];
  const head = ["runs", "wall", "runs/s", "calls/s", "median run", "run / path", "CPU ms a run", "workerd of all MiB"];
  say(`\n${markdownTable(head, [row("1 alone", 1, alone), row(`${RUNS} at once`, RUNS, many)])}`);
  say(`\nPath: ${path} calls of ${LATENCY} ms one after the other (${seconds(ideal)}), of ${calls} a run.`);
  const ratio = (many.median / alone.wall).toFixed(2);
  say(`All ${RUNS} completed. The median run of ${RUNS} takes ${ratio} times as long as a run alone.`);
  await reportCalls(endpoint, [...alone.ids, ...many.ids], calls);
  if (!concurrency) return;
  const { seen, most, refused } = (await (await fetch(crowd)).json()) as Record<string, number>;
  say(`The provider had at most ${seen} calls at once (limit ${most}), and refused ${refused}.`);
  if (refused) process.exitCode = 1;
}

const env = {
  MAX_CONCURRENT_RUNS: values.cap ?? runs,
  ...(concurrency && { OPENAI_MAX_CONCURRENCY: concurrency }),
};
await work("load", () => withEndpoint({ env }, main));
