/** Runs as MCP tasks: official clients of the extension poll, are asked through elicitation, and get the result; others are never blocked. */
import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { call, type Client, makeTenant, openInteraction, runWithStatus, start, until } from "../support/parley";
import { connectMcp, connectTasks, KNOWS_TASKS, modern, postMcp } from "../support/mcp-client";
import { ask, askEverything, clarification, waitingRun } from "./questions";

const send = ((input: RequestInfo, init?: RequestInit) =>
  (exports as any).default.fetch(new Request(input, init))) as typeof fetch;
const url = "http://parley.test";

let tenant: Client;
let post: (method: string, params?: object, capabilities?: object) => ReturnType<typeof postMcp>;
beforeEach(async () => {
  tenant = await makeTenant();
  post = (method, params, capabilities = KNOWS_TASKS) =>
    postMcp({ url, key: tenant.test, fetch: send }, modern(method, params, capabilities));
});

const FORMS = { ...KNOWS_TASKS, elicitation: { form: {} } };
const PAGES = { ...KNOWS_TASKS, elicitation: { form: {}, url: {} } };
const interactionOf = async (id: string) => (await call("GET", `/v1/interactions/${id}`, { key: tenant.test })).body;

it("a session of the official extension starts requirements, answers each form, and gets the specification", async () => {
  const asked: any[] = [];
  const answering = async (request: any) => {
    asked.push(request.params);
    const names = Object.keys(request.params.requestedSchema.properties);
    return { action: "accept", content: Object.fromEntries(names.map((name) => [name, "Thirty a day."])) } as any;
  };
  const session = await connectTasks(
    { url, key: tenant.test, fetch: send, capabilities: { elicitation: {} } },
    answering,
  );
  const execution = await session.callTool("start_requirements", {
    input: { idea: "A library that lends tools to neighbours" },
    options: { human_stakeholder: true, qa_rounds: 1 },
  });
  const { outcome } = await execution.settle();
  await session.close();
  expect(outcome).toMatchObject({ status: "completed", result: { structuredContent: { status: "completed" } } });
  const run = (outcome as any).result.structuredContent;
  expect(execution.handle!.taskId).toBe(run.id);
  expect(asked.length).toBeGreaterThan(0);
  const path = `/v1/interactions?run_id=${run.id}&status=answered`;
  const { data } = (await call("GET", path, { key: tenant.test })).body;
  expect(data).toHaveLength(asked.length);
});

it("a client without tasks gets the run at once", async () => {
  const args = { name: "start_requirements", arguments: { input: { idea: "A kiosk" } } };
  const { result } = await post("tools/call", args, {});
  expect(result).toMatchObject({ resultType: "complete", structuredContent: { status: "queued" } });
  const task = (await post("tools/call", args)).result;
  expect(task).toMatchObject({ resultType: "task", status: "working", taskId: expect.stringMatching(/^run_/) });
});

