/** Another agent's task waits for an answer while the server is killed and started again: the client continues with the same task. */
import { setTimeout as sleep } from "node:timers/promises";
import { TaskState, type Task } from "@a2a-js/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectA2a, data, messageOf, postA2a, text, userMessage } from "../../support/a2a-client";
import { Served, until } from "../../support/served";

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.close());

/** The server has another port after each start; a deployed one keeps its address. */
const address = {
  url: "http://parley.test",
  fetch: ((input: string | URL, init?: RequestInit) =>
    fetch(new URL(new URL(input).pathname, served.url), init)) as typeof fetch,
};

const START = {
  workflow: "requirements",
  input: { idea: "A library that lends tools" },
  options: { reviews: ["requirement_draft"], qa_rounds: 0 },
};

it("a task whose server is killed while it waits is answered once by many messages, and completes", async () => {
  const post = (method: string, params: object) => postA2a({ ...address, key: served.test_key }, method, params);
  const started = userMessage([{ data: START }]);
  const { id } = (await post("SendMessage", started)).result.task;
  const waiting = await until("a question", async () => {
    const task = (await post("GetTask", { id })).result;
    return task.status.state === "TASK_STATE_INPUT_REQUIRED" && task;
  });
  await served.kill();
  await served.up();
  const again = (await post("GetTask", { id })).result;
  const [, before] = waiting.status.message.parts;
  expect(again.status.message.parts[1].data.interaction_id).toBe(before.data.interaction_id);
  expect((await post("SendMessage", started)).result.task.id).toBe(id); // the repeated message starts no second task

  // Messages with different comments continue while the server is killed once more; each is sent again until it is acknowledged.
  const answer = async (n: number) => {
    const { interaction_id } = before.data;
    const part = { data: { interaction_id, decision: "approve", comment: `Comment ${n}` } };
    const message = userMessage([part], { taskId: id });
    for (const end = Date.now() + 120_000; Date.now() < end; await sleep(100)) {
      const reply = await post("SendMessage", message).catch(() => null); // the connection was cut
      if (reply?.result || (reply?.error && reply.error.code !== -32603)) return;
    }
    throw new Error(`Message ${n} was not acknowledged.`);
  };
  const answering = Promise.all(Array.from({ length: 6 }, async (_, n) => (await sleep(n * 20), answer(n))));
  await sleep(60);
  await served.kill();
  await served.up();
  await answering;
  await served.status(id, "completed", served.test_key);
  const path = `/v1/interactions?run_id=${id}&status=answered`;
  const { data: answered } = await served.api("GET", path, served.test_key);
  expect(answered).toMatchObject([{ id: before.data.interaction_id, answer: { decision: "approve" } }]);
  const events = (await served.api("GET", `/v1/runs/${id}/events?limit=100`, served.test_key)).data;
  expect(events.filter(({ type }: any) => type === "run.input_received")).toHaveLength(1);
  expect((await post("GetTask", { id })).result.status.state).toBe("TASK_STATE_COMPLETED");
});

it("the official client, whose stream is cut by the kill, subscribes again and answers with a text", async () => {
  const client = await connectA2a({ ...address, key: served.test_key });
  const updates = client.sendMessageStream(messageOf([data(START)]));
  const { id } = ((await updates.next()).value as any).payload.value as Task;
  await served.kill();
  await updates.return().catch(() => undefined);
  await served.up();
  let last: Task | undefined;
  for await (const { payload } of client.resubscribeTask({ tenant: "", id })) {
    last = payload!.value as Task;
    if (last.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED)
      await client.sendMessage(messageOf([text("approve")], { taskId: id }, true));
  }
  expect(last!.status!.state).toBe(TaskState.TASK_STATE_COMPLETED);
});
