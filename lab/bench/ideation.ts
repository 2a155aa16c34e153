// Measures, for many parallel trials from papers to proposals: the time that the workflow adds to its calls, the sizes of its results,
// and the cost of deduplication.
import type { Api } from "../../scripts/lib/api.ts";
import { longestChain } from "../lib/chains.ts";
import { callsOf, finished, runMock } from "../lib/measure.ts";
import { usageOf } from "../../scripts/lib/processes.ts";
import { largestStepResult } from "./steps.ts";
import { markdownTable, say } from "../../scripts/lib/terminal.ts";
import { benchDeduplication } from "./deduplication.ts";

const LATENCY = 200;
const GREATEST_RATIO = 1.15;
const IDEAS = 5;
const PROPOSALS = 8;
/** Parley's limit for a step's result, in bytes; the platform's limit is 1 MiB. */
const MAX_RESULT = 900_000;
/** Larger contents, in bytes, are stored in R2, to stay below D1's limit of 2 MB per row. */
const MAX_IN_ROW = 64 * 1024;

const request = (trials: number, parallelism: number) => ({
  workflow: "ideation",
  input: { topic: "novel prompting methods that can better quantify uncertainty of large language models" },
  options: {
    preset: "recommended",
    trials,
    ideas: IDEAS,
    parallelism,
    paper_source: "none",
    tournament_rounds: 3,
    expand: "top_k",
    proposals: PROPOSALS,
  },
});

/** Plans the endpoint to answer each step like the mock run. The winners may differ, so there is a proposal for every idea. */
async function plan(api: Api, endpoint: string, trials: number) {
  const contents = new Map(await runMock(api, request(trials, 8)));
  for (const action of ["proposals/expand_idea", "proposals/check_proposal"]) {
    const content = [...contents].find(([step]) => step.startsWith(`${action}#`))?.[1] ?? "";
    for (let idea = 1; idea <= trials * IDEAS; idea++) contents.set(`${action}#i${idea}`, content);
  }
  const judgment = { problem: "Equal.", novelty_and_soundness: "The first.", evidence: "The first." };
  contents.set("*", JSON.stringify({ ...judgment, reason: "It is clearer.", accepted: "A" }));
  const answers = Object.fromEntries([...contents].map(([step, content]) => [step, [{ content, delay_ms: LATENCY }]]));
  await fetch(`${endpoint}/plan/trials-${trials}`, { method: "PUT", body: JSON.stringify(answers) });
}

interface Options {
  quick: boolean;
  endpoint: string;
  /** of the server */
  pid: number;
  /** folder of the server */
  state: string;
}

/** Executes one run and measures it. */
async function measuredRun(api: Api, options: Options & { trials: number; parallelism: number }) {
  const { trials, parallelism, endpoint, state, pid } = options;
  const models = { default: `openai/trials-${trials}`, embedding: "openai/encoder" };
  const { id } = await api.post("/v1/runs", { ...request(trials, parallelism), models });
  const run = await finished(api, id);
  const calls = await callsOf(endpoint, id);
  const wall = Date.parse(run.finished_at) - Date.parse(run.started_at);
  const chain = longestChain(calls);
  const artifacts = await api.all(`/v1/runs/${id}/artifacts`);
  return {
    trials,
    parallelism,
    calls: calls.length,
    chain,
    wall,
    ratio: wall / (chain * LATENCY),
    artifact: artifacts.toSorted((one, other) => other.size - one.size)[0],
    result: largestStepResult(state, id),
    memory: usageOf(pid)?.rss_mib,
  };
}

export async function benchIdeation(apis: { test: Api; live: Api }, options: Options) {
  const { quick, endpoint } = options;
  const sizes: [trials: number, parallelism: number][] = quick
    ? [[20, 8]]
    : [
        [5, 8],
        [20, 4],
        [20, 8],
        [20, 8],
        [20, 8],
        [40, 8],
      ];
  for (const trials of new Set(sizes.map(([count]) => count))) await plan(apis.test, endpoint, trials);
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`;
  const rows: string[][] = [];
  for (const [trials, parallelism] of sizes) {
    const one = await measuredRun(apis.live, { ...options, trials, parallelism });
    rows.push([
      `${trials} × ${IDEAS}`,
      String(parallelism),
      String(one.calls),
      String(one.chain),
      `${one.wall} ms`,
      one.ratio.toFixed(3),
      one.result === null ? "?" : kib(one.result),
      `${kib(one.artifact.size)} (${one.artifact.kind})`,
      one.memory ? `${one.memory.toFixed(0)} MiB` : "?",
    ]);
  }
  say(`Trials × ideas, three critics and two rounds in each, a tournament of three rounds and ${PROPOSALS} proposals,`);
  say(`calls of ${LATENCY} ms; the bound of wall / chain is ${GREATEST_RATIO}:\n`);
  const heads = ["trials", "at once", "calls", "longest chain", "wall", "wall / chain", "largest step result"];
  say(markdownTable([...heads, "largest artifact", "memory of the server"], rows));
  say(`\nA step's result holds ${kib(MAX_RESULT)} at most; contents over ${kib(MAX_IN_ROW)} are in R2.\n`);
  await benchDeduplication({ quick });
}
