import { expect, test } from "vitest";
import type { Instance } from "#engine/instance/instance";
import { InstanceMemory } from "#engine/durable/memory";
import { StageExecution } from "#engine/durable/stage-execution";
import { StageWrites } from "#engine/durable/stage-writes";

const instance = { spec: {}, deps: {} } as Instance;

test("all writes of a stage settle before the failure of one is thrown", async () => {
  const writes = new StageWrites(instance, Promise.resolve(), null);
  let arrive = () => {};
  let ended = false;
  writes.track(Promise.reject(new Error("the database is away")));
  writes.track(new Promise<void>((resolve) => (arrive = resolve)));
  const drained = writes.drain().finally(() => (ended = true));
  drained.catch(() => {}); // asserted below
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ended).toBe(false);
  arrive();
  await expect(drained).rejects.toThrow("away");
});

test("a stage knows from the last write whether the run's owner has keys for providers, and supposes so before the first", async () => {
  const memory = new InstanceMemory();
  const key = { stage: "one", iteration: 1, generation: 1 };
  const clock = { pause: 0, active_ms: 0, active_since: null, followed: 0 as const };
  const run = { ...clock, owns_keys: 0 as const, llm_calls: 0, queued_ms: 0, outages: "{}" };
  const stored = Promise.resolve({ run, artifacts: [], interactions: [] });
  const stage = new StageExecution(instance, memory, key, stored, {
    segment: { startedAt: Date.now(), steps: 0, lastCheckedAt: Date.now() },
    previous: null,
  });
  expect(memory.ownsKeys).toBe(true);
  await stage.entered;
  expect(memory.ownsKeys).toBe(false);
  stage.observe({ ...clock, owns_keys: 1 });
  expect(memory.ownsKeys).toBe(true);
});
