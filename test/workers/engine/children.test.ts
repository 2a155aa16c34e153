/** Child runs: a run starts others and waits for them. The parent is a toy run on a stand-in for the platform, the children are real ones. */
import "#api/http/app"; // extends zod before any schema is made
import { expect, it } from "vitest";
import { FakeInstance, type Life } from "../../support/fake-instance";
import { bindings, call, until } from "../../support/parley";
import { rowOf, setUpRuns } from "../../support/runs";
import { newToyRun, toyDependencies, toyWorkflow } from "../../support/toy-runs";
import { composeServices } from "#cloudflare/compose";
import { executeRun } from "#engine/execute-run";
import type { RunDependencies } from "#engine/instance/instance";
import { createChildren, findReusable, wakeParent } from "#services/runs/create-children";
import { wakeCanceled } from "#services/runs/cancel-run";
import { startNext } from "#services/wake";
import { sweep } from "#services/maintenance/sweep";
import { Store } from "#store/store";
import type { ChildRequest, ChildrenRequest } from "#workflow-kit/children";

const { client, send } = setUpRuns();
const store = new Store(bindings.DB, bindings.BUCKET);
const names = (count: number) => Array.from({ length: count }, (_, index) => `item-${index + 1}`);

/** A run of one call. */
const quick = (settings: Pick<ChildRequest, "test" | "limits" | "options"> = {}): ChildRequest => ({
  workflow: "waterfall",
  input: { requirement: "Count to ten." },
  ...settings,
  options: { strategy: "single_agent", clarification: "skip", ...(settings.options as object) },
});

/** A parent that starts children; its instance receives what the engine and the services send to it. */
async function newParent(given: Partial<ChildrenRequest>, limits: object = {}, deps: Partial<RunDependencies> = {}) {
  const id = await newToyRun(store, client.tenant, { mode: "test", limits });
  // The server's own maintenance worker would create an instance of a workflow that it does not know: it takes the run as nudged.
  await bindings.DB.prepare("UPDATE runs SET nudged_at = ? WHERE id = ?").bind(Number.MAX_SAFE_INTEGER, id).run();
  const instance = new FakeInstance();
  const services = composeServices(bindings as Env);
  const heard: string[] = [];
  const platform = {
    ...services.platform,
    sendEvent: async (run: { id: string; epoch: number }, type: string) => {
      if (run.id !== id) return services.platform.sendEvent(run, type);
      heard.push(type);
      instance.send(type);
      return true;
    },
    createInstance: async (run: { id: string; epoch: number }) => {
      if (run.id !== id) return services.platform.createInstance(run);
    },
    deleteInstances: async () => {},
  };
  const wired = { ...services, platform };
  const workflows = toyWorkflow(async (run) => {
    const ends = await run.stage("one", async () => {
      const { content } = await run.children.run({
        key: "all",
        children: [],
        concurrency: 10,
        request: () => quick(),
        ...given,
      });
      return content;
    });
    const outcomes = await run.stage("two", () => run.children.outcomes(ends.map(({ run_id }) => run_id)));
    return { ends, outcomes };
  });
  const dependencies = toyDependencies({
    children: {
      create: (...args) => createChildren(wired, ...args),
      findReusable: (...args) => findReusable(wired, ...args),
    },
    wakeParent: (parent) => wakeParent(wired, parent),
    startNext: (tenant) => startNext(wired, tenant),
    ...deps,
  });
  let life: Life;
  const live = (epoch = 1) => {
    life = instance.live();
    const of = life;
    void executeRun({ run_id: id, epoch }, of, workflows, dependencies);
  };
  live();
  return {
    id,
    instance,
    heard,
    wired,
    live,
    crash: () => life.end(),
    children: () =>
      bindings.DB.prepare("SELECT * FROM runs WHERE parent_id = ? ORDER BY child_key")
        .bind(id)
        .all<any>()
        .then(({ results }) => results),
    tree: () => bindings.DB.prepare("SELECT * FROM run_trees WHERE run_id = ?").bind(id).first<any>(),
    /** The local server runs the children, and does not know this instance: a sweep with it takes the part of the maintenance worker. */
    untilEnded: () =>
      until("the parent has ended", async () => {
        await sweep(wired, { nudgeAll: false });
        const row = await rowOf(id);
        return row.finished_at !== null && row;
      }),
  };
}

