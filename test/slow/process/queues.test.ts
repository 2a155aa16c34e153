/**
 * The server is killed with SIGKILL while runs wait for a slot of their tenant, and calls wait for a permit of a provider: all continue after
 * the restart, within both limits. The model answers faster than a restart, so it never counts a call of the killed server.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Kill, lostCalls, Served, until } from "../../support/served";

let served: Served;
beforeAll(async () => {
  served = await Served.start({ OPENAI_MAX_CONCURRENCY: "2", MAX_CONCURRENT_RUNS: "5" });
});
afterAll(() => served.close());

const request = {
  workflow: "waterfall",
  input: { requirement: "Count to ten." },
  options: { strategy: "single_agent", clarification: "skip" },
};

it("runs and calls that queue survive a kill, and each finished call was made once", async () => {
  await served.plan(await served.planFromMock(request, 400));
  await served.crowd(2);
  const create = () => served.api("POST", "/v1/runs", served.live_key, request);
  const ids: string[] = (await Promise.all(Array.from({ length: 10 }, create))).map(({ id }) => id);
  const calls = async () => (await Promise.all(ids.map((id) => served.callsOf(id)))).flat();

  const kills: Kill[] = [];
  for (const finished of [1, 5]) {
    await until("calls in flight", async () => {
      const seen = await calls();
      const done = new Set(seen.filter(({ ended_at }) => ended_at !== null).map(({ run }) => run)).size;
      return done >= finished && seen.some(({ ended_at }) => ended_at === null);
    });
    kills.push(await served.kill());
    await served.up();
  }
  for (const id of ids) await served.status(id, "completed");
  const seen = await calls();
  const lost = lostCalls(seen, kills);
  expect(lost.length).toBeGreaterThan(0);
  expect(seen.length - lost.length).toBe(ids.length);
  expect(await served.crowdOf()).toMatchObject({ seen: 2, refused: 0 });
});
