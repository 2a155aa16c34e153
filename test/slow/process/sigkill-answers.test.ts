/** A run waits for a person, and the server is killed with SIGKILL before or after the answer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Served } from "../../support/served";

let served: Served;
afterAll(() => served.close());

const live = (method: string, path: string, body?: object) => served.api(method, path, served.live_key, body);
const stakeholders = ["Anna", "Boris"].map((name) => ({ name, profile: "lends tools" }));
const request = {
  workflow: "requirements",
  input: { idea: "A library that lends tools", stakeholders },
  options: { qa_rounds: 2 },
};

beforeAll(async () => {
  served = await Served.start();
  await served.plan(await served.planFromMock(request, 100));
});

it("an answer that was given just before a kill is not lost, and wakes the run after the restart", async () => {
  const { id } = await live("POST", "/v1/runs", {
    ...request,
    options: { reviews: ["requirement_draft"] },
  });
  const run = await served.status(id, "input_required");
  await live("POST", `/v1/interactions/${run.interactions[0]}/answer`, {
    decision: "approve",
    answered_by: "Ada",
  });
  await served.kill();
  await served.up();
  const done = await served.status(id, "completed");
  expect(done.output.accepted).toBe(true);
  const calls = (await served.callsOf(id)).map((call) => call.step);
  expect(calls.filter((step) => step.includes("write_req_draft"))).toHaveLength(1);
});

it("a run that waits for a person is killed and started again, and the answer still arrives", async () => {
  const { id } = await live("POST", "/v1/runs", {
    ...request,
    options: { reviews: ["requirement_draft"] },
  });
  const { interactions } = await served.status(id, "input_required");
  await served.kill();
  await served.up();
  await live("POST", `/v1/interactions/${interactions[0]}/answer`, { decision: "approve" });
  await served.status(id, "completed");
});
