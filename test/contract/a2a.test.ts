/** Runs as A2A tasks: the official client starts, follows, answers and cancels them; a message names a method by data or by skill. */
import { exports } from "cloudflare:workers";
import { Role, TaskState } from "@a2a-js/sdk";
import type { StreamResponse, Task } from "@a2a-js/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { workflows } from "#workflows/index";
import { bindings, call, type Client, makeTenant, runWithStatus, start, until } from "../support/parley";
import { connectA2a, data, messageOf, postA2a, text, userMessage } from "../support/a2a-client";
import { askEverything, clarification, ask, waitingRun } from "./questions";

const send = ((input: RequestInfo, init?: RequestInit) =>
  (exports as any).default.fetch(new Request(input, init))) as typeof fetch;
const url = "http://parley.test";

let tenant: Client;
let post: (method: string, params?: object) => ReturnType<typeof postA2a>;
beforeEach(async () => {
  tenant = await makeTenant();
  post = (method, params) => postA2a({ url, key: tenant.test, fetch: send }, method, params);
});
const connect = () => connectA2a({ url, key: tenant.test, fetch: send });
const interactionOf = async (id: string) => (await call("GET", `/v1/interactions/${id}`, { key: tenant.test })).body;
const runOf = async (id: string) => (await call("GET", `/v1/runs/${id}`, { key: tenant.test })).body;

const REQUIREMENTS = {
  workflow: "requirements",
  input: { idea: "A library that lends tools to neighbours" },
  options: { human_stakeholder: true, qa_rounds: 1 },
};

/** The data parts of the questions that a task asks. */
const askedBy = (task: Task): any[] =>
  task.status!.message!.parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value] : []));
const answersTo = (asked: any) => ({
  interaction_id: asked.interaction_id,
  answers: Object.fromEntries(asked.questions.map(({ id }: any) => [id, "Thirty a day."])),
});