it("starts each child once, waits with one event, and reads what they gave", async () => {
  const parent = await newParent({ children: names(12), concurrency: 3 });
  const row = await parent.untilEnded();
  expect(row.phase).toBe("completed");
  const { ends, outcomes } = JSON.parse(row.output!);
  expect(ends.map(({ key, status }: any) => [key, status])).toEqual(names(12).map((key) => [key, "completed"]));
  expect(outcomes.map(({ key }: any) => key)).toEqual(names(12));
  expect(outcomes[0]).toMatchObject({ output: { accepted: expect.anything() }, usage: { llm_calls: 1 } });
  expect(new Set(parent.heard)).toEqual(new Set(["children_1"]));
  expect(parent.instance.begun.filter((name) => name.startsWith("segment"))).toEqual(["segment", "segment~2"]);
  const children = await parent.children();
  expect(children).toHaveLength(12);
  const sum = (column: string) => children.reduce((total, child) => total + child[column], 0);
  expect(await parent.tree()).toMatchObject({
    total: 12,
    completed: 12,
    waiting: 0,
    active: 0,
    llm_calls: sum("llm_calls"),
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    reserved_calls: 0,
  });
});

it("never has more children under way than its concurrency, and lends its own slot", async () => {
  await bindings.DB.prepare("UPDATE tenants SET max_concurrent_runs = 1 WHERE id = ?").bind(client.tenant).run();
  try {
    const parent = await newParent({
      children: names(4),
      concurrency: 2,
      request: () => quick({ test: { latency_ms: 60 } }),
    });
    let most = 0;
    const row = await until("the parent has ended", async () => {
      most = Math.max(most, (await parent.tree())?.active ?? 0);
      await sweep(parent.wired, { nudgeAll: false });
      const found = await rowOf(parent.id);
      return found.finished_at !== null && found;
    });
    expect(row.phase).toBe("completed");
    expect(most).toBe(1); // the tenant's cap is lower than the concurrency
  } finally {
    await bindings.DB.prepare("UPDATE tenants SET max_concurrent_runs = NULL WHERE id = ?").bind(client.tenant).run();
  }
});

it("a crash between storing and waiting starts no child twice", async () => {
  let crashes = 0;
  const parent = await newParent(
    { children: names(5) },
    {},
    {
      startNext: async () => {
        if (crashes++ === 0) {
          parent.crash();
          parent.live();
        }
      },
    },
  );
  const row = await parent.untilEnded();
  expect(row.phase).toBe("completed");
  expect(await parent.children()).toHaveLength(5);
});

it("retries a failed child as often as it is told, and names its error then", async () => {
  const failing = quick({ test: { faults: { llm: ["refusal", "refusal", "refusal", "refusal"] } } });
  const parent = await newParent({
    children: ["good", "bad"],
    retries: 1,
    request: (key) => (key === "bad" ? failing : quick()),
  });
  const row = await parent.untilEnded();
  const { ends } = JSON.parse(row.output!);
  expect(ends[0]).toMatchObject({ key: "good", status: "completed", error: null });
  expect(ends[1]).toMatchObject({
    key: "bad",
    status: "failed",
    error: { code: expect.any(String), detail: expect.any(String) },
  });
  expect((await parent.children()).map(({ child_key, epoch }) => [child_key, epoch])).toEqual([
    ["bad", 2],
    ["good", 1],
  ]);
});

