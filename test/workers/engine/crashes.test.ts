/** A run that ends its process each time is given up; one that gets on, or ends its segment in order, is not. */
import { expect, it } from "vitest";
import { FakeInstance } from "../../support/fake-instance";
import { bindings, until } from "../../support/parley";
import { tenantOfFile, rowOf } from "../../support/runs";
import { newToyRun, toyDependencies, toyWorkflow } from "../../support/toy-runs";
import { StorageUnavailableError } from "#core/unavailable";
import { executeRun } from "#engine/execute-run";
import type { RunDependencies } from "#engine/instance/instance";
import { Store } from "#store/store";

const client = tenantOfFile();
const store = new Store(bindings.DB, bindings.BUCKET);

/** A run whose step ends the process, until it is disarmed. */
async function crashingRun() {
  const id = await newToyRun(store, client.tenant);
  const instance = new FakeInstance();
  let reached = 0;
  let isHarmless = false;
  const workflows = toyWorkflow(async (run) => {
    await run.stage("one", async () => {
      await run.compute({ action: "deadly", role: "r", kind: "note" }, async () => {
        reached++;
        if (!isHarmless) await new Promise(() => {});
        return { note: "alive" };
      });
    });
    return { accepted: true, stop_reason: "x" };
  });
  const rests: number[] = [];
  const start = (given: Partial<RunDependencies> = {}) => {
    const life = instance.live({ onSleep: (ms) => rests.push(ms) });
    void executeRun({ run_id: id, epoch: 1 }, life, workflows, toyDependencies(given));
    return life;
  };
  /** Starts the instance, and ends it in the middle of the step, as the end of its process does. */
  const crash = async () => {
    const before = reached;
    const life = start();
    await until("the deadly step has begun", async () => reached > before);
    life.end();
  };
  return { id, start, crash, rests, reached: () => reached, disarm: () => (isHarmless = true) };
}

const startsOf = async (id: string) => (await rowOf(id)).unended_starts;

it("a step that ends the process three times fails its run, which names the place, and is not started a fourth time", async () => {
  const run = await crashingRun();
  await run.crash();
  await run.crash();
  expect(run.rests).toEqual([]);
  await run.crash(); // after a rest
  expect(run.rests).toHaveLength(1);
  expect(run.rests[0]).toBeLessThanOrEqual(60_000);
  run.start();
  await until("the run is given up", async () => (await rowOf(run.id)).phase === "failed");
  expect(run.reached()).toBe(3);
  expect(JSON.parse((await rowOf(run.id)).error!)).toMatchObject({
    code: "run_crashed",
    detail: expect.stringContaining("in the stage one"),
  });
});

it("a run that gets on after a crash is at its first start again", async () => {
  const run = await crashingRun();
  await run.crash();
  await run.crash();
  expect(await startsOf(run.id)).toBe(2);
  run.disarm();
  run.start();
  await until("the run has completed", async () => (await rowOf(run.id)).phase === "completed");
  expect(await startsOf(run.id)).toBe(0);
});

it("a segment that ends in order, such as for a pause, is no crash", async () => {
  const run = await crashingRun();
  await run.crash();
  await run.crash();
  await bindings.DB.prepare("UPDATE runs SET paused = 1, pauses = 1 WHERE id = ?").bind(run.id).run();
  run.start();
  await until("the run is suspended", async () => (await startsOf(run.id)) === 0);
  expect(run.rests).toEqual([]);
});

it("storage that fails while the run begins is no crash, however often it is asked", async () => {
  const run = await crashingRun();
  run.disarm();
  let refusals = 6;
  const failing = new Proxy(store, {
    get: (target, name) =>
      name === "runs"
        ? new Proxy(target.runs, {
            get: (runs, verb) =>
              verb === "input" && refusals-- > 0
                ? () => Promise.reject(new StorageUnavailableError("R2", "away"))
                : Reflect.get(runs, verb).bind(runs),
          })
        : Reflect.get(target, name),
  });
  run.start({ store: failing, clock: { now: Date.now, sleep: async () => {} } });
  await until("the run has completed", async () => (await rowOf(run.id)).phase === "completed");
});
