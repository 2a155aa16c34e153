/**
 * The server is killed with SIGKILL in the middle of stages and started again: every run finishes on the same path, and every
 * finished act was called exactly once. Only a call in flight at the moment of a kill may be made again.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer } from "../../scripts/lib/server.mjs";
import { type Answer, type SeenCall, startModel } from "../support/model";

const state = mkdtempSync(join(tmpdir(), "parley-sigkill-"));
let model: Awaited<ReturnType<typeof startModel>>;
let server: Awaited<ReturnType<typeof startServer>>;

const up = async () => {
  server = await startServer({
    state,
    env: {
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_MODEL: "test-model",
      KEEPER_INTERVAL_MS: "1000",
    },
  });
};

beforeAll(async () => {
  model = await startModel();
  await up();
});
afterAll(async () => {
  await server.kill();
  await model.close();
  rmSync(state, { recursive: true, force: true });
});

async function api(method: string, path: string, key: string, body?: object): Promise<any> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function until<T>(what: string, find: () => Promise<T | false | undefined>): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`It did not come to this in a minute: ${what}`);
}

const status = (id: string, wanted: string) =>
  until(`${id} ${wanted}`, async () => {
    const run = await api("GET", `/v1/runs/${id}`, server.live_key);
    return run.status === wanted && run;
  });
const callsOf = (id: string): Promise<SeenCall[]> =>
  fetch(`${model.url}/calls?run=${id}`).then((response) => response.json() as Promise<SeenCall[]>);
const stakeholders = ["Anna", "Boris"].map((name) => ({ name, profile: "lends tools" }));
const request = {
  workflow: "requirements",
  input: { idea: "A library that lends tools", stakeholders },
  options: { qa_rounds: 2 },
};

/** A plan that answers like a rehearsal, each act after 400 ms. */
async function makePlan(): Promise<Record<string, Answer[]>> {
  const { id } = await api("POST", "/v1/runs", server.test_key, request);
  await status(id, "completed");
  const { data } = await api("GET", `/v1/runs/${id}/artifacts?limit=100`, server.test_key);
  const made = data.filter((artifact: any) => artifact.model !== null);
  const contents = await Promise.all(
    made.map(({ id: artifact }: any) => api("GET", `/v1/runs/${id}/artifacts/${artifact}`, server.test_key)),
  );
  return Object.fromEntries(
    contents.map(({ act, content }: any) => [
      act,
      [{ content: typeof content === "string" ? content : JSON.stringify(content), delay_ms: 400 }],
    ]),
  );
}

it("a run that is killed in the middle of a stage, three times, finishes with every finished act called exactly once", async () => {
  await fetch(`${model.url}/plan/test-model`, { method: "PUT", body: JSON.stringify(await makePlan()) });
  const { id } = await api("POST", "/v1/runs", server.live_key, request);

  const kills: number[] = [];
  for (const act of [/answer_question/, /extract_entity/, /write_srs/]) {
    await until(`a call of ${act} in flight`, async () =>
      (await callsOf(id)).some((call) => act.test(call.act) && call.ended_at === null),
    );
    kills.push(Date.now());
    await server.kill();
    await up();
  }
  const run = await status(id, "completed");
  expect(run.output).toMatchObject({ accepted: true, iterations: 1 });

  const calls = await callsOf(id);
  const lost = calls.filter((call) =>
    kills.some((kill) => call.started_at <= kill && kill <= (call.ended_at ?? Infinity)),
  );
  const finished = calls.filter((call) => !lost.includes(call)).map((call) => call.act);
  expect(lost.length).toBeGreaterThanOrEqual(kills.length);
  expect(finished.length).toBe(new Set(finished).size);
  expect(new Set(lost.map((call) => call.act)).difference(new Set(finished)).size).toBe(0);

  const { data: artifacts } = await api("GET", `/v1/runs/${id}/artifacts?limit=100`, server.live_key);
  const acts = artifacts.filter((artifact: any) => artifact.model !== null).map((artifact: any) => artifact.act);
  expect(acts.toSorted()).toEqual([...new Set(finished)].toSorted());

  const { data: events } = await api("GET", `/v1/runs/${id}/events?limit=100`, server.live_key);
  expect(events.map((event: any) => event.seq)).toEqual(events.map((_: unknown, index: number) => index + 1));
  expect(events.filter((event: any) => event.type === "run.artifact_created")).toHaveLength(artifacts.length);
});

it("an answer that was given just before a kill is not lost, and wakes the run after the restart", async () => {
  const { id } = await api("POST", "/v1/runs", server.live_key, {
    ...request,
    options: { checkpoints: ["requirement_draft"] },
  });
  const run = await status(id, "input_required");
  await api("POST", `/v1/interactions/${run.interactions[0]}/answer`, server.live_key, {
    decision: "approve",
    answered_by: "Ada",
  });
  await server.kill();
  await up();
  const done = await status(id, "completed");
  expect(done.output.accepted).toBe(true);
  const calls = (await callsOf(id)).map((call) => call.act);
  expect(calls.filter((act) => act.includes("write_req_draft"))).toHaveLength(1);
});

it("a run that waits for a person is killed and started again, and the answer still arrives", async () => {
  const { id } = await api("POST", "/v1/runs", server.live_key, {
    ...request,
    options: { checkpoints: ["requirement_draft"] },
  });
  const { interactions } = await status(id, "input_required");
  await server.kill();
  await up();
  await api("POST", `/v1/interactions/${interactions[0]}/answer`, server.live_key, { decision: "approve" });
  await status(id, "completed");
});