it("children count towards the limits of their parent", async () => {
  const parent = await newParent({ children: names(6), concurrency: 1 }, { max_llm_calls: 4 });
  const row = await parent.untilEnded();
  const { ends } = JSON.parse(row.output!);
  expect(ends.filter(({ status }: any) => status === "completed")).toHaveLength(4);
  expect(ends.find(({ status }: any) => status === "failed").error).toMatchObject({
    code: "parent_budget_exceeded",
  });
  expect((await parent.tree()).llm_calls).toBe(4);
});

it("cancel, pause and resume reach the children, and delete removes them", async () => {
  const parent = await newParent({ children: names(3), request: () => quick({ test: { latency_ms: 60_000 } }) });
  await until("they run", async () => (await parent.tree())?.active === 3);
  expect((await send("POST", `/v1/runs/${parent.id}/pause`)).status).toBe(200);
  expect((await parent.children()).map(({ paused }) => paused)).toEqual([1, 1, 1]);
  expect((await send("POST", `/v1/runs/${parent.id}/resume`)).status).toBe(200);
  expect((await parent.children()).map(({ paused }) => paused)).toEqual([0, 0, 0]);
  const [child] = await parent.children();
  expect((await send("DELETE", `/v1/runs/${child.id}`)).status).toBe(409);
  const canceled = await send("POST", `/v1/runs/${parent.id}/cancel`);
  expect(canceled.body).toMatchObject({ status: "canceled", children: { total: 3, canceled: 3, running: 0 } });
  expect((await parent.children()).map(({ phase }) => phase)).toEqual(["canceled", "canceled", "canceled"]);
  expect((await send("DELETE", `/v1/runs/${parent.id}`)).status).toBe(204);
  expect((await send("GET", `/v1/runs/${child.id}`)).status).toBe(404);
  await until("the children are removed", async () => {
    await sweep(parent.wired, { nudgeAll: false });
    return (await parent.children()).length === 0;
  });
  const left = await bindings.DB.prepare(
    "SELECT (SELECT COUNT(*) FROM run_trees WHERE run_id = ?1) + (SELECT COUNT(*) FROM removed_parents WHERE id = ?1) AS n",
  )
    .bind(parent.id)
    .first<number>("n");
  expect(left).toBe(0);
});

it("a question of a child appears under its parent, and its answer lets both continue", async () => {
  const asking: ChildRequest = {
    workflow: "requirements",
    input: { idea: "An app that counts to ten." },
    options: { reviews: ["requirement_draft"], qa_rounds: 0 },
  };
  const parent = await newParent({ children: ["one"], request: () => asking });
  const shown = await until("the question is open", async () => {
    const { body } = await send("GET", `/v1/runs/${parent.id}`);
    return body.interactions.length === 1 && body;
  });
  expect(shown.children).toMatchObject({ total: 1, input_required: 1 });
  const listed = await send("GET", `/v1/interactions?run_id=${parent.id}`);
  expect(listed.body.data.map(({ id }: any) => id)).toEqual(shown.interactions);
  const { body } = await send("GET", `/v1/runs/${parent.id}/events`);
  expect(body.data.find(({ type }: any) => type === "run.input_required").data).toMatchObject({
    interaction_id: shown.interactions[0],
    child_id: (await parent.children())[0].id,
  });
  await send("POST", `/v1/interactions/${shown.interactions[0]}/reassign`, { name: "Ada" });
  const { body: later } = await send("GET", `/v1/runs/${parent.id}/events`);
  expect(later.data.find(({ type }: any) => type === "run.input_reassigned").data).toMatchObject({
    interaction_id: shown.interactions[0],
    child_id: (await parent.children())[0].id,
    assignee: { name: "Ada", email: null },
  });
  const answered = await send("POST", `/v1/interactions/${shown.interactions[0]}/answer`, { decision: "approve" });
  expect(answered.status).toBe(200);
  expect((await parent.untilEnded()).phase).toBe("completed");
});

it("lists show children only when they are asked for", async () => {
  const parent = await newParent({ children: names(2) });
  await parent.untilEnded();
  const all = await send("GET", "/v1/runs?limit=100");
  expect(all.body.data.filter(({ parent_id }: any) => parent_id !== null)).toEqual([]);
  const children = await send("GET", `/v1/runs?parent_id=${parent.id}`);
  expect(children.body.data.map(({ parent_id }: any) => parent_id)).toEqual([parent.id, parent.id]);
});

