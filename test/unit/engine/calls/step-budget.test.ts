import { expect, test } from "vitest";
import { StepBudget } from "#engine/calls/step-budget";
import { InstanceMemory } from "#engine/durable/memory";
import { reservationQueue } from "#engine/durable/reservation-queue";
import type { StageExecution } from "#engine/durable/stage-execution";
import { SuspendSignal } from "#engine/instance/signals";

const ESTIMATE = { calls: 1 as const, tokens: 100, cost_usd: null };

/** Reserves in a new execution of the stage, as after each wait. @returns milliseconds of the wait; null: it is reserved */
function reserver() {
  const answers: { current: unknown } = { current: "parent_is_busy" };
  const memory = new InstanceMemory();
  const instance = {
    run_id: "run_1",
    epoch: 1,
    spec: {
      limits: { max_llm_calls: null, max_tokens: null, max_cost_usd: null },
      parent: { id: "run_0", limited: true },
    },
    deps: { store: { reservations: { reserve: async () => answers.current, recordUsage: async () => {} } } },
  };
  const reserve = async () => {
    const stage = { instance, memory, reservations: reservationQueue() } as unknown as StageExecution;
    try {
      await new StepBudget(stage, "one/draft#1", "writer").reserve("openai/x", ESTIMATE);
      return null;
    } catch (error) {
      const { suspension } = error as SuspendSignal;
      return suspension.why === "later" ? suspension.ms : Number.NaN;
    }
  };
  return { reserve, answers };
}

test("a request that waits for its parent's other children waits longer each time, within a bound", async () => {
  const { reserve, answers } = reserver();
  const waits: number[] = [];
  for (let nth = 1; nth <= 60; nth++) waits.push((await reserve())!);
  const full = (nth: number) => Math.min(2000 * 2 ** nth, 120_000);
  for (const [nth, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(full(nth) / 2);
    expect(wait).toBeLessThanOrEqual(full(nth));
  }
  answers.current = { share: 0, parent_share: 0 };
  expect(await reserve()).toBeNull();
  answers.current = "parent_is_busy";
  expect(await reserve()).toBeLessThanOrEqual(2000);
});
