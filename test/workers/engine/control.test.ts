/** Pause, resume, cancel and retry: they take effect after the calls in flight, and lose nothing. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../support/model";
import {
  artifactsOf,
  bindings,
  call,
  callsOf,
  type Client,
  eventsOf,
  makeTenant,
  openInteraction,
  planFromRehearsal,
  planModel,
  replan,
  runWithStatus,
  start,
  until,
} from "../../support/parley";

let client: Client;
let plan: Record<string, Answer[]>;
const stakeholders = ["Anna", "Boris", "Chen"].map((name) => ({ name, profile: "lends tools" }));
const body = { input: { idea: "A library that lends tools", stakeholders }, options: { qa_rounds: 1 } };

beforeAll(async () => {
  client = await makeTenant();
  plan = await planFromRehearsal(client, body);
});

/** The plan with one slow act, so that a call is in flight for a while. */
const slowed = (pattern: RegExp, delay_ms: number) =>
  Object.fromEntries(
    Object.entries(plan).map(([act, answers]) => [
      act,
      pattern.test(act) ? answers.map((answer) => ({ ...answer, delay_ms })) : answers,
    ]),
  );

const verb = (id: string, name: string, json?: object) =>
  call("POST", `/v1/runs/${id}/${name}`, { key: client.live, ...(json ? { body: json } : {}) });
const inFlight = (id: string, pattern: RegExp, count = 1) =>
  until(`${count} calls of ${pattern} in flight`, async () => {
    const calls = (await callsOf(id)).filter((one) => pattern.test(one.act) && one.ended_at === null);
    return calls.length >= count && calls;
  });
const typesOf = async (id: string) => (await eventsOf(client.live, id)).map((event) => event.type);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("pause", () => {
  it("takes effect after the calls of parallel branches in flight; resume goes on, and each act is called once", async () => {
    const id = await start(client.live, { ...body, models: await planModel(slowed(/speak_user_stories/, 600)) });
    await inFlight(id, /speak_user_stories/, 3);
    expect((await verb(id, "pause")).body.status).toBe("paused");
    await until(
      "the calls in flight are stored",
      async () => (await artifactsOf(client.live, id)).filter((one) => one.kind === "user_stories").length === 3,
    );
    await sleep(400);
    const during = await callsOf(id);
    expect(during.filter((one) => !/speak_user_stories|derive_acceptance/.test(one.act))).toEqual([]);
    expect((await verb(id, "resume")).status).toBe(200);
    await runWithStatus(client.live, id, "completed");
    const acts = (await callsOf(id)).map((one) => one.act);
    expect(acts.length).toBe(new Set(acts).size);
    expect(await typesOf(id)).toEqual(expect.arrayContaining(["run.paused", "run.resumed"]));
  });

  it("may come while an interaction is open: the answer is taken, and nothing is called until resume", async () => {
    const id = await start(client.live, {
      ...body,
      options: { ...body.options, checkpoints: ["requirement_draft"] },
      models: await planModel(plan),
    });
    const interaction = await openInteraction(client.live, id);
    expect((await verb(id, "pause")).body.status).toBe("input_required");
    const before = (await callsOf(id)).length;
    const reply = await call("POST", `/v1/interactions/${interaction.id}/answer`, {
      key: client.live,
      body: { decision: "approve" },
    });
    expect(reply.status).toBe(200);
    expect((await runWithStatus(client.live, id, "paused")).status).toBe("paused");
    await sleep(500);
    expect(await callsOf(id)).toHaveLength(before);
    await verb(id, "resume");
    await runWithStatus(client.live, id, "completed");
  });

  it("twice in a row works as well as once", async () => {
    const id = await start(client.live, { ...body, models: await planModel(slowed(/./, 60)) });
    for (let n = 0; n < 2; n++) {
      await sleep(150);
      expect((await verb(id, "pause")).status).toBe(200);
      expect(await verb(id, "pause")).toMatchObject({ status: 409, body: { code: "wrong_state" } });
      await sleep(200);
      expect((await verb(id, "resume")).status).toBe(200);
      expect(await verb(id, "resume")).toMatchObject({ status: 409, body: { code: "wrong_state" } });
    }
    await runWithStatus(client.live, id, "completed");
    const acts = (await callsOf(id)).map((one) => one.act);
    expect(acts.length).toBe(new Set(acts).size);
  });
});