it("a request that is refused fails the parent, and names the child and its errors", async () => {
  const parent = await newParent({
    children: ["fine", "wrong"],
    request: (key) => (key === "wrong" ? { workflow: "waterfall", input: { nothing: 1 } } : quick()),
  });
  const row = await parent.untilEnded();
  expect(JSON.parse(row.error!)).toMatchObject({
    code: "validation_failed",
    detail: expect.stringContaining('"wrong"'),
  });
  expect(await parent.children()).toEqual([]);
});

it("a retried parent queues its canceled children again and pays no finished one twice", async () => {
  const parent = await newParent({
    children: names(3),
    concurrency: 1,
    request: (key) => quick({ test: { latency_ms: key === "item-1" ? 0 : 30_000 } }),
  });
  await until("one is done", async () => (await parent.tree())?.completed === 1);
  await send("POST", `/v1/runs/${parent.id}/cancel`);
  const change = { from_stage: null, limits: null, workflow_version: 1 };
  expect(await store.runs.retry({ tenant_id: client.tenant, mode: "test" }, parent.id, change)).not.toBeNull();
  const children = await parent.children();
  expect(children.map(({ phase }) => phase)).toEqual(["completed", "queued", "queued"]);
  expect(children.map(({ epoch }) => epoch)).toEqual([1, 3, 3]);
  await send("POST", `/v1/runs/${parent.id}/cancel`);
});

it("a parent that ends wakes the children that it cancels: one that asks a person, and one that is paused", async () => {
  const id = await newToyRun(store, client.tenant, { mode: "test" });
  await bindings.DB.prepare("UPDATE runs SET nudged_at = ? WHERE id = ?").bind(Number.MAX_SAFE_INTEGER, id).run();
  const services = composeServices(bindings as Env);
  const owner = { tenant_id: client.tenant, mode: "test" } as const;
  const group = { run_id: id, epoch: 1, name: "one/start_children#all@1" };
  const input = { idea: "An app that counts to ten." };
  const options = { reviews: ["requirement_draft"], qa_rounds: 0 };
  const wanted = [
    { key: "asks", request: { workflow: "requirements", input, options } },
    { key: "paused", request: quick({ test: { latency_ms: 60_000 } }) },
  ];
  await createChildren(services, group, { owner, slots: 2 }, wanted);
  await startNext(services, client.tenant);
  const children = async () =>
    (await bindings.DB.prepare("SELECT * FROM runs WHERE parent_id = ? ORDER BY child_key").bind(id).all<any>())
      .results;
  const [asks, paused] = await until("one asks, and the other runs", async () => {
    const rows = await children();
    return rows[0].open_interactions === 1 && rows[1].phase === "running" && rows;
  });
  await store.runs.setPaused(owner, paused.id, true);
  const woken: string[] = [];
  const platform = {
    ...services.platform,
    sendEvent: async (run: { id: string; epoch: number }, type: string) =>
      woken.push(`${run.id} ${run.epoch} ${type}`) > 0,
  };
  const dependencies = toyDependencies({
    wakeCanceled: (canceled) => wakeCanceled({ ...services, platform }, canceled),
  });
  const done = toyWorkflow(async () => ({ accepted: true, stop_reason: "x" }));
  await executeRun({ run_id: id, epoch: 1 }, new FakeInstance().live(), done, dependencies);
  expect((await children()).map(({ phase }) => phase)).toEqual(["canceled", "canceled"]);
  const { id: question } = (await bindings.DB.prepare("SELECT id FROM interactions WHERE run_id = ?")
    .bind(asks.id)
    .first<any>())!;
  expect(woken.toSorted()).toEqual([`${asks.id} 1 ${question}`, `${paused.id} 1 resume_1`].toSorted());
});

