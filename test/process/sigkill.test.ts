/**
 * The server is killed with SIGKILL in the middle of stages, and restarted: the run finishes on the same path, and every finished step was
 * called exactly once. Only a call in flight during a kill may be repeated. Other kills are in test/slow/process.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Kill, lostCalls, Served, until } from "../support/served";

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.close());

const live = (method: string, path: string, body?: object) => served.api(method, path, served.live_key, body);
const stakeholders = ["Anna", "Boris"].map((name) => ({ name, profile: "lends tools" }));
const request = {
  workflow: "requirements",
  input: { idea: "A library that lends tools", stakeholders },
  options: { qa_rounds: 2 },
};

it("a run that is killed in the middle of a stage, three times, finishes with every finished step called exactly once", async () => {
  await served.plan(await served.planFromMock(request, 400));
  const { id } = await live("POST", "/v1/runs", request);

  const kills: Kill[] = [];
  for (const step of [/answer_question/, /extract_entity/, /write_srs/]) {
    await until(`a call of ${step} in flight`, async () =>
      (await served.callsOf(id)).some((call) => step.test(call.step) && call.ended_at === null),
    );
    kills.push(await served.kill());
    await served.up();
  }
  const run = await served.status(id, "completed");
  expect(run.output).toMatchObject({ accepted: true, iterations: 1 });

  const calls = await served.callsOf(id);
  const lost = lostCalls(calls, kills);
  const finished = calls.filter((call) => !lost.includes(call)).map((call) => call.step);
  expect(lost.length).toBeGreaterThanOrEqual(kills.length);
  expect(finished.length).toBe(new Set(finished).size);
  expect(new Set(lost.map((call) => call.step)).difference(new Set(finished)).size).toBe(0);

  const { data: artifacts } = await live("GET", `/v1/runs/${id}/artifacts?limit=100`);
  const steps = artifacts.filter((artifact: any) => artifact.model !== null).map((artifact: any) => artifact.step);
  expect(steps.toSorted()).toEqual([...new Set(finished)].toSorted());

  const { data: events } = await live("GET", `/v1/runs/${id}/events?limit=100`);
  expect(events.map((event: any) => event.seq)).toEqual(events.map((_: unknown, index: number) => index + 1));
  expect(events.filter((event: any) => event.type === "run.artifact_created")).toHaveLength(artifacts.length);
});
