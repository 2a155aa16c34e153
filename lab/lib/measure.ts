/** Measurements of bench and load: runs against the fake endpoint of test/support/model.ts. Times are milliseconds. */
import { setTimeout as sleep } from "node:timers/promises";
import { startModel } from "../../test/support/model.ts";
import type { Json } from "../../scripts/lib/json.ts";
import { usageOf } from "../../scripts/lib/processes.ts";
import { type Server, withServer } from "../../scripts/lib/server.ts";
import { say } from "../../scripts/lib/terminal.ts";
import { longestChain } from "./chains.ts";
import { type Client, clientOf } from "./client.ts";
import { mockAnswers } from "./mock-answers.ts";

/** A call as test/support/model.ts lists it. */
interface EndpointCall {
  step: string;
  started_at: number;
  ended_at: number;
}

/** A server whose live runs call the fake endpoint, with clients of its two keys. */
export interface Bench {
  server: Server;
  endpoint: string;
  test: Client;
  live: Client;
}

const SAMPLE_EVERY = 500;

/** Starts a server and its endpoint for as long as the work takes. */
export async function withEndpoint(
  { env, host }: { env?: Record<string, string>; host?: string },
  work: (bench: Bench) => Promise<void>,
) {
  const model = await startModel();
  const provider = { OPENAI_API_KEY: "sk-bench", OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: "200ms", ...env };
  try {
    await withServer({ env: provider, host }, (server) => work({ ...clientsOf(server), server, endpoint: model.url }));
  } finally {
    await model.close();
  }
}

export const clientsOf = ({ url, test_key, live_key }: Server) => ({
  test: clientOf(url, test_key),
  live: clientOf(url, live_key),
});

export const median = (numbers: number[]) => percentile(numbers, 0.5);
/** The number below which a share of the others is. */
export const percentile = (numbers: number[], share: number) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? NaN;

const wallOf = (run: Json) => Date.parse(run.finished_at) - Date.parse(run.created_at);

/**
 * Waits for the end of a run. The first poll waits `ideal`, the time of the model calls alone, so that polling costs the server little.
 * @throws Error when the run does not complete
 */
export async function finished(api: Client, id: string, ideal = 0): Promise<Json> {
  for (let interval = ideal; ; interval = 100) {
    await sleep(interval);
    const run = await api.get(`/v1/runs/${id}`);
    if (run.status === "completed") return run;
    if (run.finished_at) throw new Error(`Run ${id} is ${run.status}: ${run.error?.detail ?? ""}`);
  }
}

/** Executes a run on the mock model, and returns the answer of each step: later runs of the same request ask the same steps. */
export async function runMock(api: Client, request: object) {
  const { id } = await api.post("/v1/runs", { body: request });
  await finished(api, id);
  return mockAnswers(api, id);
}

/**
 * Runs a request on the mock model, plans the endpoint's answers for models of these latencies, and executes one run with the last of them.
 * @returns `start` starts a run whose calls take a latency; `path`: how many of its `calls` come one after the other
 */
export async function prepare({ test, live, endpoint }: Bench, request: object, latencies: number[]) {
  const contents = await runMock(test, request);
  for (const latency of latencies) await planLatency(endpoint, contents, latency);
  const start = (latency: number) => (): Promise<{ id: string }> =>
    live.post("/v1/runs", { body: { ...request, models: { default: `openai/${latency}ms` } } });
  const trial = await finished(live, (await start(latencies.at(-1) ?? 0)()).id);
  const calls = await callsOf(endpoint, trial.id);
  return { start, calls: calls.length, path: longestChain(calls) };
}

/** Plans the endpoint's answers for the model `<latency>ms`, which answers after that latency. */
const planLatency = (endpoint: string, contents: [step: string, content: string][], latency: number) =>
  plan(
    endpoint,
    `${latency}ms`,
    contents.map(([step, content]) => [step, { content, delay_ms: latency }]),
  );

/** Plans the endpoint's answers for a model, by step. */
export async function plan(endpoint: string, model: string, answers: [step: string, answer: object][]) {
  const body = JSON.stringify(Object.fromEntries(answers.map(([step, answer]) => [step, [answer]])));
  const response = await fetch(`${endpoint}/plan/${model}`, { method: "PUT", body });
  if (!response.ok) throw new Error(`The endpoint refused its plan: ${response.status}`);
}

async function callsOf(endpoint: string, run: string) {
  return (await (await fetch(`${endpoint}/calls?run=${run}`)).json()) as EndpointCall[];
}

/** Starts runs one after the other. `wall` is the median of their times. */
export async function oneAtATime(api: Client, count: number, start: () => Promise<{ id: string }>, ideal: number) {
  const runs: Json[] = [];
  for (let n = 0; n < count; n++) runs.push(await finished(api, (await start()).id, ideal));
  const wall = median(runs.map(wallOf));
  return { wall, median: wall, ids: runs.map(({ id }): string => id) };
}

/**
 * Starts many runs at once. `wall` is the time from the first request to the end of the last run.
 * @param ideal the time of one run's model calls alone
 */
export async function allAtOnce(api: Client, count: number, start: () => Promise<{ id: string }>, ideal: number) {
  const begun = Date.now();
  const runs = await Promise.all(Array.from({ length: count }, start));
  const ids = runs.map((run) => run.id);
  const active = async (status: string) => (await api.get(`/v1/runs?status=${status}&limit=1`)).data.length > 0;
  await sleep(ideal);
  do await sleep(500);
  while ((await active("running")) || (await active("queued")));
  const ended = await Promise.all(ids.map((id) => api.get(`/v1/runs/${id}`)));
  const failed = ended.filter((run) => run.status !== "completed");
  if (failed.length)
    throw new Error(`${failed.length} of ${count} runs did not complete; the first: ${failed[0].error?.detail}`);
  return {
    wall: Math.max(...ended.map((run) => Date.parse(run.finished_at))) - begun,
    median: median(ended.map(wallOf)),
    ids,
  };
}

/** Runs a measurement, and adds the server's CPU time per run (ms) and its peak memory (MiB), sampled every half second. */
export async function measured<T extends object>(server: Pick<Server, "pid">, runs: number, measure: () => Promise<T>) {
  const before = usageOf(server.pid);
  const peak = { rss_mib: 0, workerd_mib: 0 };
  const sample = () => {
    const now = usageOf(server.pid);
    for (const kind of ["rss_mib", "workerd_mib"] as const) peak[kind] = Math.max(peak[kind], now?.[kind] ?? 0);
  };
  const sampler = setInterval(sample, SAMPLE_EVERY);
  try {
    const result = await measure();
    const after = usageOf(server.pid);
    const cpu = before && after ? (((after.cpu_s - before.cpu_s) * 1000) / runs).toFixed(0) : "?";
    sample();
    const [rss = "", workerd = ""] = [peak.rss_mib, peak.workerd_mib].map((mib) => (after ? mib.toFixed(0) : "?"));
    return { ...result, cpu, rss, workerd };
  } finally {
    clearInterval(sampler);
  }
}

/** Prints whether every run called each of its steps exactly once. */
export async function reportCalls(endpoint: string, ids: string[], expected: number) {
  const logs = await Promise.all(ids.map((id) => callsOf(endpoint, id)));
  const invalid = logs.filter(
    (calls) => calls.length !== expected || new Set(calls.map((call) => call.step)).size !== expected,
  );
  say(
    invalid.length
      ? `${invalid.length} of ${ids.length} runs did not call each of ${expected} steps exactly once.`
      : `Each of the ${ids.length} runs called its ${expected} steps exactly once.`,
  );
}