it("a parent retried from the stage of its children starts new ones, and leaves the canceled ones", async () => {
  const parent = await newParent({
    children: names(3),
    concurrency: 1,
    request: (key) => quick({ test: { latency_ms: key === "item-1" ? 0 : 30_000 } }),
  });
  await until("one is done", async () => (await parent.tree())?.completed === 1);
  await send("POST", `/v1/runs/${parent.id}/cancel`);
  const owner = { tenant_id: client.tenant, mode: "test" } as const;
  const phases = async () => (await parent.children()).map(({ phase }) => phase);
  const change = { limits: null, workflow_version: 1 };
  expect(await store.runs.retry(owner, parent.id, { ...change, from_stage: "one" })).toMatchObject({ generation: 2 });
  expect(await phases()).toEqual(["completed", "canceled", "canceled"]);
  await send("POST", `/v1/runs/${parent.id}/cancel`);
  expect(await store.runs.retry(owner, parent.id, { ...change, from_stage: null })).toMatchObject({ generation: 2 });
  expect(await phases()).toEqual(["completed", "canceled", "canceled"]);
  await send("POST", `/v1/runs/${parent.id}/cancel`);
});

it("children that a paused parent stores are paused until it is resumed", async () => {
  const id = await newToyRun(store, client.tenant, { mode: "test" });
  const owner = { tenant_id: client.tenant, mode: "test" } as const;
  await store.runs.setPaused(owner, id, true);
  const group = { run_id: id, epoch: 1, name: "one/start_children#all@1" };
  const wanted = names(2).map((key) => ({ key, request: quick() }));
  const services = composeServices(bindings as Env);
  await createChildren(services, group, { owner, slots: 2 }, wanted);
  await startNext(services, client.tenant);
  const children = async () =>
    (await bindings.DB.prepare("SELECT status, pauses FROM runs WHERE parent_id = ?").bind(id).all<any>()).results;
  expect(await children()).toEqual([
    { status: "paused", pauses: 1 },
    { status: "paused", pauses: 1 },
  ]);
  expect((await send("POST", `/v1/runs/${id}/resume`)).status).toBe(200);
  await until("they have ended", async () => (await children()).every(({ status }) => status === "completed"));
  await send("POST", `/v1/runs/${id}/cancel`);
});

it("a cancel and retry of the parent leave its children their own retries", async () => {
  const id = await newToyRun(store, client.tenant, { mode: "test" });
  const owner = { tenant_id: client.tenant, mode: "test" } as const;
  const group = { run_id: id, epoch: 1, name: "one/start_children#all@1" };
  const wanted = [{ key: "one", request: quick({ test: { latency_ms: 60_000 } }) }];
  await createChildren(composeServices(bindings as Env), group, { owner, slots: 1 }, wanted);
  await store.runs.cancel(owner, id);
  const change = { from_stage: null, limits: null, workflow_version: 1 };
  const { epoch } = (await store.runs.retry(owner, id, change))!;
  const failAndRetry = async () => {
    const error = JSON.stringify({ code: "output_invalid" });
    await bindings.DB.prepare("UPDATE runs SET phase = 'failed', error = ?2, finished_at = 1 WHERE parent_id = ?1")
      .bind(id, error)
      .run();
    return store.children.retryFailed({ ...group, epoch }, 1);
  };
  expect(await failAndRetry()).toBeGreaterThan(0);
  expect(await failAndRetry()).toBe(0);
  await send("POST", `/v1/runs/${id}/cancel`);
});

it("the maintenance worker does not wake for the age of a child whose parent is kept", async () => {
  const parent = await newParent({
    children: names(2),
    request: (key) => quick({ test: { latency_ms: key === "item-1" ? 0 : 30_000 } }),
  });
  await until("one is done", async () => (await parent.tree())?.completed === 1);
  await bindings.DB.prepare("UPDATE runs SET finished_at = 1 WHERE parent_id = ? AND phase = 'completed'")
    .bind(parent.id)
    .run();
  expect(await store.maintenance.firstEnd()).not.toBe(1);
  expect(await store.maintenance.endedBefore(2, 10)).toEqual([]);
  await send("POST", `/v1/runs/${parent.id}/cancel`);
});

