/** A program replays identically over its stored outcomes, in their order, from any point at which it was interrupted. */
import { describe, expect, it } from "vitest";
import type { AgentCall, CallOutcome } from "#agents/sandbox/program";
import { runProgram } from "#agents/sandbox/run-program";
import { Agents, keyOf, main, run } from "../../support/sandbox";

const PATHS: Record<string, string> = {
  "Promise.race, whose winner decides what is called next": `
    const first = await Promise.race(["a", "b", "c"].map((task) => agents.call("racer", task)));
    return [first, await agents.call("writer", "after " + first), Math.random()];`,
  "results pushed in the order of completion": `
    const order = [];
    await Promise.all([1, 2, 3, 4, 5].map(async (n) => {
      order.push(await agents.call("writer", "part " + n, { n }));
      if (order.length === 3) order.push(await agents.call("critic", order.join()));
    }));
    return order;`,
  "Promise.all with failures": `
    try {
      return await Promise.all([agents.call("writer", "a"), agents.call("bad", "b"), agents.call("bad", "c"), agents.call("writer", "d")]);
    } catch (error) {
      return [error.name, error.message, await agents.call("fixer", error.message)];
    }`,
  "allSettled and any over the same calls again": `
    const same = () => agents.call("writer", "same", [1]);
    const settled = await Promise.allSettled([same(), agents.call("bad", "x"), same()]);
    const any = await Promise.any([agents.call("bad", "y"), same(), same()]);
    return [settled, any];`,
  "chains that race one another, with random numbers": `
    const log = [];
    const chain = async (name) => {
      for (let i = 0; i < 3; i++) log.push(await agents.call(name, i + " " + Math.random().toFixed(3)));
    };
    await Promise.all(["x", "y", "z"].map(chain));
    return log;`,
};

/** Returns committed outcomes at once; `live` agents perform the other calls. */
function replaying(recorded: Agents, upTo = Infinity) {
  const calls: AgentCall[] = [];
  const fresh: AgentCall[] = [];
  const live = new Agents();
  const call = async (one: AgentCall): Promise<CallOutcome> => {
    calls.push(one);
    const known = recorded.outcomes.get(keyOf(one));
    if (known && known.completed_seq <= upTo) return known;
    fresh.push(one);
    const outcome = await live.call(one);
    return { ...outcome, completed_seq: outcome.completed_seq + Math.min(upTo, recorded.outcomes.size) };
  };
  return { call, calls, fresh };
}

describe.each(Object.entries(PATHS))("%s", (_, body) => {
  it("takes the same path when all outcomes are known at once, in whatever order they arrived", async () => {
    const results = new Set<string>();
    for (let round = 0; round < 15; round++) {
      const agents = new Agents();
      const live = await run(main(body), { agents, seed: round % 3 });
      const again = replaying(agents);
      const replayed = await runProgram(main(body), { call: again.call, seed: round % 3 });
      expect(live.status).toBe("returned");
      expect(again.fresh).toEqual([]);
      expect(again.calls).toEqual(agents.calls);
      expect(replayed).toEqual(live);
      results.add(JSON.stringify(live));
    }
    expect(results.size).toBeGreaterThan(1);
  });

  it("continues from any point of interruption, and calls no agent twice", async () => {
    const agents = new Agents();
    await run(main(body), { agents });
    for (let known = 0; known <= agents.outcomes.size; known++) {
      const again = replaying(agents, known);
      expect((await runProgram(main(body), { call: again.call, seed: 7 })).status).toBe("returned");
      const stored = agents.calls.filter((call) => agents.outcomes.get(keyOf(call))!.completed_seq <= known).map(keyOf);
      const asked = again.calls.map(keyOf);
      expect(asked).toEqual(expect.arrayContaining(stored));
      expect(new Set(asked).size).toBe(asked.length);
      expect(again.fresh).toHaveLength(asked.length - known);
    }
  });
});
