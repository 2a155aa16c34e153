import { setTimeout as sleep } from "node:timers/promises";
import { usageOf } from "./processes.mjs";
import { say } from "./terminal.mjs";

/** What bench and load measure with: runs over a played endpoint, from outside. Times are milliseconds. */

const SAMPLE_EVERY = 500;

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
export const wallOf = (run) => Date.parse(run.finished_at) - Date.parse(run.created_at);

/** A run that has ended; nobody looks before its models can have answered, so that looking costs the server little. */
export async function finished(api, id, ideal = 0) {
  for (let wait = ideal; ; wait = 100) {
    await sleep(wait);
    const run = await api.get(`/v1/runs/${id}`);
    if (run.status === "completed") return run;
    if (run.finished_at) throw new Error(`Run ${id} is ${run.status}: ${run.error?.detail ?? ""}`);
  }
}

/** What each act answers: one run on the rehearsal model tells, and every later run asks the same. */
export async function rehearse(api, request) {
  const { id } = await api.post("/v1/runs", request);
  await finished(api, id);
  const artifacts = await api.all(`/v1/runs/${id}/artifacts`);
  const content = async (artifact) => [artifact.act, await api.text(`/v1/runs/${id}/artifacts/${artifact.id}/content`)];
  return Promise.all(artifacts.filter(({ model }) => model !== null).map(content));
}

/** Sets the endpoint up to answer after a latency; the model's name says which. */
export async function plan(endpoint, contents, latency) {
  const answers = Object.fromEntries(contents.map(([act, content]) => [act, [{ content, delay_ms: latency }]]));
  const response = await fetch(`${endpoint}/plan/${latency}ms`, { method: "PUT", body: JSON.stringify(answers) });
  if (!response.ok) throw new Error(`The endpoint did not take its plan: ${response.status}`);
}

export async function callsOf(endpoint, run) {
  return (await fetch(`${endpoint}/calls?run=${run}`)).json();
}

/**
 * Many runs at once, from the first request to the end of the last run.
 * @param {() => Promise<{id: string}>} start
 * @param {number} ideal how long one would take if only its models took time
 */
export async function allAtOnce(api, count, start, ideal) {
  const begun = Date.now();
  const runs = await Promise.all(Array.from({ length: count }, start));
  const ids = runs.map((run) => run.id);
  const active = async (status) => (await api.get(`/v1/runs?status=${status}&limit=1`)).data.length > 0;
  await sleep(ideal);
  do await sleep(500);
  while ((await active("running")) || (await active("queued")));
  const ended = await Promise.all(ids.map((id) => api.get(`/v1/runs/${id}`)));
  const failed = ended.filter((run) => run.status !== "completed");
  if (failed.length)
    throw new Error(`${failed.length} of ${count} runs did not complete, one of them: ${failed[0].error?.detail}`);
  return {
    wall: Math.max(...ended.map((run) => Date.parse(run.finished_at))) - begun,
    median: median(ended.map(wallOf)),
    ids,
  };
}

/** Runs a measurement, and says what it took of the server's processor and memory, which is looked at again and again. */
export async function measured(server, runs, measure) {
  const before = usageOf(server.pid);
  const peak = { rss_mib: 0, workerd_mib: 0 };
  const sample = () => {
    const now = usageOf(server.pid);
    for (const kind of Object.keys(peak)) peak[kind] = Math.max(peak[kind], now?.[kind] ?? 0);
  };
  const sampler = setInterval(sample, SAMPLE_EVERY);
  try {
    const result = await measure();
    const after = usageOf(server.pid);
    // The runtime starts anew when the source changes, and what it used is forgotten.
    const cpu =
      before && after && before.pids === after.pids ? (((after.cpu_s - before.cpu_s) * 1000) / runs).toFixed(0) : "?";
    sample();
    const [rss, workerd] = [peak.rss_mib, peak.workerd_mib].map((mib) => (after ? mib.toFixed(0) : "?"));
    return { ...result, cpu, rss, workerd };
  } finally {
    clearInterval(sampler);
  }
}

/** Says whether every act was asked exactly once. */
export async function reportCalls(endpoint, ids, expected) {
  const logs = await Promise.all(ids.map((id) => callsOf(endpoint, id)));
  const wrong = logs.filter(
    (calls) => calls.length !== expected || new Set(calls.map((call) => call.act)).size !== expected,
  );
  say(
    wrong.length
      ? `${wrong.length} of ${ids.length} runs asked more or less than ${expected} acts once each.`
      : `Each of the ${ids.length} runs asked its ${expected} acts once.`,
  );
}