describe("a task that waits", () => {
  let run: string;
  beforeEach(async () => {
    run = await waitingRun(tenant);
  });
  const requests = async (capabilities: object) =>
    (await post("tasks/get", { taskId: run }, capabilities)).result.inputRequests;

  it("asks flat questions of every type as a form, whose answer is checked like any other", async () => {
    const id = await askEverything(run);
    const { [id]: request } = await requests(FORMS);
    expect(request).toMatchObject({
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "Please tell.",
        requestedSchema: {
          type: "object",
          required: ["q1", "q2"],
          properties: {
            q1: { type: "string", title: "Why?" },
            q2: { type: "number" },
            q3: { type: "boolean" },
            q4: { type: "string", enum: ["red", "blue"] },
          },
        },
      },
    });
    const update = (content: object, action = "accept") =>
      post("tasks/update", { taskId: run, inputResponses: { [id]: { action, content } } });
    const { error } = await update({ q1: "Because." });
    expect(error).toMatchObject({ code: -32602, data: { code: "validation_failed" } });
    expect(error.message).toContain("answers.q2");
    expect((await update({}, "decline")).result).toMatchObject({ resultType: "complete" });
    expect(await interactionOf(id)).toMatchObject({ status: "open" });
    expect((await update({ q1: "Because.", q2: 3, q4: "red" })).result).toMatchObject({ resultType: "complete" });
    expect(await interactionOf(id)).toMatchObject({
      status: "answered",
      answer: { answers: { q1: "Because.", q2: 3, q4: "red" } },
    });
    expect((await update({ q1: "Something else.", q2: 4 })).error).toBeUndefined(); // no longer outstanding
    expect(await interactionOf(id)).toMatchObject({ answer: { answers: { q1: "Because." } } });
    expect(await requests(FORMS)).not.toHaveProperty(id);
  });

  it("asks long questions by the address of the answer page, if the client opens pages", async () => {
    const text = `Why ${"so ".repeat(300)}long?`;
    const id = await ask(run, clarification([{ id: "q1", text, type: "text", required: true }]));
    const { [id]: page } = await requests(PAGES);
    expect(page).toMatchObject({ params: { mode: "url", url: (await interactionOf(id)).callback_url } });
    expect((await requests(FORMS))[id]).toMatchObject({ params: { mode: "form" } });
    expect(await requests(KNOWS_TASKS)).toEqual({});
    await post("tasks/update", { taskId: run, inputResponses: { [id]: { action: "accept" } } }, PAGES);
    expect(await interactionOf(id)).toMatchObject({ status: "open" });
  });

  it("is canceled, and canceling it again changes nothing", async () => {
    expect((await post("tasks/cancel", { taskId: run })).result).toMatchObject({ resultType: "complete" });
    expect((await post("tasks/get", { taskId: run })).result).toMatchObject({ status: "cancelled" });
    expect((await post("tasks/cancel", { taskId: run })).result).toMatchObject({ resultType: "complete" });
  });
});

it("a review step is a page, or a form with a decision", async () => {
  const run = await start(tenant.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  const { id, callback_url } = await openInteraction(tenant.test, run);
  await runWithStatus(tenant.test, run, "input_required");
  const get = async (capabilities: object) => (await post("tasks/get", { taskId: run }, capabilities)).result;
  expect((await get(PAGES)).inputRequests[id].params).toMatchObject({ mode: "url", url: callback_url });
  const { params } = (await get(FORMS)).inputRequests[id];
  expect(params.requestedSchema.properties.decision.enum).toContain("approve");
  expect(params.message).toContain(`parley://runs/${run}/artifacts/art_`);
  // What is said under other names is not looked at.
  const inputResponses = { nobody: 7, [id]: { action: "accept", content: { decision: "approve" } } };
  await post("tasks/update", { taskId: run, inputResponses });
  const done = await until("the end", async () => {
    const task = await get(FORMS);
    return task.status === "completed" && task;
  });
  expect(done.result).toMatchObject({ resultType: "complete", structuredContent: { id: run, status: "completed" } });
});

it("a failed run is a task that is completed with an error", async () => {
  const run = await start(tenant.test, { limits: { max_llm_calls: 1 } });
  await runWithStatus(tenant.test, run, "failed");
  const { result } = await post("tasks/get", { taskId: run });
  expect(result).toMatchObject({
    status: "completed",
    result: { isError: true, structuredContent: { status: "failed" } },
  });
});

it("answer_question without an answer asks the client's user, and records the answer once", async () => {
  const run = await waitingRun(tenant);
  const id = await askEverything(run);
  const client = await connectMcp({ url, key: tenant.test, fetch: send, capabilities: { elicitation: {} } });
  let forms = 0;
  client.setRequestHandler("elicitation/create", async () => {
    forms++;
    return { action: "accept" as const, content: { q1: "Because.", q2: 3 } };
  });
  const result = await client.callTool({ name: "answer_question", arguments: { interaction_id: id } });
  expect(result.structuredContent).toMatchObject({
    id,
    status: "answered",
    answer: { answers: { q1: "Because.", q2: 3 } },
  });
  expect(forms).toBe(1);
  const mute = await connectMcp({ url, key: tenant.test, fetch: send });
  const other = await askEverything(run);
  const refused = await mute.callTool({ name: "answer_question", arguments: { interaction_id: other } });
  expect(refused).toMatchObject({ isError: true, structuredContent: { errors: [{ path: "answer" }] } });
});
