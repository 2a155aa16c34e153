// npm run experiment -- <kind> [flags]: compares a method with its baselines on a data set, and writes a report. `--help` lists the flags.
import { join, relative } from "node:path";
import { type Arguments, HELP, readArguments } from "./experiment/arguments.ts";
import { CommandError, EXIT } from "./experiment/command-error.ts";
import { loadData } from "./experiment/data.ts";
import { confirm, confirmCost } from "./experiment/estimate.ts";
import { follow } from "./experiment/follow.ts";
import { experimentRequest, metricsFor } from "./experiment/request.ts";
import { comparisonTable, resultTable, writeResults } from "./experiment/results.ts";
import { uploadData } from "./experiment/upload.ts";
import { liveModel } from "./lib/live-model.ts";
import type { Kind } from "./experiment/kinds.ts";
import type { Json } from "./lib/json.ts";
import { type Parley, parleyAt, type Run } from "./lib/sdk.ts";
import { type Server, startServer, untilEnd } from "./lib/server.ts";
import { onStop } from "./lib/stopping.ts";
import { bold, dim, green, red, say, yellow } from "./lib/terminal.ts";
import { checkVariables, workerVariables } from "./lib/variables.ts";
import { ROOT } from "./lib/wrangler.ts";

const stopping = new AbortController();
const { signal } = stopping;
/** How to continue with the experiment, once it is started. */
const started = { again: "" };

/** A server with a client of it: the one that the flags name, or one of our own. */
async function open({ server, live, run }: Arguments) {
  if (server) return { parley: parleyAt(server.url, server.key, signal), url: server.url, close: async () => {} };
  const model = live ? await liveModel(signal) : null;
  if (live && !model && !process.env.PROVIDERS)
    throw new CommandError(
      "--live needs a provider: set OPENAI_API_KEY, or PROVIDERS. Without --live every model is a mock.",
    );
  const env = { ...workerVariables(), ...(model && { OPENAI_MODEL: model }) };
  checkVariables(env);
  say(dim("Starting a server …"));
  const own = await startServer({ state: process.env.PARLEY_STATE || ".parley", env });
  const clientOf = (key: string) => parleyAt(own.url, key, signal);
  const key = run ? await keyOf(run, own, clientOf) : live ? own.live_key : own.test_key;
  return { parley: clientOf(key), url: own.url, close: own.stop, ended: own.ended };
}

/** The key of the mode in which a run was started. */
async function keyOf(run: string, { test_key, live_key }: Server, clientOf: (key: string) => Parley) {
  for (const key of [test_key, live_key])
    if ((await clientOf(key).runs.list({ workflow: "experiment" }).all()).some(({ id }) => id === run)) return key;
  throw new CommandError(`There is no experiment ${run} on this server.`);
}

/** Which items are run, after the words for all; empty: all. */
function selectionWords({ items, tags }: Arguments, all: number) {
  const drawn = items && items < all ? `${items} of them at random` : "";
  const tagged = tags ? `those tagged ${tags.join(", ")}` : "";
  const words = [tagged, drawn].filter(Boolean).join(", ");
  return words && `; chosen: ${words}`;
}

/**
 * Starts the experiment that the arguments ask for.
 * @returns the run
 */
async function start(parley: Parley, chosen: Arguments & { kind: Kind }) {
  const { kind, variants, data: folder, live, yes } = chosen;
  const data = loadData(kind, folder);
  const { metrics, notes } = metricsFor(kind, variants);
  say(`${bold(`${kind.name}: ${kind.title}`)}\n`);
  say(`  Data      ${data.source}${selectionWords(chosen, data.items.length)}`);
  say(`  Variants  ${variants.map(({ name }) => name).join(", ")}`);
  say(
    `  Metrics   ${metrics.map((metric) => (typeof metric === "string" ? metric : `${metric.name} against ${metric.against}`)).join(", ")}`,
  );
  say(`  Model     ${live ? "real, paid" : "mock: free, and its scores say nothing about the methods"}`);
  for (const note of [...(variants === kind.variants && kind.without ? [kind.without] : []), ...notes])
    say(`  ${yellow("!")} ${note}`);
  say();
  const dataset_id = await uploadData(parley, kind, data, {
    say: (line: string) => say(dim(`  ${line}`)),
    signal,
    ...(live && { confirm: (question: string) => confirm(`  ${question}`, { yes, signal }) }),
  });
  const request = experimentRequest(chosen, { dataset_id, metrics, is_sample: data.is_sample });
  if (live) await confirmCost(parley, request, { yes, signal });
  return parley.runs.create(request);
}

