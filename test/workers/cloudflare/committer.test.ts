/** The committer in workerd: its callers vanish, it is restarted, and calls to it and of it fail. The laws of commits hold. */
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { type Fault, faultyD1, withFaults } from "../../support/faults";
import { FakeInstance } from "../../support/fake-instance";
import { bindings, makeTenant } from "../../support/parley";
import { rowOf } from "../../support/runs";
import { newToyRun, TOY_ACTION, toyDependencies, toyModel, toyWorkflow } from "../../support/toy-runs";
import { committers } from "#cloudflare/platform";
import { DEFAULT_QUOTAS } from "#core/quotas";
import { StorageUnavailableError } from "#core/unavailable";
import { executeRun } from "#engine/execute-run";
import { availableD1 } from "#store/availability";
import { GroupCommit } from "#store/group-commit";
import { Store } from "#store/store";
import type { Run } from "#workflow-kit/run";

const env = bindings as Env;
let tenant: string;
beforeAll(async () => {
  ({ tenant } = await makeTenant());
});

const committerOf = (name: string) => env.COMMITTERS.get(env.COMMITTERS.idFromName(name));
/** Executes code in the committer of a tenant. */
const inCommitter = <T>(
  name: string,
  work: (object: { groups: Map<string, GroupCommit> }, state: DurableObjectState) => T,
) => (runInDurableObject as any)(committerOf(name), work) as Promise<T>;

const WRITE =
  "INSERT INTO model_capabilities (model, capabilities, learnt_at) VALUES (?, '{}', 0) ON CONFLICT DO NOTHING";
const write = (model: string) => [{ sql: WRITE, values: [model] }];
const written = async (...models: string[]) =>
  (await env.DB.prepare("SELECT COUNT(*) AS n FROM model_capabilities WHERE model IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(models))
    .first<{ n: number }>())!.n;

/** Has the committer of a tenant work on a D1 whose batches fail so; returns the sizes of the batches. */
async function failing(name: string, errorOf: (batch: number) => Fault | Promise<Fault>): Promise<number[]> {
  const batches: number[] = [];
  const db = faultyD1(env.DB, ({ operation }) => {
    batches.push(operation.split("; ").length);
    return errorOf(batches.length);
  });
  await inCommitter(name, (object) => void object.groups.set("DB", new GroupCommit(availableD1(db))));
  return batches;
}

const STEPS = ["1", "2", "3", "4"];
async function twoStages(run: Run): Promise<object> {
  const ask = (key: string) => run.step(TOY_ACTION, {}, { key });
  const first = await run.stage("one", async () => (await run.parallel(STEPS.slice(0, 2), ask)).length);
  return run.stage("two", async () => ({ all: first + (await run.parallel(STEPS.slice(2), ask)).length }));
}

/** Writes a run's row. The maintenance worker leaves the run alone, because a busy machine may let it be silent for long. */
async function newRun(store: Store, of: string): Promise<string> {
  const run_id = await newToyRun(store, of);
  await env.DB.prepare("UPDATE runs SET nudged_at = ? WHERE id = ?")
    .bind(Date.now() + 3_600_000, run_id)
    .run();
  return run_id;
}

/** Executes a run of four steps on the committer; returns how often each step was called, and the steps with an artifact. */
async function executed(of: string, over: Env = env) {
  const store = new Store(env.DB, env.BUCKET, DEFAULT_QUOTAS, committers(over));
  const run_id = await newRun(store, of);
  let calls = 0;
  const llm = toyModel(async () => `answer ${++calls}`);
  await executeRun(
    { run_id, epoch: 1 },
    new FakeInstance().live(),
    toyWorkflow(twoStages),
    toyDependencies({ store, llm }),
  );
  const { phase } = await rowOf(run_id);
  const { rows } = await store.artifacts.list(run_id, {}, 100, null);
  return { phase, calls, artifacts: rows.length };
}
const DONE = { phase: "completed", calls: 4, artifacts: 4 };

it("commits of runs that are active at the same time share batches, and each call is made and stored once", async () => {
  const batches = await failing(tenant, () => "ok");
  const runs = await Promise.all(Array.from({ length: 10 }, () => executed(tenant)));
  expect(runs).toEqual(runs.map(() => DONE));
  // Each run enters two stages and stores two groups of artifacts.
  expect(batches.length).toBeLessThan(40);
});

it.each(["before", "after"] as const)(
  "every third batch fails %s it is executed: no call is made twice, none is lost",
  async (fieldError) => {
    const { tenant: of } = await makeTenant();
    await failing(of, (batch) => (batch % 3 === 0 ? fieldError : "ok"));
    const runs = await Promise.all(Array.from({ length: 6 }, () => executed(of)));
    expect(runs).toEqual(runs.map(() => DONE));
  },
);

it.each(["before", "after"] as const)(
  "every third call of the committer fails %s it arrives: no call is made twice, none is lost",
  async (fieldError) => {
    let calls = 0;
    const over = withFaults(env, ({ binding }) => (binding === "COMMITTERS" && ++calls % 3 === 0 ? fieldError : "ok"));
    const runs = await Promise.all(Array.from({ length: 6 }, () => executed(tenant, over)));
    expect(runs).toEqual(runs.map(() => DONE));
    expect(calls).toBeGreaterThan(20);
  },
);

it("half of a batch's callers are gone: the others get their rows, and what the lost ones sent is written whole", async () => {
  const { tenant: of } = await makeTenant();
  const held = Promise.withResolvers<Fault>();
  await failing(of, (batch) => (batch === 1 ? held.promise : "ok"));
  const first = committers(env)!(of, write(`${of}-first`));
  const lost = (n: number) =>
    (runInDurableObject as any)(
      env.RATE_LIMITS.get(env.RATE_LIMITS.idFromName(`caller ${of} ${n}`)),
      async (_: unknown, state: DurableObjectState) => {
        const call = committers(env)!(of, write(`${of}-lost-${n}`));
        call.catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 50));
        state.abort("the caller crashes");
      },
    ).catch(() => {});
  const staying = [1, 2].map((n) => committers(env)!(of, write(`${of}-staying-${n}`)));
  await Promise.all([lost(1), lost(2)]);
  held.resolve("ok");
  expect(await Promise.all([first, ...staying])).toEqual([{ rows: [[]] }, { rows: [[]] }, { rows: [[]] }]);
  expect(await written(`${of}-first`, `${of}-staying-1`, `${of}-staying-2`)).toBe(3);
  expect(await committers(env)!(of, write(`${of}-after`))).toEqual({ rows: [[]] }); // it continues
});

