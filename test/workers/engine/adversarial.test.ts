/** What a crash, a lost answer or an untimely wish could do to a run, each made to happen. */
import { beforeAll, expect, it } from "vitest";
import type { Answer } from "../../support/model";
import {
  bindings,
  call,
  callsOf,
  type Client,
  makeTenant,
  openInteraction,
  planFromRehearsal,
  planModel,
  replan,
  runWithStatus,
  start,
  until,
} from "../../support/parley";
import { Store } from "#store/store";
import { sweep } from "#services/maintenance/sweep";
import { makePlatform } from "#cloudflare/platform";
import { readSettings } from "#services/settings";
import { newId } from "#core/ids";

let client: Client;
let plan: Record<string, Answer[]>;
const store = new Store(bindings.DB, bindings.BUCKET);
const stakeholders = ["Anna", "Boris"].map((name) => ({ name, profile: "lends tools" }));
const body = { input: { idea: "A library that lends tools", stakeholders }, options: { qa_rounds: 0 } };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const slowed = (pattern: RegExp, delay_ms: number) =>
  Object.fromEntries(
    Object.entries(plan).map(([act, a]) => [act, pattern.test(act) ? a.map((x) => ({ ...x, delay_ms })) : a]),
  );
const verb = (id: string, name: string, json?: object) =>
  call("POST", `/v1/runs/${id}/${name}`, { key: client.live, ...(json ? { body: json } : {}) });
beforeAll(async () => {
  client = await makeTenant();
  plan = await planFromRehearsal(client, body);
});
const row = (id: string) => bindings.DB.prepare("SELECT * FROM runs WHERE id = ?").bind(id).first<any>();

it("a commit repeated because its answer was lost keeps its R2 object", async () => {
  const id = await start(client.test, { options: { checkpoints: ["requirement_draft"], qa_rounds: 0 } });
  await openInteraction(client.test, id);
  const art: any = {
    id: newId("art"),
    act: "elicitation/x#1",
    generation: 1,
    kind: "x",
    subject: "",
    iteration: 1,
    stage: "elicitation",
    action: "x",
    role: "r",
    sent_from: "r",
    send_to: [],
    inputs: [],
    media_type: "text/markdown",
    content: "x".repeat(100_000),
    model: null,
    rung: null,
    parameters: null,
    prompt_hash: null,
    repairs: 0,
    usage: { llm_calls: 0, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: null },
    released: { calls: 0, tokens: 0, cost_usd: 0 },
    duration_ms: 0,
  };
  const run = { id, tenant: client.tenant, epoch: 1, code_version: "0" };
  expect(await store.artifacts.commit(run, [art])).not.toEqual([null]);
  expect(await store.artifacts.commit(run, [art])).toEqual([null]); // patiently(): the first answer was lost
  await store.contents.removeOrphans(Date.now() + 2 * 3600_000);
  const reply = await call("GET", `/v1/runs/${id}/artifacts/${art.id}`, { key: client.test });
  expect(reply.status).toBe(200);
  // Nothing is stored without what it was made from, which may come in the same transaction, before it.
  const more = (name: string, inputs: string[]): any => ({
    ...art,
    id: newId("art"),
    act: `elicitation/${name}#1`,
    inputs,
  });
  const made = more("made", [art.id]);
  const [first, lost, second] = await store.artifacts.commit(run, [
    made,
    more("lost", [newId("art")]),
    more("made_of_both", [made.id, art.id]),
  ]);
  expect([first, lost, second].map((commitment) => commitment !== null)).toEqual([true, false, true]);
});

it("cancel and retry leave no reservation behind", async () => {
  const models = await planModel(slowed(/write_req_draft/, 1500));
  const id = await start(client.live, { ...body, models, limits: { max_llm_calls: 100 } });
  await until("draft in flight", async () =>
    (await callsOf(id)).some((c) => /write_req_draft/.test(c.act) && c.ended_at === null),
  );
  await verb(id, "cancel");
  await sleep(2000);
  await replan(models, plan);
  await verb(id, "retry");
  await runWithStatus(client.live, id, "completed");
  const { reserved_calls, reserved_tokens } = await row(id);
  expect({ reserved_calls, reserved_tokens }).toEqual({ reserved_calls: 0, reserved_tokens: 0 });
});

