import { expect, test } from "vitest";
import type { Instance } from "#engine/instance/instance";
import { InstanceMemory } from "#engine/durable/memory";
import { StageVisit } from "#engine/durable/stage-visit";

test("all writes of a stage settle before the failure of one is thrown", async () => {
  const memory = {
    run: {
      pause: 0,
      active_ms: 0,
      active_since: null,
      followed: 0 as const,
      owns_keys: 0 as const,
      llm_calls: 0,
      queued_ms: 0,
      outages: "{}",
    },
    artifacts: [],
    interactions: [],
  };
  const key = { stage: "one", iteration: 1, generation: 1 };
  const of = { memory: new InstanceMemory(), stay: { since: Date.now(), acts: 0, heardAt: Date.now() } };
  const visit = new StageVisit({} as Instance, key, Promise.resolve(memory), of);
  let arrive = () => {};
  let ended = false;
  visit.follow(Promise.reject(new Error("the database is away")));
  visit.follow(new Promise((resolve) => (arrive = resolve)));
  const written = visit.written.finally(() => (ended = true));
  written.catch(() => {}); // asserted below
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ended).toBe(false);
  arrive();
  await expect(written).rejects.toThrow("away");
});

test("a visit knows from the last write whether the run's owner has keys for providers, and supposes so before the first", async () => {
  const memory = new InstanceMemory();
  const key = { stage: "one", iteration: 1, generation: 1 };
  const clock = { pause: 0, active_ms: 0, active_since: null, followed: 0 as const };
  const run = { ...clock, owns_keys: 0 as const, llm_calls: 0, queued_ms: 0, outages: "{}" };
  const stored = Promise.resolve({ run, artifacts: [], interactions: [] });
  const visit = new StageVisit({} as Instance, key, stored, {
    memory,
    stay: { since: Date.now(), acts: 0, heardAt: Date.now() },
  });
  expect(visit.ownsKeys).toBe(true);
  await visit.ready;
  expect(visit.ownsKeys).toBe(false);
  visit.observe({ ...clock, owns_keys: 1 });
  expect(visit.ownsKeys).toBe(true);
});