describe("cancel", () => {
  it("while a step is in flight: nothing is written afterwards", async () => {
    const id = await start(client.live, { ...body, models: await planModel(slowed(/write_req_draft/, 700)) });
    await inFlight(id, /write_req_draft/);
    expect((await verb(id, "cancel")).body.status).toBe("canceled");
    const [artifacts, events] = [await artifactsOf(client.live, id), await eventsOf(client.live, id)];
    await until("the call has ended", async () => (await callsOf(id)).every((one) => one.ended_at !== null));
    await sleep(800);
    expect(await artifactsOf(client.live, id)).toEqual(artifacts);
    expect(await eventsOf(client.live, id)).toEqual(events);
    expect(events.at(-1).type).toBe("run.canceled");
    expect((await callsOf(id)).some((one) => /extract_entity/.test(one.act))).toBe(false);
  });

  it("cancels the open interaction with the run: its answer is gone", async () => {
    const id = await start(client.test, { options: { checkpoints: ["requirement_draft"] } });
    const interaction = await openInteraction(client.test, id);
    expect((await call("POST", `/v1/runs/${id}/cancel`, { key: client.test })).status).toBe(200);
    const reply = await call("POST", `/v1/interactions/${interaction.id}/answer`, {
      key: client.test,
      body: { decision: "approve" },
    });
    expect(reply).toMatchObject({ status: 410, body: { code: "interaction_canceled" } });
  });

  it("of a run that has completed is a 409 that names the state", async () => {
    const id = await start(client.test, {});
    await runWithStatus(client.test, id, "completed");
    const reply = await call("POST", `/v1/runs/${id}/cancel`, { key: client.test });
    expect(reply).toMatchObject({ status: 409, body: { code: "wrong_state" } });
    expect(reply.body.detail).toContain("completed");
  });

  it("then retry goes on from the last finished act", async () => {
    const models = await planModel(slowed(/write_req_draft/, 700));
    const id = await start(client.live, { ...body, models });
    await inFlight(id, /write_req_draft/);
    await verb(id, "cancel");
    await replan(models, plan);
    expect((await verb(id, "retry")).status).toBe(200);
    await runWithStatus(client.live, id, "completed");
    const stories = (await callsOf(id)).filter((one) => /speak_user_stories/.test(one.act));
    expect(stories).toHaveLength(3);
  });
});

it("a stage in its next iteration is not among stages_done", async () => {
  const id = await start(client.test, {
    options: { checkpoints: ["requirement_draft"], qa_rounds: 0, max_iterations: 2 },
    test: { script: { check_requirement: ["reject"] } },
  });
  const first = await openInteraction(client.test, id);
  await call("POST", `/v1/interactions/${first.id}/answer`, { key: client.test, body: { decision: "approve" } });
  await until("the draft of iteration 2", async () => (await openInteraction(client.test, id)).id !== first.id);
  const { progress } = (await call("GET", `/v1/runs/${id}`, { key: client.test })).body;
  expect(progress.stages_done).toEqual(["modeling", "verification", "specification"]);
});