it("a wake-up that fails for a moment is sent again", async () => {
  const id = await start(client.test, { options: { checkpoints: ["requirement_draft"], qa_rounds: 0 } });
  const interaction = await openInteraction(client.test, id);
  const flaky = {
    ...bindings,
    DB: bindings.DB,
    BUCKET: bindings.BUCKET,
    KEEPER: bindings.KEEPER,
    WEBHOOKS: bindings.WEBHOOKS,
    RUNS: {
      get: async () => {
        throw new Error("Network connection lost.");
      },
      create: async () => {
        throw new Error("Network connection lost.");
      },
    },
  } as any;
  await store.interactions.answer(interaction.id, { decision: "approve" }, null);
  await bindings.DB.prepare("UPDATE interactions SET settled_at = settled_at - 60000 WHERE id = ?")
    .bind(interaction.id)
    .run();
  const settings = readSettings(bindings as any);
  await sweep({ store, platform: makePlatform(flaky), vectors: null, settings }, { nudgeAll: false }).catch(() => {});
  await runWithStatus(client.test, id, "completed"); // the real keeper sweeps every 300 ms, nudges after 1.5 s; 20 s to wait
}, 40_000);

it("an answered interaction of a run that failed meanwhile is acknowledged in the end", async () => {
  const acts = Object.fromEntries(
    Object.entries(plan).map(([act, a]) => [
      act,
      /speak_user_stories#Boris/.test(act) ? [{ status: 400, delay_ms: 1500, body: { error: { message: "no" } } }] : a,
    ]),
  );
  const id = await start(client.live, {
    ...body,
    options: { qa_rounds: 0, checkpoints: ["user_stories"] },
    models: await planModel(acts),
  });
  const interaction = await openInteraction(client.live, id);
  const reply = await call("POST", `/v1/interactions/${interaction.id}/answer`, {
    key: client.live,
    body: { decision: "approve" },
  });
  expect(reply.status).toBe(200);
  await runWithStatus(client.live, id, "failed");
  await sleep(5000);
  const found = await bindings.DB.prepare("SELECT status, acknowledged FROM interactions WHERE id = ?")
    .bind(interaction.id)
    .first<any>();
  expect(found).toEqual({ status: "answered", acknowledged: 1 });
}, 40_000);

it("an instance that is made anew in the same epoch calls nothing twice", async () => {
  const id = await start(client.live, { ...body, models: await planModel(slowed(/write_req_draft/, 1000)) });
  await until("draft in flight", async () =>
    (await callsOf(id)).some((c) => /write_req_draft/.test(c.act) && c.ended_at === null),
  );
  await ((await bindings.RUNS.get(`${id}-e1`)) as any).delete();
  await runWithStatus(client.live, id, "completed");
  const stories = (await callsOf(id)).filter((c) => /speak_user_stories/.test(c.act)).map((c) => c.act);
  expect(stories.length).toBe(new Set(stories).size);
}, 60_000);

it.each([
  ["cancel", "canceled"],
  ["pause", "paused"],
])(
  "a retrying act makes no call after a %s",
  async (wish, status) => {
    const limited: Answer[] = [{ status: 429, headers: { "retry-after": "2" } }];
    const acts = Object.entries(plan).map(([act, answers]) => [
      act,
      act.includes("speak_user_stories#Anna") ? limited : answers,
    ]);
    const id = await start(client.live, { ...body, models: await planModel(Object.fromEntries(acts)) });
    await until("a 429", async () => (await callsOf(id)).some((one) => one.status === 429));
    await sleep(300);
    expect((await verb(id, wish)).body.status).toBe(status);
    const at = Date.now();
    await sleep(7000);
    const late = (await callsOf(id)).filter((one) => one.started_at > at + 100).map((one) => one.act);
    if (wish === "pause") await verb(id, "cancel");
    expect(late).toEqual([]);
  },
  40_000,
);

it("the keeper looks for expired interactions by an index, not at every one there ever was", async () => {
  const { results } = await bindings.DB.prepare(
    "EXPLAIN QUERY PLAN SELECT id FROM interactions WHERE status = 'open' AND expires_at <= 1 ORDER BY expires_at LIMIT 5",
  ).all<any>();
  expect(results.map(({ detail }) => detail).join("; ")).toContain("interactions_open");
});
