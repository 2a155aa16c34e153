/** SIGKILL in the middle of an experiment: no trial is doubled or lost, none is paid twice beyond the calls that a kill cut off. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Served } from "../../support/served";

const ITEMS = 50;
const KILLS = 2;
const CONCURRENCY = 10;

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.close());

const live = (method: string, path: string, body?: object) => served.api(method, path, served.live_key, body);

async function newDataset(): Promise<string> {
  const { id } = await live("POST", "/v1/datasets", { name: "Numbers", workflow: "plain" });
  const lines = Array.from({ length: ITEMS }, (_, index) =>
    JSON.stringify({ id: `q${index}`, input: { question: `Which number is ${index}?` }, gold: { text: ["42"] } }),
  );
  const response = await fetch(`${served.url}/v1/datasets/${id}/items`, {
    method: "POST",
    headers: { authorization: `Bearer ${served.live_key}`, "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
  expect(response.status).toBe(200);
  await live("POST", `/v1/datasets/${id}/close`);
  return id;
}

/** All trials of the experiment. */
async function trialsOf(run: string): Promise<any[]> {
  const trials = [];
  for (let cursor = ""; ;) {
    const page = await live("GET", `/v1/runs?parent_id=${run}&limit=100${cursor}`);
    trials.push(...page.data);
    if (page.next_cursor === null) return trials;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** Waits until this many trials have completed; returns the run. */
async function untilPlayed(run: string, trials: number): Promise<any> {
  for (;;) {
    const now = await live("GET", `/v1/runs/${run}`);
    if (now.finished_at !== null || (now.children?.completed ?? 0) >= trials) return now;
    await sleep(200);
  }
}

it("an experiment outlives kills: each trial is run once and scored once", { timeout: 600_000 }, async () => {
  await served.plan({ "*": [{ content: "Answer: 42", delay_ms: 200 }] });
  const variants = ["one", "two"].map((name) => ({ name, workflow: "plain", options: { form: "line" } }));
  const input = { dataset_id: await newDataset(), variants };
  const { id } = await live("POST", "/v1/runs", {
    workflow: "experiment",
    input,
    options: { concurrency: CONCURRENCY },
  });
  for (let kill = 1; kill <= KILLS; kill++) {
    await untilPlayed(id, (kill * ITEMS * 2) / (KILLS + 1));
    await served.kill();
    await served.up();
  }
  const run = await untilPlayed(id, Infinity);
  expect(run).toMatchObject({ status: "completed", error: null });
  expect(run.output.trials).toEqual({ planned: 100, completed: 100, failed: 0, left_out: 0, reused: 0 });
  expect(run.output.results.map(({ measure, mean }: any) => [measure, mean])).toEqual([
    ["text_match", 1],
    ["text_match", 1],
  ]);

  const trials = await trialsOf(id);
  expect(trials).toHaveLength(100);
  const calls = await Promise.all(trials.map((trial) => served.callsOf(trial.id)));
  expect(calls.flat().length).toBeLessThanOrEqual(100 + KILLS * CONCURRENCY);
  // A kill cuts off calls whose answers are not stored: these alone are made again. Nothing is asked once its answer is stored.
  for (const [index, made] of calls.entries()) {
    if (made.length === 1) continue;
    const { data } = await live("GET", `/v1/runs/${trials[index].id}/artifacts`);
    expect(data).toHaveLength(1);
    expect(Date.parse(data[0].created_at)).toBeGreaterThanOrEqual(made.at(-1)!.started_at);
  }
  const scored = run.output.documents.ndjson.text
    .trim()
    .split("\n")
    .map((line: string) => JSON.parse(line));
  expect(new Set(scored.map(({ variant, item }: any) => `${variant}/${item}`)).size).toBe(100);
  expect(new Set(scored.map(({ run_id }: any) => run_id))).toEqual(new Set(trials.map((trial) => trial.id)));
});
