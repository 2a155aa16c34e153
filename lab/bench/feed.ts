// npm run bench -- feed [--quick]: the time from the commit of an event to the clients that follow its run. It has no pass or fail.
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../../scripts/lib/server.ts";
import type { Api } from "../../scripts/lib/api.ts";
import { finished, median, percentile } from "../lib/measure.ts";
import { usageOf } from "../../scripts/lib/processes.ts";
import { markdownTable, say } from "../../scripts/lib/terminal.ts";

/** Time without any event, in which listeners should cost nothing. Milliseconds. */
const IDLE_MS = 10_000;

/**
 * Follows a run until it has ended.
 * @returns milliseconds from the commit of each event to its arrival here
 */
async function follow({ url, key }: { url: string; key: string }, run: string) {
  const response = await fetch(`${url}/v1/runs/${run}/events`, {
    headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
  });
  if (!response.ok) throw new Error(`The stream was refused: ${response.status} ${await response.text()}`);
  const begun = Date.now();
  const delays: number[] = [];
  let rest = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const now = Date.now();
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      const committed = data ? Date.parse(JSON.parse(data).created_at) : NaN;
      if (committed >= begun) delays.push(now - committed); // events of before are history
    }
  }
  return delays;
}

const row = (name: string, delays: number[]) => [
  name,
  delays.length,
  ...[median(delays), percentile(delays, 0.95), Math.max(...delays)].map((ms) => `${ms} ms`),
];

/**
 * Listeners of one run, and one listener for each of many runs; then listeners of a run that waits for a person.
 * @param server where `npm run dev` serves; its runs are mocked
 */
export async function benchFeed(server: Server, api: Api, { quick }: { quick: boolean }) {
  const listeners = quick ? 20 : 100;
  const request = {
    workflow: "requirements",
    input: { idea: "A tool library for a neighbourhood, run by volunteers." },
    test: { latency_ms: 200 },
  };
  const access = { url: server.url, key: server.test_key };
  const rows: unknown[][] = [];

  const warmUp = await api.post("/v1/runs", request);
  await Promise.all(Array.from({ length: listeners }, () => follow(access, warmUp.id)));

  const one = await api.post("/v1/runs", request);
  const ofOne = await Promise.all(Array.from({ length: listeners }, () => follow(access, one.id)));
  rows.push(row(`${listeners} of one run`, ofOne.flat()));

  const runs = await Promise.all(Array.from({ length: listeners / 10 }, () => api.post("/v1/runs", request)));
  const ofMany = await Promise.all(runs.flatMap(({ id }) => Array.from({ length: 10 }, () => follow(access, id))));
  await Promise.all(runs.map(({ id }) => finished(api, id)));
  rows.push(row(`10 of each of ${runs.length} runs at once`, ofMany.flat()));
  say(markdownTable(["listeners", "events received", "median", "p95", "longest"], rows));

  const waiting = await api.post("/v1/runs", { ...request, options: { human_stakeholder: true } });
  while ((await api.get(`/v1/runs/${waiting.id}`)).status !== "input_required") await sleep(100);
  const streams = Array.from({ length: listeners }, () => follow(access, waiting.id));
  await sleep(1000);
  const before = usageOf(server.pid);
  await sleep(IDLE_MS);
  const after = usageOf(server.pid);
  await api.post(`/v1/runs/${waiting.id}/cancel`);
  await Promise.all(streams);
  say(
    `\n${listeners} listeners of a run that waits: ${Math.round(((after?.cpu_s ?? NaN) - (before?.cpu_s ?? NaN)) * 1000)} ms of CPU in ${IDLE_MS / 1000} s.`,
  );
}
