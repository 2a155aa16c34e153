import { expect, test } from "vitest";
import { Queueing } from "#engine/durable/queueing";
import { StageVisit } from "#engine/durable/stage-visit";

test("what a stage has begun to write has all settled before the failure of some of it is thrown", async () => {
  const memory = {
    run: { pause: 0, active_ms: 0, active_since: null, llm_calls: 0, queued_ms: 0 },
    artifacts: [],
    interactions: [],
  };
  const key = { stage: "one", iteration: 1, generation: 1 };
  const unlimited = { max_llm_calls: null, max_tokens: null, max_cost_usd: null, timeout: null };
  const segment = new StageVisit(key, Promise.resolve(memory), unlimited, 0, new Queueing(), async () => []);
  let arrive = () => {};
  let ended = false;
  segment.follow(Promise.reject(new Error("the database is away")));
  segment.follow(new Promise((resolve) => (arrive = resolve)));
  const written = segment.written.finally(() => (ended = true));
  written.catch(() => {}); // looked at below
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ended).toBe(false);
  arrive();
  await expect(written).rejects.toThrow("away");
});