it("a child cannot start children", async () => {
  const parent = await newParent({ children: ["one"], request: () => quick({ test: { latency_ms: 60_000 } }) });
  const [child] = await until("it is stored", async () => {
    const children = await parent.children();
    return children.length === 1 && children;
  });
  const group = { run_id: child.id, epoch: child.epoch, name: "x" };
  await expect(
    createChildren(parent.wired, group, { owner: { tenant_id: client.tenant, mode: "test" }, slots: 1 }, [
      { key: "a", request: quick() },
    ]),
  ).rejects.toThrow(/was started by a run/);
  await call("POST", `/v1/runs/${parent.id}/cancel`, { key: client.test });
});

it("a run reads what its own children gave, and reusable runs of its owner, and nothing else", async () => {
  const request = (key: string) => ({ ...quick(), ...(key === "reusable" && { repetition: 0 }) });
  const parent = await newParent({ children: ["reusable", "own"], request });
  await parent.untilEnded();
  const ids = (await parent.children()).map(({ id }) => id);
  const artifacts = (await Promise.all(ids.map((id) => store.artifacts.list(id, {}, 1, null)))).map(
    ({ rows }) => rows[0]!,
  );
  const owner = { tenant_id: client.tenant, mode: "test" } as const;
  const readBy = async (reader: Parameters<typeof store.children.outcomes>[0]) => [
    (await store.children.outcomes(reader, ids)).map(({ key }) => key),
    (
      await store.children.artifacts(
        reader,
        artifacts.map(({ id, run_id }) => ({ run_id, artifact_id: id })),
      )
    ).length,
  ];
  expect(await readBy({ ...owner, run_id: parent.id })).toEqual([["own", "reusable"], 2]);
  expect(await readBy({ ...owner, run_id: "run_another" })).toEqual([["reusable"], 1]);
  expect(await readBy({ ...owner, mode: "live", run_id: parent.id })).toEqual([[], 0]);
  expect(await readBy({ tenant_id: "ten_another", mode: "test", run_id: parent.id })).toEqual([[], 0]);
});

it("an earlier run stands for one of two equal children alone", async () => {
  const request = () => ({ ...quick({ limits: { max_llm_calls: 77 } }), repetition: 0 });
  const parent = await newParent({ children: ["one"], request });
  await parent.untilEnded();
  const [child] = await parent.children();
  const owner = { tenant_id: client.tenant, mode: "test" } as const;
  const wanted = ["a", "b"].map((key) => ({ key, request: request() }));
  expect(await findReusable(parent.wired, owner, wanted)).toEqual([{ key: "a", run_id: child.id }]);
});

it("an equal child of an earlier run is found, unless it failed or its parent was removed", async () => {
  const failing = quick({ test: { faults: { llm: ["refusal", "refusal", "refusal", "refusal"] } } });
  const request = (key: string) => ({ ...(key === "bad" ? failing : quick()), repetition: 0 });
  const parent = await newParent({ children: ["good", "bad"], request });
  await parent.untilEnded();
  const owner = { tenant_id: client.tenant, mode: "test" } as const;
  const wanted = ["good", "bad"].map((key) => ({ key, request: request(key) }));
  const [bad, good] = await parent.children();
  expect(bad).toMatchObject({ child_key: "bad", phase: "failed" });
  const found = await findReusable(parent.wired, owner, wanted);
  expect(found.map(({ key }) => key)).toEqual(["good"]);
  expect((await rowOf(found[0]!.run_id)).reuse_key).toBe(good.reuse_key);
  expect((await send("DELETE", `/v1/runs/${parent.id}`)).status).toBe(204);
  const later = await findReusable(parent.wired, owner, wanted);
  expect(later.map(({ run_id }) => run_id)).not.toContain(good.id);
});
