/** Pause, resume, cancel and retry: they take effect after the calls in flight, and lose nothing. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../support/model";
import { bindings, callsOf, planFromMock, planModel, replan, until } from "../../support/parley";
import { changed, inFlight, noneInFlight, type Plan, slowed } from "../../support/plans";
import { setUpRuns } from "../../support/runs";

const { answer, artifactsOf, client, live, openInteraction, send, start, untilCompleted, untilFailed, verb } =
  setUpRuns();

let plan: Plan;
const stakeholders = ["Anna", "Boris", "Chen"].map((name) => ({ name, profile: "lends tools" }));
const body = { input: { idea: "A library that lends tools", stakeholders }, options: { qa_rounds: 1 } };

beforeAll(async () => {
  plan = await planFromMock(client, body);
});

const typesOf = async (id: string) => (await live.eventsOf(id)).map((event) => event.type);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("pause", () => {
  it("takes effect after the calls in flight of parallel branches; after resume each step was called once", async () => {
    const id = await live.start({ ...body, models: await planModel(slowed(plan, /speak_user_stories/, 600)) });
    await inFlight(id, /speak_user_stories/, 3);
    expect((await live.verb(id, "pause")).body.status).toBe("paused");
    await until(
      "the calls in flight are stored",
      async () => (await live.artifactsOf(id)).filter((one) => one.kind === "user_stories").length === 3,
    );
    await sleep(400);
    const during = await callsOf(id);
    expect(during.filter((one) => !/speak_user_stories|derive_acceptance/.test(one.step))).toEqual([]);
    expect((await live.verb(id, "resume")).status).toBe(200);
    await live.untilCompleted(id);
    const steps = (await callsOf(id)).map((one) => one.step);
    expect(steps.length).toBe(new Set(steps).size);
    expect(await typesOf(id)).toEqual(expect.arrayContaining(["run.paused", "run.resumed"]));
  });

  it("is possible while an interaction is open: the answer is accepted, and nothing is called until resume", async () => {
    const id = await live.start({
      ...body,
      options: { ...body.options, reviews: ["requirement_draft"] },
      models: await planModel(plan),
    });
    const interaction = await live.openInteraction(id);
    expect((await live.verb(id, "pause")).body.status).toBe("input_required");
    const before = (await callsOf(id)).length;
    const reply = await live.answer(interaction, { decision: "approve" });
    expect(reply.status).toBe(200);
    expect((await live.untilStatus(id, "paused")).status).toBe("paused");
    await sleep(500);
    expect(await callsOf(id)).toHaveLength(before);
    await live.verb(id, "resume");
    await live.untilCompleted(id);
  });

  it("twice in a row works as well as once", async () => {
    const id = await live.start({ ...body, models: await planModel(slowed(plan, /./, 60)) });
    for (let n = 0; n < 2; n++) {
      await sleep(150);
      expect((await live.verb(id, "pause")).status).toBe(200);
      expect(await live.verb(id, "pause")).toMatchObject({ status: 409, body: { code: "wrong_state" } });
      await sleep(200);
      expect((await live.verb(id, "resume")).status).toBe(200);
      expect(await live.verb(id, "resume")).toMatchObject({ status: 409, body: { code: "wrong_state" } });
    }
    await live.untilCompleted(id);
    const steps = (await callsOf(id)).map((one) => one.step);
    expect(steps.length).toBe(new Set(steps).size);
  });
});

describe("cancel", () => {
  it("while a step is in flight: nothing is written afterwards", async () => {
    const id = await live.start({ ...body, models: await planModel(slowed(plan, /write_req_draft/, 700)) });
    await inFlight(id, /write_req_draft/);
    expect((await live.verb(id, "cancel")).body.status).toBe("canceled");
    const [artifacts, events] = [await live.artifactsOf(id), await live.eventsOf(id)];
    await noneInFlight(id);
    await sleep(800);
    expect(await live.artifactsOf(id)).toEqual(artifacts);
    expect(await live.eventsOf(id)).toEqual(events);
    expect(events.at(-1).type).toBe("run.canceled");
    expect((await callsOf(id)).some((one) => /extract_entity/.test(one.step))).toBe(false);
  });

  it("cancels the open interaction with the run: an answer is a 410", async () => {
    const id = await start({ options: { reviews: ["requirement_draft"] } });
    const interaction = await openInteraction(id);
    expect((await verb(id, "cancel")).status).toBe(200);
    const reply = await answer(interaction, { decision: "approve" });
    expect(reply).toMatchObject({ status: 410, body: { code: "interaction_canceled" } });
  });

  it("of a run that has completed is a 409 that names the state", async () => {
    const id = await start({});
    await untilCompleted(id);
    const reply = await verb(id, "cancel");
    expect(reply).toMatchObject({ status: 409, body: { code: "wrong_state" } });
    expect(reply.body.detail).toContain("completed");
  });

  it("then retry continues from the last finished step", async () => {
    const models = await planModel(slowed(plan, /write_req_draft/, 700));
    const id = await live.start({ ...body, models });
    await inFlight(id, /write_req_draft/);
    await live.verb(id, "cancel");
    await replan(models, plan);
    expect((await live.verb(id, "retry")).status).toBe(200);
    await live.untilCompleted(id);
    const stories = (await callsOf(id)).filter((one) => /speak_user_stories/.test(one.step));
    expect(stories).toHaveLength(3);
  });
});

it("a stage in its next iteration is not among stages_done", async () => {
  const id = await start({
    options: { reviews: ["requirement_draft"], qa_rounds: 0, max_iterations: 2 },
    test: { script: { check_requirement: ["reject"] } },
  });
  const first = await openInteraction(id);
  await answer(first, { decision: "approve" });
  await until("the draft of iteration 2", async () => (await openInteraction(id)).id !== first.id);
  const { progress } = (await send("GET", `/v1/runs/${id}`)).body;
  expect(progress.stages_done).toEqual(["modeling", "verification", "specification"]);
});

describe("retry", () => {
  const refused: Answer[] = [{ status: 400, body: { error: { message: "no such parameter: mood" } } }];
  const broken = (step: RegExp) => changed(plan, step, () => refused);

  it("after a failure makes no second call for finished steps", async () => {
    const models = await planModel(broken(/list_relations/));
    const id = await live.start({ ...body, models });
    const failed = await live.untilFailed(id);
    expect(failed.error).toMatchObject({ code: "provider_refused_request" });
    expect(failed.error.detail).toContain("no such parameter: mood");
    const before = (await callsOf(id)).filter((one) => one.status === 200).map((one) => one.step);
    await replan(models, plan);
    expect((await live.verb(id, "retry")).body.status).toBe("queued");
    const run = await live.untilCompleted(id);
    const after = (await callsOf(id)).filter((one) => one.status === 200).map((one) => one.step);
    expect(after.length).toBe(new Set(after).size);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(run.error).toBeNull();
    expect(await typesOf(id)).toEqual(expect.arrayContaining(["run.failed", "run.retried", "run.completed"]));
  });

  it("with from_stage removes that stage and all later ones from stages_done, until they are done again", async () => {
    const models = await planModel(broken(/write_srs/));
    const id = await live.start({ ...body, models });
    const failed = await live.untilFailed(id);
    expect(failed.progress.stages_done).toEqual(["elicitation", "modeling", "verification"]);
    await replan(models, slowed(plan, /extract_entity/, 1000));
    expect((await live.verb(id, "retry", { from_stage: "modeling" })).body.progress.stages_done).toEqual([
      "elicitation",
    ]);
    await inFlight(id, /extract_entity/);
    const running = (await live.send("GET", `/v1/runs/${id}`)).body;
    expect(running).toMatchObject({ stage: "modeling", progress: { stages_done: ["elicitation"] } });
    const { progress } = await live.untilCompleted(id);
    expect(progress.stages_done).toEqual(["elicitation", "modeling", "verification", "specification"]);
  });

  it("with from_stage repeats that stage and all later ones, and no earlier one; old versions stay", async () => {
    const models = await planModel(broken(/write_srs/));
    const id = await live.start({ ...body, models });
    await live.untilFailed(id);
    await replan(models, plan);
    await live.verb(id, "retry", { from_stage: "modeling" });
    await live.untilCompleted(id);
    const steps = (await callsOf(id)).filter((one) => one.status === 200).map((one) => one.step);
    const times = (pattern: RegExp) =>
      steps.filter((step) => pattern.test(step)).length / new Set(steps.filter((step) => pattern.test(step))).size;
    expect(times(/^elicitation/)).toBe(1);
    expect(times(/^modeling/)).toBe(2);
    expect(times(/^verification/)).toBe(2);
    const artifacts = await live.artifactsOf(id);
    expect(
      artifacts
        .filter((one) => one.kind === "requirement_model")
        .map(({ version, generation }) => ({ version, generation })),
    ).toEqual([
      { version: 1, generation: 1 },
      { version: 2, generation: 2 },
    ]);
  });

  it("reuses the answers that people gave before", async () => {
    const models = await planModel(broken(/write_srs/));
    const id = await live.start({
      ...body,
      options: { ...body.options, reviews: ["requirement_draft"] },
      models,
    });
    const interaction = await live.openInteraction(id);
    await live.answer(interaction, { decision: "approve" });
    await live.untilFailed(id);
    await replan(models, plan);
    await live.verb(id, "retry");
    await live.untilCompleted(id);
    const { body: page } = await live.send("GET", `/v1/interactions?run_id=${id}&status=answered`);
    expect(page.data).toHaveLength(1);
  });
});

describe("delete", () => {
  it("removes rows, objects and the Workflow instances of every epoch, and nothing of another run", async () => {
    const other = await start({});
    const id = await start({ ...body, test: { faults: { llm: ["refusal"] } } });
    await untilFailed(id);
    await verb(id, "retry");
    await untilCompleted(id);
    await untilCompleted(other);
    await bindings.BUCKET.put(`${client.tenant}/${id}/art_large`, "x");

    expect((await send("DELETE", `/v1/runs/${id}`)).status).toBe(204);
    expect((await send("GET", `/v1/runs/${id}`)).status).toBe(404);
    for (const table of ["events", "artifacts", "stages", "interactions", "deliveries", "webhook_endpoints"]) {
      const left = await bindings.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE run_id = ?`)
        .bind(id)
        .first<{ n: number }>();
      expect([table, left!.n]).toEqual([table, 0]);
    }
    expect((await bindings.BUCKET.list({ prefix: `${client.tenant}/${id}/` })).objects).toEqual([]);
    for (const epoch of [1, 2]) await expect(bindings.RUNS.get(`${id}-e${epoch}`)).rejects.toThrow("not_found");
    expect((await artifactsOf(other)).length).toBeGreaterThan(5);
  });
});
