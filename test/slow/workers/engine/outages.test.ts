/** Storage that is away fails no run: work waits inside its step, and continues within a minute of the return. Only bugs use attempts up. */
import { beforeAll, describe, expect, it } from "vitest";
import { rowOf } from "../../../support/runs";
import type { Clock } from "#engine/instance/instance";
import { executeRun } from "#engine/execute-run";
import { LlmError } from "#llm";
import { Store } from "#store/store";
import type { Run } from "#workflow-kit/run";
import { FakeInstance } from "../../../support/fake-instance";
import { type Decide, type Fault, withFaults } from "../../../support/faults";
import { bindings, makeTenant, until } from "../../../support/parley";
import { newToyRun, TOY_ACTION, toyDependencies, toyModel, toyWorkflow } from "../../../support/toy-runs";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Stored in R2. */
const LARGE = "word ".repeat(20_000);

let tenant: string;
beforeAll(async () => {
  ({ tenant } = await makeTenant());
});

/** Time that passes only while work waits for storage. Six hours must take less than the maintenance worker needs to miss the run's heartbeat. */
class FastClock implements Clock {
  private ms = 0;
  private sleeps = 0;
  now = (): number => this.ms;
  sleep = async (ms: number): Promise<void> => {
    this.ms += ms;
    if (++this.sleeps % 50 === 0) await new Promise((resolve) => setTimeout(resolve));
  };
}

async function twoStages(run: Run): Promise<object> {
  const ask = (key: string) => run.step(TOY_ACTION, {}, { key });
  const first = await run.stage("one", async () => {
    const [a] = await run.parallel(["1", "2"], ask);
    return a!.id;
  });
  return run.stage("two", async () => ({
    first,
    read: (await run.read([{ artifact_id: first } as never])).length,
    last: (await ask("3")).id,
  }));
}

interface Outage {
  binding: "DB" | "BUCKET";
  /** The call to the binding with which it begins. */
  at: number;
  ms: number;
  fault: Fault;
}

/** Executes a run through an outage; returns how it ended. */
async function runThrough(outage: Outage | null) {
  const clock = new FastClock();
  let calls = 0;
  let end = 0;
  const decide: Decide = ({ binding }) => {
    if (!outage || binding !== outage.binding) return "ok";
    if (calls++ === outage.at) end = clock.now() + outage.ms;
    return clock.now() < end ? outage.fault : "ok";
  };
  const healthy = new Store(bindings.DB, bindings.BUCKET);
  const run_id = await newToyRun(healthy, tenant);
  const env = withFaults(bindings as Env, decide);
  let asked = 0;
  const deps = toyDependencies({
    store: new Store(env.DB, env.BUCKET),
    llm: toyModel(async () => (asked++, LARGE)),
    clock,
  });
  const instance = new FakeInstance();
  await executeRun({ run_id, epoch: 1 }, instance.live(), toyWorkflow(twoStages), deps);
  const row = await rowOf(run_id);
  return {
    phase: row.phase,
    error: row.error,
    asked,
    steps: instance.begun.length,
    late_ms: Math.max(0, clock.now() - end),
    begun: end > 0,
  };
}

describe.each(["DB", "BUCKET"] as const)("while %s is away", (binding) => {
  const outages = [10 * SECOND, MINUTE, 10 * MINUTE].flatMap((ms) =>
    (["before", "after"] as const).map((fault) => ({ binding, ms, fault })),
  );

  it.each(outages)(
    "for $ms ms ($fault), from any call on: the run completes within a minute of the return",
    async (outage) => {
      let at = 0;
      for (; ; at++) {
        const { begun, asked, ...ended } = await runThrough({ ...outage, at });
        if (!begun) break;
        expect({ at, ...ended }).toMatchObject({ phase: "completed", error: null });
        expect(ended.late_ms).toBeLessThan(MINUTE);
        expect(ended.steps).toBeLessThanOrEqual(6);
        if (outage.ms < 5 * MINUTE) expect({ at, asked }).toEqual({ at, asked: 3 }); // no paid call is lost
      }
      expect(at).toBeGreaterThan(2);
    },
  );

  it.each([0, 1, 4])(
    "for six hours from call %i on: the run completes, and uses a step for each ten minutes",
    async (at) => {
      const ended = await runThrough({ binding, ms: 6 * HOUR, fault: "before", at });
      expect(ended).toMatchObject({ begun: true, phase: "completed", error: null });
      expect(ended.late_ms).toBeLessThan(MINUTE);
      expect(ended.steps).toBeLessThanOrEqual(6 + (6 * HOUR) / (9 * MINUTE));
    },
  );
});

