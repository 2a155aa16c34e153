/** A coding agent's run waits for an answer while the server is killed and started again: the client continues with the same task. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectMcp, connectTasks, KNOWS_TASKS, modern, postMcp } from "../../support/mcp-client";
import { Served, until } from "../../support/served";

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.close());

/** The server has another port after each start; a deployed one keeps its address. */
const address = {
  url: "http://parley.test",
  fetch: ((_: unknown, init: RequestInit) => fetch(new URL("/mcp", served.url), init)) as typeof fetch,
};

const START = {
  input: { idea: "A library that lends tools" },
  options: { reviews: ["requirement_draft"], qa_rounds: 0 },
};

it("a task whose server is killed while it waits is answered once by many updates, and completes", async () => {
  const post = (method: string, params: object) =>
    postMcp(
      { ...address, key: served.test_key },
      modern(method, params, { ...KNOWS_TASKS, elicitation: { form: {} } }),
    );
  const { result } = await post("tools/call", { name: "start_requirements", arguments: START });
  const { taskId } = result;
  const waiting = await until("a question", async () => {
    const task = (await post("tasks/get", { taskId })).result;
    return task.status === "input_required" && task;
  });
  const [id] = Object.keys(waiting.inputRequests);
  await served.kill();
  await served.up();
  const again = (await post("tasks/get", { taskId })).result;
  expect(again.inputRequests).toEqual(waiting.inputRequests);

  // Updates with different comments continue while the server is killed once more; each is sent again until it is acknowledged.
  const update = async (n: number) => {
    const inputResponses = { [id!]: { action: "accept", content: { decision: "approve", comment: `Comment ${n}` } } };
    for (const end = Date.now() + 120_000; Date.now() < end; await sleep(100)) {
      const reply = await post("tasks/update", { taskId, inputResponses }).catch(() => null); // the connection was cut
      if (reply?.result) return;
    }
    throw new Error(`Update ${n} was not acknowledged.`);
  };
  const updating = Promise.all(Array.from({ length: 6 }, async (_, n) => (await sleep(n * 20), update(n))));
  await sleep(60);
  await served.kill();
  await served.up();
  await updating;
  await served.status(taskId, "completed", served.test_key);
  const { data } = await served.api("GET", `/v1/interactions?run_id=${taskId}&status=answered`, served.test_key);
  expect(data).toMatchObject([{ id, answer: { decision: "approve" } }]);
  const events = (await served.api("GET", `/v1/runs/${taskId}/events?limit=100`, served.test_key)).data;
  expect(events.filter(({ type }: any) => type === "run.input_received")).toHaveLength(1);
  const done = await until("the end", async () => {
    const task = (await post("tasks/get", { taskId })).result;
    return task.status === "completed" && task;
  });
  expect(done.result.structuredContent).toMatchObject({ id: taskId, status: "completed" });
});

it("a session of the official extension continues after the server was killed before it answered", async () => {
  const capabilities = { elicitation: { form: {} } };
  let asked = 0;
  const session = await connectTasks({ ...address, key: served.test_key, capabilities }, async () => {
    asked++;
    await served.kill();
    await served.up();
    return { action: "accept", content: { decision: "approve" } } as any;
  });
  const execution = await session.callTool("start_requirements", START);
  const { outcome } = await execution.settle();
  expect(outcome).toMatchObject({ status: "completed", result: { structuredContent: { status: "completed" } } });
  expect(asked).toBe(1);
  await session.close();
  const client = await connectMcp({ ...address, key: served.test_key, era: "legacy" });
  const { id } = (outcome as any).result.structuredContent;
  const read = await client.callTool({ name: "get_run", arguments: { run_id: id } });
  expect(read.structuredContent).toMatchObject({ id, status: "completed" });
});

it("a client of before 2026 asks its user a question whose server is killed while it waits, and one answer counts", async () => {
  const client = await connectMcp({ ...address, key: served.test_key, era: "legacy" });
  const call = async (name: string, args: object) => {
    for (const end = Date.now() + 120_000; Date.now() < end; await sleep(100)) {
      const result = await client.callTool({ name, arguments: { ...args } }).catch(() => null); // the connection was cut
      if (result) return result as { isError?: boolean; structuredContent: any };
    }
    throw new Error(`${name} was not answered.`);
  };
  const idempotency_key = "one-run";
  const { structuredContent: run } = await call("start_requirements", { ...START, idempotency_key });
  const waiting = { run_id: run.id };
  await until("a question", async () => (await call("get_run", waiting)).structuredContent.status === "input_required");
  const { questions } = (await call("list_questions", waiting)).structuredContent;
  expect(questions).toMatchObject([{ status: "open" }]);
  await served.kill();
  await served.up();
  expect((await call("list_questions", waiting)).structuredContent).toEqual({ questions });
  expect((await call("start_requirements", { ...START, idempotency_key })).structuredContent.id).toBe(run.id);

  const [{ id }] = questions;
  const answering = Array.from({ length: 4 }, (_, n) =>
    call("answer_question", { interaction_id: id, answer: { decision: "approve", comment: `Comment ${n}` } }),
  );
  await sleep(40);
  await served.kill();
  await served.up();
  const answers = await Promise.all(answering);
  const refused = answers.filter(({ isError }) => isError).map(({ structuredContent: { code } }) => code);
  expect(new Set(refused).difference(new Set(["already_answered"]))).toEqual(new Set());
  await until("the end", async () => (await call("get_run", waiting)).structuredContent.status === "completed");
  const { data } = await served.api("GET", `/v1/interactions?run_id=${run.id}&status=answered`, served.test_key);
  expect(data).toMatchObject([{ id, answer: { decision: "approve" } }]);
  const events = (await served.api("GET", `/v1/runs/${run.id}/events?limit=100`, served.test_key)).data;
  expect(events.filter(({ type }: any) => type === "run.input_received")).toHaveLength(1);
  await client.close();
});