describe("the official client", () => {
  it("starts requirements, answers each question, and gets the specification as an artifact", async () => {
    const client = await connect();
    let task = (await client.sendMessage(messageOf([data(REQUIREMENTS)]))) as Task;
    let questions = 0;
    for (; task.status!.state === TaskState.TASK_STATE_INPUT_REQUIRED; questions++) {
      expect(task.status!.message).toMatchObject({ role: Role.ROLE_AGENT, taskId: task.id });
      const answers = messageOf([data(answersTo(askedBy(task)[0]))], { taskId: task.id, contextId: task.contextId });
      task = (await client.sendMessage(answers)) as Task;
    }
    expect(questions).toBeGreaterThan(0);
    expect(task.status!.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const run = await runOf(task.id);
    const output = task.artifacts.find(({ artifactId }) => artifactId === "output")!;
    expect(output.parts[0]!.content).toEqual({ $case: "data", value: run.output });
    expect(task.artifacts).toHaveLength(run.progress.steps_done + 1);
    const [first] = task.artifacts;
    const { value: link } = first!.parts[0]!.content as { value: string };
    const content = await send(link, { headers: { authorization: `Bearer ${tenant.test}` } });
    expect(content.status).toBe(200);
    expect(content.headers.get("content-type")).toContain(first!.parts[0]!.mediaType);
    const { history } = await client.getTask({ tenant: "", id: task.id, historyLength: 2 });
    expect(history.map(({ role }) => role)).toEqual([Role.ROLE_AGENT, Role.ROLE_USER]);
  });

  it("follows a task as a stream until it asks, answers by a stream, and sees every artifact once", async () => {
    const client = await connect();
    const seen: StreamResponse[] = [];
    const take = async (updates: AsyncIterable<StreamResponse>) => {
      const from = seen.length;
      for await (const update of updates) seen.push(update);
      return seen.slice(from).map(({ payload }) => payload!);
    };
    let updates = await take(client.sendMessageStream(messageOf([data(REQUIREMENTS)])));
    const { id } = updates[0]!.value as Task;
    expect(updates[0]!.$case).toBe("task");
    for (let last = updates.at(-1)!.value as Task; last.status!.state === TaskState.TASK_STATE_INPUT_REQUIRED;) {
      updates = await take(client.sendMessageStream(messageOf([data(answersTo(askedBy(last)[0]))], { taskId: id })));
      last = updates.at(-1)!.value as Task;
    }
    expect(updates.at(-1)).toMatchObject({
      $case: "statusUpdate",
      value: { taskId: id, status: { state: TaskState.TASK_STATE_COMPLETED } },
    });
    const made = seen.flatMap(({ payload }) =>
      payload?.$case === "task"
        ? payload.value.artifacts
        : payload?.$case === "artifactUpdate"
          ? [payload.value.artifact!]
          : [],
    );
    const task = await client.getTask({ tenant: "", id });
    expect(new Set(made.map(({ artifactId }) => artifactId))).toEqual(
      new Set(task.artifacts.map(({ artifactId }) => artifactId)),
    );
    const contentsOf = (artifacts: typeof made) =>
      new Set(artifacts.map(({ parts }) => JSON.stringify(parts[0]!.content)));
    expect(contentsOf(made)).toEqual(contentsOf(task.artifacts));
  });

  it("continues with a stream that was cut: it subscribes, and nothing is missing", async () => {
    const client = await connect();
    const stopped = new AbortController();
    const updates = client.sendMessageStream(messageOf([data(REQUIREMENTS)]), { signal: stopped.signal });
    const { value: first } = await updates.next();
    const { id } = (first as any).payload.value as Task;
    stopped.abort();
    await updates.return();
    await runWithStatus(tenant.test, id, "input_required");
    const resumed: StreamResponse[] = [];
    for await (const update of client.resubscribeTask({ tenant: "", id })) {
      resumed.push(update);
      const { $case, value } = update.payload!;
      const task = ($case === "task" || $case === "statusUpdate" ? value : null) as Task | null;
      if (task?.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED) {
        const answer = messageOf([data(answersTo(askedBy(task)[0]))], { taskId: id }, true);
        await client.sendMessage(answer);
      }
    }
    expect(resumed[0]!.payload).toMatchObject({ $case: "task", value: { id } });
    expect(resumed.at(-1)!.payload).toMatchObject({
      $case: "statusUpdate",
      value: { status: { state: TaskState.TASK_STATE_COMPLETED } },
    });
    const shown = resumed.flatMap(({ payload }) =>
      payload?.$case === "task"
        ? payload.value.artifacts.map(({ artifactId }) => artifactId)
        : payload?.$case === "artifactUpdate"
          ? [payload.value.artifact!.artifactId]
          : [],
    );
    const { artifacts } = await client.getTask({ tenant: "", id });
    expect(shown.toSorted()).toEqual(artifacts.map(({ artifactId }) => artifactId).toSorted());
    await expect(client.resubscribeTask({ tenant: "", id }).next()).rejects.toMatchObject({
      name: "UnsupportedOperationError",
    });
  });

  it("cancels a task once, and lists tasks by state and context", async () => {
    const client = await connect();
    const started = (await client.sendMessage(messageOf([data(REQUIREMENTS)], { contextId: "garden" }))) as Task;
    const other = await waitingRun(tenant);
    expect(started.contextId).toBe("garden");
    const canceled = await client.cancelTask({ tenant: "", id: started.id, metadata: undefined });
    expect(canceled.status!.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(client.cancelTask({ tenant: "", id: started.id, metadata: undefined })).rejects.toMatchObject({
      name: "TaskNotCancelableError",
    });
    const list = async (asked: object) =>
      (await client.listTasks({ tenant: "", contextId: "", status: 0, pageToken: "", ...asked } as any)).tasks.map(
        ({ id }) => id,
      );
    expect(await list({})).toEqual([started.id, other]); // the one that changed last is first
    expect(await list({ contextId: "garden" })).toEqual([started.id]);
    expect(await list({ contextId: other })).toEqual([other]);
    expect(await list({ status: TaskState.TASK_STATE_CANCELED })).toEqual([started.id]);
    expect(await list({ statusTimestampAfter: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
    const { tasks, nextPageToken, totalSize } = (await post("ListTasks", { pageSize: 1 })).result;
    expect([tasks.map(({ id }: any) => id), totalSize]).toEqual([[started.id], 2]);
    expect(tasks[0]).not.toHaveProperty("artifacts");
    await call("POST", `/v1/runs/${started.id}/retry`, { key: tenant.test }); // what changes meanwhile comes in no later page
    const second = (await post("ListTasks", { pageSize: 1, pageToken: nextPageToken, includeArtifacts: true })).result;
    expect(second).toMatchObject({ tasks: [{ id: other }], nextPageToken: "", pageSize: 1, totalSize: 2 });
    expect(second.tasks[0].artifacts).toBeInstanceOf(Array);
  });

  it("pages through any number of tasks once, by their last change, also those of one context, state and time", async () => {
    const own = await makeTenant();
    const started: string[] = [];
    for (let n = 0; n < 103; n++) {
      const metadata = { ...(n % 2 && { a2a_context_id: "shelf" }) };
      started.push(await start(own.test, { metadata, options: { human_stakeholder: true } }));
    }
    const canceled = started.filter((_, at) => at % 3);
    await Promise.all(canceled.map((id) => call("POST", `/v1/runs/${id}/cancel`, { key: own.test })));
    const waiting = started.filter((_, at) => at % 3 === 0);
    for (const id of waiting) await runWithStatus(own.test, id, "input_required");
    // Both states of a run are the state "working" of a task.
    const working: string[] = [];
    for (let n = 0; n < 6; n++) working.push(await start(own.test, { test: { latency_ms: 60_000 } }));
    for (const id of working) await runWithStatus(own.test, id, "running");
    for (const id of working.slice(2, 5)) await call("POST", `/v1/runs/${id}/pause`, { key: own.test });
    for (const id of working.slice(2, 5)) await runWithStatus(own.test, id, "paused");
    started.push(...working);
    const list = (params: object) =>
      postA2a({ url, key: own.test, fetch: send }, "ListTasks", params).then(({ result }) => result);
    const pages = async (asked: object, pageToken = ""): Promise<any[]> => {
      const result = await list({ ...asked, pageToken });
      return [...result.tasks, ...(result.nextPageToken ? await pages(asked, result.nextPageToken) : [])];
    };
    const idsOf = (tasks: any[]) => tasks.map(({ id }) => id);
    const all = await pages({ pageSize: 100 });
    const times = all.map(({ status }) => Date.parse(status.timestamp));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(idsOf(all).toSorted()).toEqual(started.toSorted());
    expect(await pages({ pageSize: 7 })).toEqual(all);
    expect((await list({ pageSize: 7 })).totalSize).toBe(101); // more than are counted
    const inState = async (state: string) => all.filter(({ status }) => status.state === state);
    for (const state of ["CANCELED", "INPUT_REQUIRED", "WORKING"].map((name) => `TASK_STATE_${name}`)) {
      const expected = await inState(state);
      expect(expected.length, state).toBeGreaterThan(4);
      expect(await pages({ pageSize: 4, status: state }), state).toEqual(expected);
      expect((await list({ pageSize: 4, status: state })).totalSize, state).toBe(expected.length);
    }
    const shelf = all.filter(({ contextId }) => contextId === "shelf");
    expect(shelf).toHaveLength(51);
    expect(await pages({ pageSize: 10, contextId: "shelf" })).toEqual(shelf);
    const since = all[30].status.timestamp;
    const later = all.filter(({ status }) => Date.parse(status.timestamp) >= Date.parse(since));
    expect(await pages({ pageSize: 9, statusTimestampAfter: since })).toEqual(later);
    for (const id of [...waiting, ...working]) await call("POST", `/v1/runs/${id}/cancel`, { key: own.test });
  }, 90_000);

  it("reads the card of everybody, and with its key the schemas of each skill", async () => {
    const client = await connect();
    const response = await send(`${url}/.well-known/agent-card.json`);
    const card = await response.json<any>();
    expect(response.headers.get("cache-control")).toContain("max-age");
    const headers = { "if-none-match": response.headers.get("etag")! };
    expect((await send(`${url}/.well-known/agent-card.json`, { headers })).status).toBe(304);
    expect(card).toMatchObject({
      supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: { streaming: true, extendedAgentCard: true },
    });
    expect(card.skills.map(({ id }: any) => id)).toEqual(Object.keys(workflows));
    const extended = await client.getAgentCard();
    expect(extended.skills.map(({ id }) => id)).toEqual(Object.keys(workflows));
    expect(extended.skills[0]!.description).toContain('"properties"');
  });
});

describe("a message that starts a task", () => {
  it("is a text with a skill, whose input the text becomes", async () => {
    for (const [skill, field] of [
      ["requirements", "idea"],
      ["ideation", "topic"],
      ["waterfall", "requirement"],
      ["debate", "question"],
      ["plain", "question"],
    ]) {
      const params = { ...userMessage([{ text: "Neighbours share tools." }]), metadata: { skill } };
      const { task } = (await post("SendMessage", params)).result;
      expect(await runOf(task.id)).toMatchObject({ workflow: skill, input: { [field!]: "Neighbours share tools." } });
      expect(task.metadata).toMatchObject({ workflow: skill, mode: "test" });
    }
    const params = { ...userMessage([{ text: "Compare." }]), metadata: { skill: "experiment" } };
    expect((await post("SendMessage", params)).error).toMatchObject({ code: -32005 });
  });

  it("without a skill is answered by a message that lists them, as a stream too", async () => {
    const { result } = await post("SendMessage", userMessage([{ text: "Hello." }]));
    expect(result.message).toMatchObject({ role: "ROLE_AGENT", parts: [{ text: /skill/ }, { data: { skills: {} } }] });
    const client = await connect();
    const updates = [];
    for await (const update of client.sendMessageStream(messageOf([text("Hello.")]))) updates.push(update.payload);
    expect(updates).toMatchObject([{ $case: "message" }]);
    expect((await post("ListTasks")).result.tasks).toEqual([]);
  });

  it("starts one task when it is repeated, and is refused when another message has its id", async () => {
    const message = userMessage([{ data: REQUIREMENTS }], { messageId: "m-1" });
    const [one, two] = await Promise.all([post("SendMessage", message), post("SendMessage", message)]);
    const again = await post("SendMessage", message);
    const ids = [one, two, again].flatMap(({ result }) => result?.task.id ?? []);
    expect(new Set(ids).size).toBe(1);
    expect(again.result.task.contextId).toMatch(/^ctx-/);
    const other = userMessage([{ data: { ...REQUIREMENTS, input: { idea: "A kiosk" } } }], { messageId: "m-1" });
    expect((await post("SendMessage", other)).error).toMatchObject({
      code: -32602,
      data: [{ metadata: { code: "idempotency_key_reused" } }],
    });
    expect((await post("ListTasks")).result.tasks).toHaveLength(1);
  });

  it("is refused with every error that the API finds", async () => {
    const { error } = await post("SendMessage", userMessage([{ data: { workflow: "debate", input: {}, speed: 1 } }]));
    expect(error).toMatchObject({ code: -32602, data: [{}, { "@type": "type.googleapis.com/google.rpc.BadRequest" }] });
    expect(error.data[1].fieldViolations.map(({ field }: any) => field)).toEqual(
      expect.arrayContaining(["input.question", "speed"]),
    );
  });
});

// On the Node host the run has asked its own next question by then.
describe.skipIf(!bindings.COMMITTERS)("a task that asks", () => {
  let run: string;
  beforeEach(async () => {
    run = await waitingRun(tenant);
    for (const id of (await runOf(run)).interactions) await answerAll(id);
  });
  const answerAll = async (id: string) => {
    const { questions } = await interactionOf(id);
    const answers = Object.fromEntries(questions.map((question: any) => [question.id, "Yes."]));
    await call("POST", `/v1/interactions/${id}/answer`, { key: tenant.test, body: { answers } });
  };
  const askText = () => ask(run, clarification([{ id: "q1", text: "Why?", type: "text", required: true }]));
  const say = (parts: object[], about: object = {}) =>
    post("SendMessage", userMessage(parts, { taskId: run, ...about }));

  it("takes a text for its only question; the repeated message answers no other question", async () => {
    const first = await askText();
    const messageId = "same";
    expect((await say([{ text: "Because." }], { messageId })).error).toBeUndefined();
    expect(await interactionOf(first)).toMatchObject({ answer: { answers: { q1: "Because." } } });
    const second = await askText();
    expect((await say([{ text: "Because." }], { messageId })).result.task).toMatchObject({ id: run });
    expect(await interactionOf(second)).toMatchObject({ status: "open" });
    expect((await say([{ text: "Because." }])).error).toBeUndefined(); // another message says the same
    expect(await interactionOf(second)).toMatchObject({ status: "answered" });
  });

  it("wants a data part that names the question when there are several, and checks it like any answer", async () => {
    const [one, all] = [await askText(), await askEverything(run)];
    expect((await say([{ text: "Because." }])).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(all),
    });
    const task = (await post("GetTask", { id: run })).result;
    expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const asked = task.status.message.parts.flatMap(({ data: part }: any) => part ?? []);
    expect(asked.map(({ interaction_id }: any) => interaction_id).toSorted()).toEqual([one, all].toSorted());
    const { error } = await say([{ data: { interaction_id: all, answers: { q1: "Because." } } }]);
    expect(error.data[1].fieldViolations).toMatchObject([{ field: "answers.q2" }]);
    expect((await say([{ data: { interaction_id: all, answers: { q1: "Because.", q2: 3 } } }])).error).toBeUndefined();
    expect(await interactionOf(all)).toMatchObject({
      status: "answered",
      answer: { answers: { q1: "Because.", q2: 3 } },
    });
    const late = await say([{ data: { interaction_id: all, answers: { q1: "Late.", q2: 4 } } }]);
    expect(late.error).toMatchObject({ code: -32602 });
    expect(await interactionOf(one)).toMatchObject({ status: "open" });
  });

  it("of another context, at work, or at its end takes no message", async () => {
    await askText();
    expect((await say([{ text: "Yes." }], { contextId: "elsewhere" })).error).toMatchObject({ code: -32602 });
    await call("POST", `/v1/runs/${run}/cancel`, { key: tenant.test });
    expect((await say([{ text: "Yes." }])).error).toMatchObject({ code: -32004 });
    const quiet = await start(tenant.test, { options: { qa_rounds: 0 } });
    await call("POST", `/v1/runs/${quiet}/pause`, { key: tenant.test });
    const { error } = await post("SendMessage", userMessage([{ text: "Yes." }], { taskId: quiet }));
    expect(error).toMatchObject({ code: -32004 });
  });
});

it("a review step takes the decision as a text", async () => {
  const run = await start(tenant.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  await runWithStatus(tenant.test, run, "input_required");
  const say = (words: string) => post("SendMessage", userMessage([{ text: words }], { taskId: run }));
  expect((await say("Looks good")).error).toMatchObject({ code: -32602 });
  expect((await say("approve")).error).toBeUndefined();
  await until("the end", async () => (await runOf(run)).status === "completed");
});

it("a failed run is a failed task that says why", async () => {
  const run = await start(tenant.test, { limits: { max_llm_calls: 1 } });
  await runWithStatus(tenant.test, run, "failed");
  const { result } = await post("GetTask", { id: run });
  expect(result.status).toMatchObject({
    state: "TASK_STATE_FAILED",
    message: { parts: [{ text: expect.any(String) }, { data: { code: "budget_exceeded" } }] },
  });
});

it("the transcript of docs/a2a.md comes out as it is there", async () => {
  const pages = import.meta.glob("../../docs/a2a.md", { query: "?raw", import: "default", eager: true });
  const [page] = Object.values(pages) as string[];
  const requests = [...page!.matchAll(/^rpc (\w+) '(.*?)'$/gms)].map(([, method, params]) => ({
    method: method!,
    params: params!,
  }));
  expect(requests).toHaveLength(2);
  const [asking, answering] = requests;
  const { task } = (await post(asking!.method, JSON.parse(asking!.params))).result;
  expect(task.status).toMatchObject({ state: "TASK_STATE_INPUT_REQUIRED" });
  expect(page).toContain(task.status.message.parts[0].text);
  const params = JSON.parse(answering!.params.replace("run_01M83F6F…", task.id));
  const { task: ended } = (await post(answering!.method, params)).result;
  expect(ended).toMatchObject({ id: task.id, status: { state: "TASK_STATE_COMPLETED" } });
  expect(ended.artifacts.at(-1)).toMatchObject({ artifactId: "output", parts: [{ data: { document: {} } }] });
});