it("a bug in a statement is not waited for, and fails the run after five attempts", async () => {
  const clock = new FastClock();
  const store = new Store(bindings.DB, bindings.BUCKET);
  const run_id = await newToyRun(store, tenant);
  let attempts = 0;
  store.instances.enterStage = () => {
    attempts++;
    return bindings.DB.prepare("SELECT * FROM vault").first() as never;
  };
  const deps = toyDependencies({ store, llm: toyModel(async () => "x"), clock });
  await executeRun({ run_id, epoch: 1 }, new FakeInstance().live(), toyWorkflow(twoStages), deps);
  const row = await rowOf(run_id);
  expect([row.phase, JSON.parse(row.error!).code]).toEqual(["failed", "internal_error"]);
  expect(attempts).toBe(5);
  expect(clock.now()).toBe(0);
});

describe("a run's timeout does not count", () => {
  const store = new Store(bindings.DB, bindings.BUCKET);
  const timedRun = async () => {
    const id = await newToyRun(store, tenant, { limits: { provider_wait: "1h" } });
    await bindings.DB.prepare("UPDATE runs SET limits = json_set(limits, '$.timeout', '30m') WHERE id = ?")
      .bind(id)
      .run();
    return id;
  };
  /** Moves what D1 knows of a run into the past, as if so much time had passed since. */
  const age = (id: string, ms: number, columns: readonly string[]) =>
    bindings.DB.prepare(`UPDATE runs SET ${columns.map((name) => `${name} = ${name} - ?2`).join(", ")} WHERE id = ?1`)
      .bind(id, ms)
      .run();
  const phaseOf = async (id: string) => (await rowOf(id)).phase;

  it("the hours in which the platform was down", async () => {
    const id = await timedRun();
    const instance = new FakeInstance();
    const deps = toyDependencies({ store, llm: toyModel(async () => "x") });
    let calls = 0;
    const deaf = toyModel(async () => (++calls <= 2 ? "x" : new Promise<never>(() => {})));
    const life = instance.live();
    void executeRun({ run_id: id, epoch: 1 }, life, toyWorkflow(twoStages), { ...deps, llm: deaf });
    await until("the second stage has begun", async () => (await rowOf(id)).stage === "two");
    life.end();
    await age(id, 6 * HOUR, ["heartbeat_at", "active_since"]);
    await executeRun({ run_id: id, epoch: 1 }, instance.live(), toyWorkflow(twoStages), deps);
    expect(await phaseOf(id)).toBe("completed");
  });

  it("the wait that a provider asked for", async () => {
    const id = await timedRun();
    let refused = false;
    const llm = toyModel(async () => {
      if (refused) return "x";
      refused = true;
      throw new LlmError("provider_rate_limited", "wait", { retryable: true, retry_after_ms: 50 * MINUTE });
    });
    const instance = new FakeInstance();
    let aged: Promise<unknown> = Promise.resolve();
    const clock = new FastClock();
    const onSleep = (ms: number) => {
      void clock.sleep(ms);
      aged = age(id, ms, ["heartbeat_at", "active_since"]);
    };
    const deps = toyDependencies({ store, llm, clock });
    const workflow = toyWorkflow(async (run) => {
      await run.stage("one", () => run.step(TOY_ACTION, {}));
      await aged;
      await run.stage("two", () => run.step(TOY_ACTION, {}));
      return { accepted: true, stop_reason: "x" };
    });
    await executeRun({ run_id: id, epoch: 1 }, instance.live({ onSleep }), workflow, deps);
    expect(refused).toBe(true);
    expect(await phaseOf(id)).toBe("completed");
  });
});