async function runExperiment(parley: Parley, url: string, chosen: Arguments) {
  const { id } = chosen.kind
    ? await start(parley, { ...chosen, kind: chosen.kind })
    : await parley.runs.get(chosen.run ?? "");
  const again = `npm run experiment -- --run ${id}`;
  started.again = chosen.server
    ? `The experiment continues at ${url}. Follow it with \`${again} --url ${url} --key …\`, or end it with POST /v1/runs/${id}/cancel.`
    : `The experiment is kept. Continue with \`${again}\`.`;
  say(`  Run       ${id}`);
  const run = await follow(parley, id, signal);
  if (run.status !== "completed")
    throw new CommandError(
      `The experiment is ${run.status}. ${run.error ? `${run.error.code}: ${run.error.detail}` : ""}`,
      EXIT.failed,
    );
  await report(parley, run, chosen);
}

async function report(parley: Parley, run: Run, { out, kind }: Arguments) {
  const { results, comparisons, trials, partial } = run.output as Json;
  const { metadata, usage, mode } = run;
  const folder = out ?? join(ROOT, "dist/experiments", `${kind?.name ?? metadata.kind ?? "experiment"}-${run.id}`);
  const files = await writeResults(parley, run, folder);
  say(`\n${resultTable(results)}\n`);
  if (comparisons.length) {
    say(comparisonTable(comparisons, results));
    if (comparisons.some(({ verdict }: Json) => verdict === "inconclusive"))
      say(
        dim("Inconclusive: too few items differ, the interval holds 0, or p is 0.05 or more; the report says which."),
      );
    say();
  }
  if (mode === "test")
    say(yellow("This used the mock model: no real model was called, and the scores measure nothing."));
  if (partial) say(yellow("A limit kept trials from being run: the results are partial."));
  const cost = usage.cost_usd === null ? "" : `, $${usage.cost_usd.toFixed(2)}`;
  const reused = trials.reused ? `, ${trials.reused} reused` : "";
  say(
    `${green("Done.")} ${trials.completed} of ${trials.planned} trials completed, ${trials.failed} failed${reused}. Model calls: ${usage.llm_calls}; tokens: ` +
      `${usage.input_tokens} in, ${usage.output_tokens} out${cost}.`,
  );
  say(
    `Report: ${join(relative(process.cwd(), folder) || ".", "report.md")} (with trials.csv, trials.ndjson and ${files.length - 3} plots)`,
  );
}

async function main(chosen: Arguments) {
  const server = await open(chosen);
  try {
    const working = runExperiment(server.parley, server.url, chosen);
    await (server.ended ? untilEnd(server.ended, signal, working) : working);
  } finally {
    await server.close();
  }
}

function fail(error: Error) {
  if (signal.aborted) {
    process.stderr.write(`\nStopped. ${started.again}\n`);
    process.exitCode = EXIT.stopped;
    return;
  }
  const isKnown = error instanceof CommandError;
  const lead = isKnown && error.exit === EXIT.usage ? "" : "\n"; // what is wrong in the arguments stands alone
  process.stderr.write(`${lead}${red(error.message)}\n${isKnown || !started.again ? "" : `${started.again}\n`}`);
  process.exitCode = isKnown ? error.exit : EXIT.failed;
}

try {
  const args = process.argv.slice(2);
  if (args.includes("--help")) process.stdout.write(HELP);
  else {
    const chosen = readArguments(args);
    if (chosen.kind) {
      // Errors of the request end the command before a server is started.
      loadData(chosen.kind, chosen.data);
      metricsFor(chosen.kind, chosen.variants);
    }
    onStop(() => stopping.abort());
    await main(chosen);
  }
} catch (error) {
  fail(error as Error);
}