describe("retry", () => {
  const broken = (pattern: RegExp) =>
    Object.fromEntries(
      Object.entries(plan).map(([act, answers]) => [
        act,
        pattern.test(act) ? [{ status: 400, body: { error: { message: "no such parameter: mood" } } }] : answers,
      ]),
    );

  it("after a failure makes no second call for finished acts", async () => {
    const models = await planModel(broken(/extract_relation/));
    const id = await start(client.live, { ...body, models });
    const failed = await runWithStatus(client.live, id, "failed");
    expect(failed.error).toMatchObject({ code: "provider_refused_request" });
    expect(failed.error.detail).toContain("no such parameter: mood");
    const before = (await callsOf(id)).filter((one) => one.status === 200).map((one) => one.act);
    await replan(models, plan);
    expect((await verb(id, "retry")).body.status).toBe("queued");
    const run = await runWithStatus(client.live, id, "completed");
    const after = (await callsOf(id)).filter((one) => one.status === 200).map((one) => one.act);
    expect(after.length).toBe(new Set(after).size);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(run.error).toBeNull();
    expect(await typesOf(id)).toEqual(expect.arrayContaining(["run.failed", "run.retried", "run.completed"]));
  });

  it("with from_stage takes that stage and all after it off stages_done, until they are done again", async () => {
    const models = await planModel(broken(/write_srs/));
    const id = await start(client.live, { ...body, models });
    const failed = await runWithStatus(client.live, id, "failed");
    expect(failed.progress.stages_done).toEqual(["elicitation", "modeling", "verification"]);
    await replan(models, slowed(/extract_entity/, 1000));
    expect((await verb(id, "retry", { from_stage: "modeling" })).body.progress.stages_done).toEqual(["elicitation"]);
    await inFlight(id, /extract_entity/);
    const running = (await call("GET", `/v1/runs/${id}`, { key: client.live })).body;
    expect(running).toMatchObject({ stage: "modeling", progress: { stages_done: ["elicitation"] } });
    const { progress } = await runWithStatus(client.live, id, "completed");
    expect(progress.stages_done).toEqual(["elicitation", "modeling", "verification", "specification"]);
  });

  it("with from_stage redoes that stage and all after it, and nothing before; old versions stay", async () => {
    const models = await planModel(broken(/write_srs/));
    const id = await start(client.live, { ...body, models });
    await runWithStatus(client.live, id, "failed");
    await replan(models, plan);
    await verb(id, "retry", { from_stage: "modeling" });
    await runWithStatus(client.live, id, "completed");
    const acts = (await callsOf(id)).filter((one) => one.status === 200).map((one) => one.act);
    const times = (pattern: RegExp) =>
      acts.filter((act) => pattern.test(act)).length / new Set(acts.filter((act) => pattern.test(act))).size;
    expect(times(/^elicitation/)).toBe(1);
    expect(times(/^modeling/)).toBe(2);
    expect(times(/^verification/)).toBe(2);
    const artifacts = await artifactsOf(client.live, id);
    expect(
      artifacts
        .filter((one) => one.kind === "requirement_model")
        .map(({ version, generation }) => ({ version, generation })),
    ).toEqual([
      { version: 1, generation: 1 },
      { version: 2, generation: 2 },
    ]);
  });

  it("meets the answers that people gave before", async () => {
    const models = await planModel(broken(/write_srs/));
    const id = await start(client.live, {
      ...body,
      options: { ...body.options, checkpoints: ["requirement_draft"] },
      models,
    });
    const interaction = await openInteraction(client.live, id);
    await call("POST", `/v1/interactions/${interaction.id}/answer`, {
      key: client.live,
      body: { decision: "approve" },
    });
    await runWithStatus(client.live, id, "failed");
    await replan(models, plan);
    await verb(id, "retry");
    await runWithStatus(client.live, id, "completed");
    const { body: page } = await call("GET", `/v1/interactions?run_id=${id}&status=answered`, { key: client.live });
    expect(page.data).toHaveLength(1);
  });
});

describe("delete", () => {
  it("removes rows, objects and the Workflow instances of every epoch, and nothing of another run", async () => {
    const other = await start(client.test, {});
    const id = await start(client.test, { ...body, test: { faults: { llm: ["refusal"] } } });
    await runWithStatus(client.test, id, "failed");
    await call("POST", `/v1/runs/${id}/retry`, { key: client.test });
    await runWithStatus(client.test, id, "completed");
    await runWithStatus(client.test, other, "completed");
    await bindings.BUCKET.put(`${client.tenant}/${id}/art_large`, "x");

    expect((await call("DELETE", `/v1/runs/${id}`, { key: client.test })).status).toBe(204);
    expect((await call("GET", `/v1/runs/${id}`, { key: client.test })).status).toBe(404);
    for (const table of ["events", "artifacts", "stages", "interactions", "deliveries", "webhook_endpoints"]) {
      const left = await bindings.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE run_id = ?`)
        .bind(id)
        .first<{ n: number }>();
      expect([table, left!.n]).toEqual([table, 0]);
    }
    expect((await bindings.BUCKET.list({ prefix: `${client.tenant}/${id}/` })).objects).toEqual([]);
    for (const epoch of [1, 2]) await expect(bindings.RUNS.get(`${id}-e${epoch}`)).rejects.toThrow("not_found");
    expect((await artifactsOf(client.test, other)).length).toBeGreaterThan(5);
  });
});
