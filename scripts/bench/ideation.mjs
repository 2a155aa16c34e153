// What the workflow adds to the time of its calls when many trials run at once, and what deduplication costs.
import { setTimeout as sleep } from "node:timers/promises";
import { longestChain } from "../lib/chains.mjs";
import { usageOf } from "../lib/processes.mjs";
import { markdownTable, say } from "../lib/terminal.mjs";
import { benchDeduplication } from "./deduplication.mjs";

const LATENCY = 200;
const TRIALS = 20;
const request = (parallelism, trials = TRIALS) => ({
  workflow: "ideation",
  input: { topic: "novel prompting methods that can better quantify uncertainty of large language models" },
  options: {
    preset: "recommended",
    trials,
    ideas: 5,
    parallelism,
    paper_source: "none",
    tournament_rounds: 3,
    expand: "none",
  },
});

async function finished(api, id) {
  for (;;) {
    await sleep(250);
    const run = await api.get(`/v1/runs/${id}`);
    if (run.status === "completed") return run;
    if (run.finished_at) throw new Error(`Run ${id} is ${run.status}: ${run.error?.detail ?? ""}`);
  }
}

/** The endpoint answers each act as the rehearsal does. */
async function plan(api, endpoint) {
  const { id } = await api.post("/v1/runs", request(8));
  await finished(api, id);
  const made = (await api.all(`/v1/runs/${id}/artifacts`)).filter(
    ({ model, kind }) => model !== null && kind !== "embeddings",
  );
  const answers = { "*": [{ content: '{"reason":"It is clearer.","accepted":"A"}', delay_ms: LATENCY }] };
  for (const { id: artifact, act } of made)
    answers[act] = [{ content: await api.text(`/v1/runs/${id}/artifacts/${artifact}/content`), delay_ms: LATENCY }];
  await fetch(`${endpoint}/plan/${LATENCY}ms`, { method: "PUT", body: JSON.stringify(answers) });
}

export async function benchIdeation(apis, { quick, endpoint, pid }) {
  await plan(apis.test, endpoint);
  const rows = [];
  for (const parallelism of quick ? [8] : [4, 8, 8, 8]) {
    const models = { default: `openai/${LATENCY}ms`, embedding: "openai/encoder" };
    const { id } = await apis.live.post("/v1/runs", { ...request(parallelism), models });
    const run = await finished(apis.live, id);
    const calls = await (await fetch(`${endpoint}/calls?run=${id}`)).json();
    const wall = Date.parse(run.finished_at) - Date.parse(run.started_at);
    const chain = longestChain(calls);
    const memory = usageOf(pid)?.rss_mib;
    const sizes = (await apis.live.all(`/v1/runs/${id}/artifacts`)).map(({ size }) => size);
    rows.push([
      String(parallelism),
      String(calls.length),
      String(chain),
      `${wall} ms`,
      (wall / (chain * LATENCY)).toFixed(3),
      `${(Math.max(...sizes) / 1024).toFixed(0)} KiB`,
      memory ? `${memory.toFixed(0)} MiB` : "?",
    ]);
  }
  say(`${TRIALS} trials of 5 ideas, recommended (three critics at once in each), calls of ${LATENCY} ms:\n`);
  say(
    markdownTable(
      ["trials at once", "calls", "longest chain", "wall", "wall / chain", "largest artifact", "memory of the server"],
      rows,
    ),
  );
  say();
  await benchDeduplication({ quick });
}
