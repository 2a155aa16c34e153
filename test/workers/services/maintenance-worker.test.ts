/** The maintenance worker repairs interrupted work: each test writes the rows that D1 had at the moment of the crash. */
import { expect, it } from "vitest";
import { Store } from "#store/store";
import { bindings, planModel, until } from "../../support/parley";
import { type Runs, setUpRuns, rowOf } from "../../support/runs";

const { answer, artifactsOf, client, eventsOf, live, openInteraction, send, start, untilCompleted, untilStatus, verb } =
  setUpRuns();

const store = new Store(bindings.DB, bindings.BUCKET);

it("creates the instance of a run of which only the row was written", async () => {
  const model = await send("POST", "/v1/runs", { workflow: "requirements", input: { idea: "A tool library" } });
  const like = await bindings.DB.prepare("SELECT * FROM runs WHERE id = ?").bind(model.body.id).first<any>();
  const row = {
    id: `run_${"0".repeat(10)}${crypto.randomUUID().replaceAll("-", "").slice(0, 16).toUpperCase()}`,
    tenant_id: client.tenant,
    workflow: "requirements",
    workflow_version: like.workflow_version,
    mode: "test" as const,
    input: JSON.parse(like.input),
    options: JSON.parse(like.options),
    models: JSON.parse(like.models),
    limits: JSON.parse(like.limits),
    metadata: {},
    test: null,
    asks_about: [],
    about: { title: null, excerpt: "" },
    requested_by: null,
    origin: "http://parley.test",
    webhook: null,
  };
  const created = await store.runs.create(row, 1000);
  await untilCompleted(created.row.id);
});

it("wakes a run whose answer was committed and whose wake-up was lost", async () => {
  const id = await start({ options: { reviews: ["requirement_draft"] } });
  const interaction = await openInteraction(id);
  await store.interactions.answer(interaction.id, { answer: { decision: "approve" }, answered_by: null });
  await untilCompleted(id);
});

it("wakes a run whose resume was committed and whose wake-up was lost", async () => {
  const id = await start({ options: { reviews: ["requirement_draft"] } });
  const interaction = await openInteraction(id);
  await verb(id, "pause");
  await answer(interaction, { decision: "approve" });
  await untilStatus(id, "paused");
  await store.runs.setPaused(await rowOf(id), id, false);
  await untilCompleted(id);
});

it("nudges a live run any number of times without a repeated call", async () => {
  const id = await start({ test: { latency_ms: 250 }, options: { qa_rounds: 0 } });
  for (let n = 0; n < 5; n++) {
    await bindings.DB.prepare("UPDATE runs SET heartbeat_at = 0, nudged_at = 0 WHERE id = ?").bind(id).run();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const run = await untilCompleted(id);
  const made = (await artifactsOf(id)).reduce((sum, artifact) => sum + artifact.usage.llm_calls, 0);
  expect(run.usage.llm_calls).toBe(made);
});

/** The data of `run.stalled` for a run whose heartbeat is moved into the past. */
async function stallOf(runs: Pick<Runs<object>, "eventsOf" | "verb">, id: string) {
  await bindings.DB.prepare("UPDATE runs SET heartbeat_at = 1 WHERE id = ?").bind(id).run();
  const stalls = await until("run.stalled", async () => {
    const found = (await runs.eventsOf(id)).filter((event) => event.type === "run.stalled");
    return found.length > 0 && found;
  });
  expect(stalls).toHaveLength(1);
  await runs.verb(id, "cancel");
  return stalls[0].data;
}

it("reports once that a run without heartbeats stalls, with its last step and the platform's status of its instance", async () => {
  const id = await start({ test: { latency_ms: 3000 }, options: { qa_rounds: 0 } });
  await until("its first artifact", async () => (await artifactsOf(id)).length);
  expect(await stallOf({ eventsOf, verb }, id)).toEqual({
    status: "running",
    stage: "elicitation",
    cause: "silent",
    last_heartbeat_at: "1970-01-01T00:00:00.001Z",
    last_step: "elicitation/human_interaction#rough_idea.1",
    last_failure: null,
    instance: "running",
  });
});

it("reports that a run stalls because of its provider's rate limit", async () => {
  const limited = { status: 429, headers: { "retry-after": "15" }, body: { error: { message: "slow down" } } };
  const id = await live.start({ options: { qa_rounds: 0 }, models: await planModel({ "*": [limited] }) });
  await until("a note of the failure", () =>
    bindings.DB.prepare("SELECT 1 FROM runs WHERE id = ? AND last_failure IS NOT NULL").bind(id).first(),
  );
  expect(await stallOf(live, id)).toMatchObject({
    cause: "provider_failing",
    last_failure: { step: expect.stringMatching(/^elicitation\//), code: "provider_rate_limited" },
  });
});

it("removes an object whose row was never written", async () => {
  const key = `${client.tenant}/run_x/art_x`;
  await store.contents.put(key, "x".repeat(100_000));
  expect(await bindings.BUCKET.head(key)).not.toBeNull();
  await bindings.DB.prepare("UPDATE orphans SET due_at = 0 WHERE key = ?").bind(key).run();
  await start({});
  await until("the object is gone", async () => (await bindings.BUCKET.head(key)) === null);
});