it("the object is restarted with commits under way: their callers learn that it is unavailable, and repeat them", async () => {
  const { tenant: of } = await makeTenant();
  await failing(of, () => new Promise(() => {})); // D1 never answers
  const cut = ["a", "b"].map((name) => committers(env)!(of, write(`${of}-${name}`)).catch((error: unknown) => error));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await inCommitter(of, (_, state) => state.abort("restarted")).catch(() => {});
  for (const error of await Promise.all(cut)) expect(error).toBeInstanceOf(StorageUnavailableError);
  expect(await written(`${of}-a`, `${of}-b`)).toBe(0);
  await Promise.all(["a", "b"].map((name) => committers(env)!(of, write(`${of}-${name}`))));
  expect(await written(`${of}-a`, `${of}-b`)).toBe(2);
});

it("the object is restarted again and again while runs are active: no call is made twice, none is lost", async () => {
  const { tenant: of } = await makeTenant();
  const ending = new AbortController();
  let restarts = 0;
  const restarting = (async () => {
    while (!ending.signal.aborted) {
      await inCommitter(of, (_, state) => state.abort("restarted")).catch(() => restarts++);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const runs = await Promise.all(Array.from({ length: 6 }, () => executed(of)));
  ending.abort();
  await restarting;
  expect(runs).toEqual(runs.map(() => DONE));
  expect(restarts).toBeGreaterThan(1);
});

it("an instance whose run has a new epoch commits nothing through it", async () => {
  const store = new Store(env.DB, env.BUCKET, DEFAULT_QUOTAS, committers(env));
  const run_id = await newRun(store, tenant);
  const llm = toyModel(async () => {
    await env.DB.prepare("UPDATE runs SET epoch = epoch + 1 WHERE id = ?").bind(run_id).run();
    return "too late";
  });
  await executeRun(
    { run_id, epoch: 1 },
    new FakeInstance().live(),
    toyWorkflow(twoStages),
    toyDependencies({ store, llm }),
  );
  expect((await store.artifacts.list(run_id, {}, 100, null)).rows).toEqual([]);
  expect(await rowOf(run_id)).toMatchObject({ phase: "running", llm_calls: 0 });
});
