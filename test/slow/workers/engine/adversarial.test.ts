/** Crashes, lost answers and untimely requests, each provoked. */
import { introspectWorkflowInstance } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import type { Answer } from "../../../support/model";
import { bindings, callsOf, planFromMock, planModel, replan, until } from "../../../support/parley";
import { changed, inFlight, type Plan, slowed } from "../../../support/plans";
import { rowOf, setUpRuns } from "../../../support/runs";
import { newId } from "#core/ids";
import { sweep } from "#services/maintenance/sweep";
import { composeMaintenance } from "#cloudflare/compose";
import { makePlatform } from "#cloudflare/platform";
import type { NewArtifact } from "#store/artifacts";
import { Store } from "#store/store";

const { client, live, openInteraction, send, start, untilCompleted } = setUpRuns();
const store = new Store(bindings.DB, bindings.BUCKET);
const stakeholders = ["Anna", "Boris"].map((name) => ({ name, profile: "lends tools" }));
const body = { input: { idea: "A library that lends tools", stakeholders }, options: { qa_rounds: 0 } };
let plan: Plan;
beforeAll(async () => {
  plan = await planFromMock(client, body);
});

it("a commit repeated because its answer was lost keeps its R2 object", async () => {
  const id = await start({ options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  await openInteraction(id);
  const made = (name: string, inputs: string[]): NewArtifact => ({
    id: newId("art"),
    step: `elicitation/${name}#1`,
    generation: 1,
    kind: "x",
    subject: "",
    iteration: 1,
    stage: "elicitation",
    action: "x",
    role: "r",
    sent_from: "r",
    send_to: [],
    inputs,
    media_type: "text/markdown",
    content: "x".repeat(100_000),
    model: null,
    output_mode: null,
    parameters: null,
    dropped_parameters: null,
    response_model: null,
    prompt_hash: null,
    repairs: 0,
    tries: 1,
    usage: {
      llm_calls: 0,
      input_tokens: 0,
      cached_input_tokens: 0,
      output_tokens: 0,
      reasoning_tokens: 0,
      cost_usd: null,
    },
    released: { calls: 0, tokens: 0, cost_usd: 0 },
    duration_ms: 0,
    outcome: null,
  });
  const artifact = made("x", []);
  const run = { id, tenant: client.tenant, epoch: 1, code_version: "0" };
  expect(await store.artifacts.commit(run, [artifact])).not.toEqual([null]);
  expect(await store.artifacts.commit(run, [artifact])).toEqual([null]); // repeated: the first answer was lost
  for (const { id: key } of await store.contents.orphans(Date.now() + 2 * 3600_000, 50))
    await store.contents.removeOrphan(key);
  const reply = await send("GET", `/v1/runs/${id}/artifacts/${artifact.id}`);
  expect(reply.status).toBe(200);
  // An artifact is stored only after its inputs, which may be earlier in the same transaction.
  const ofOne = made("made", [artifact.id]);
  const [first, lost, second] = await store.artifacts.commit(run, [
    ofOne,
    made("lost", [newId("art")]),
    made("made_of_both", [ofOne.id, artifact.id]),
  ]);
  expect([first, lost, second].map((commitment) => commitment !== null)).toEqual([true, false, true]);
});

it("cancel and retry leave no reservation behind", async () => {
  const models = await planModel(slowed(plan, /write_req_draft/, 1500));
  const id = await live.start({ ...body, models, limits: { max_llm_calls: 100 } });
  await inFlight(id, /write_req_draft/);
  await live.verb(id, "cancel");
  await using instance = await introspectWorkflowInstance(bindings.RUNS, `${id}-e1`);
  await instance.waitForStatus("complete"); // after the call that was cut off
  await replan(models, plan);
  await live.verb(id, "retry");
  await live.untilCompleted(id);
  const { reserved_calls, reserved_tokens } = await rowOf(id);
  expect({ reserved_calls, reserved_tokens }).toEqual({ reserved_calls: 0, reserved_tokens: 0 });
});

it("a wake-up that fails once is sent again", async () => {
  const id = await start({ options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  const interaction = await openInteraction(id);
  const lost = () => Promise.reject(new Error("Network connection lost."));
  const flaky: Env = { ...bindings, RUNS: { get: lost, create: lost } as unknown as Env["RUNS"] };
  await store.interactions.answer(interaction.id, { answer: { decision: "approve" }, answered_by: null });
  await bindings.DB.prepare("UPDATE interactions SET settled_at = settled_at - 60000 WHERE id = ?")
    .bind(interaction.id)
    .run();
  const services = { ...composeMaintenance(bindings), platform: makePlatform(flaky), vectors: null };
  await sweep(services, { nudgeAll: false }).catch(() => {});
  await untilCompleted(id); // the real maintenance worker sweeps every 300 ms, nudges after 1.5 s; 20 s to wait
}, 40_000);

it("an answered interaction of a run that failed meanwhile is finally acknowledged", async () => {
  const refused: Answer[] = [{ status: 400, delay_ms: 1500, body: { error: { message: "no" } } }];
  const id = await live.start({
    ...body,
    options: { qa_rounds: 0, reviews: ["user_stories"] },
    models: await planModel(changed(plan, /speak_user_stories#Boris/, () => refused)),
  });
  const interaction = await live.openInteraction(id);
  expect((await live.answer(interaction, { decision: "approve" })).status).toBe(200);
  await live.untilFailed(id);
  const row = () =>
    bindings.DB.prepare("SELECT status, acknowledged FROM interactions WHERE id = ?")
      .bind(interaction.id)
      .first<{ status: string; acknowledged: number }>();
  await until("the interaction is acknowledged", async () => (await row())!.acknowledged, 5000);
  expect(await row()).toEqual({ status: "answered", acknowledged: 1 });
}, 40_000);

it("an instance that is created again in the same epoch repeats no call", async () => {
  const id = await live.start({ ...body, models: await planModel(slowed(plan, /write_req_draft/, 1000)) });
  await inFlight(id, /write_req_draft/);
  const instance = await bindings.RUNS.get(`${id}-e1`);
  await (instance as WorkflowInstance & { delete(): Promise<void> }).delete();
  await live.untilCompleted(id);
  const stories = (await callsOf(id)).filter((c) => /speak_user_stories/.test(c.step)).map((c) => c.step);
  expect(stories.length).toBe(new Set(stories).size);
}, 60_000);

it.each([
  ["cancel", "canceled", { is: "over" }],
  ["pause", "paused", { is: "suspended", suspension: { why: "paused" } }],
] as const)(
  "a retrying step makes no call after a %s",
  async (wish, status, left) => {
    const limited: Answer[] = [{ status: 429, headers: { "retry-after": "2" } }];
    const models = await planModel(changed(plan, /speak_user_stories#Anna/, () => limited));
    const id = await live.start({ ...body, models });
    await until("the step waits to be tried again", async () => (await rowOf(id)).last_failure);
    expect((await live.verb(id, wish)).body.status).toBe(status);
    const at = Date.now();
    await using instance = await introspectWorkflowInstance(bindings.RUNS, `${id}-e1`);
    expect(await instance.waitForStepResult({ name: "segment" })).toMatchObject(left);
    const late = (await callsOf(id)).filter((one) => one.started_at > at + 100).map((one) => one.step);
    if (wish === "pause") await live.verb(id, "cancel");
    expect(late).toEqual([]);
  },
  40_000,
);

it("the maintenance worker finds expired interactions by an index, without reading all interactions", async () => {
  const { results } = await bindings.DB.prepare(
    "EXPLAIN QUERY PLAN SELECT id FROM interactions WHERE status = 'open' AND expires_at <= 1 ORDER BY expires_at LIMIT 5",
  ).all<{ detail: string }>();
  expect(results.map(({ detail }) => detail).join("; ")).toContain("interactions_open");
});
