/** Hostile programs in the sandbox: each is stopped, has access to agents only, and affects no other execution. */
import { describe, expect, it, test } from "vitest";
import type { ProgramResult } from "#agents/sandbox/program";
import { OUR_PROGRAMS, SHARED_PROGRAMS } from "../../../support/hostile-programs";
import { Agents, main, outcomeOf, run } from "../../../support/sandbox";

const named = (programs: Record<string, string>) =>
  Object.entries(programs).map(([name, source]) => ({ name, source }));

/** State of another execution and of the isolate that must stay unchanged. */
async function expectNothingHappened(globals: string[]) {
  const agents = new Agents();
  const result = await run(
    main(`const a = await agents.call("writer", "one"); return [a, JSON.stringify({ a }), typeof leak];`),
    { agents },
  );
  expect(result).toMatchObject({
    status: "returned",
    value: ["answer to one", '{"a":"answer to one"}', "undefined"],
    log: [],
    calls: 1,
  });
  expect(Object.getOwnPropertyNames(globalThis)).toEqual(globals);
  expect(Object.keys(Object.prototype)).toEqual([]);
}

function expectOnlyAgents(agents: Agents, result: ProgramResult) {
  expect(result.calls).toBe(agents.calls.length);
  expect(agents.calls.length).toBeLessThanOrEqual(64);
  for (const call of agents.calls) {
    expect(Object.keys(call).toSorted()).toEqual(["agent", "column", "input", "line", "occurrence", "task"]);
    expect([typeof call.agent, typeof call.task]).toEqual(["string", "string"]);
  }
  expect(result.fuel_used).toBeLessThanOrEqual(56_000_000);
  expect(result.log.length).toBeLessThanOrEqual(1001);
  expect(JSON.stringify(result.log).length).toBeLessThan(2 * 256 * 1024);
  // Name, message and stack are bounded in characters; six bytes of JSON each at worst.
  if (result.status === "failed") expect(JSON.stringify(result.error).length).toBeLessThan(6 * (100 + 4000 + 30 * 301));
}

describe("a hostile program ends as it should, reaches nothing but agents, and leaves the next execution alone", () => {
  const globals = Object.getOwnPropertyNames(globalThis);
  test.each(named(OUR_PROGRAMS))("$name", async ({ source }) => {
    const agents = new Agents();
    const result = await run(source, { agents });
    const expected = /^\/\/ ends: (.*)/.exec(source)![1]!;
    expect(outcomeOf(result), JSON.stringify(result).slice(0, 1000)).toBe(expected);
    expectOnlyAgents(agents, result);
    await expectNothingHappened(globals);
  });
});

const SHARED_ENDS: Record<string, string> = {
  agentfail: "runtime",
  asyncloop: "out_of_fuel",
  bigint: "out_of_fuel",
  caught: 'returned ["fulfilled:","rejected:t was refused"]',
  deadlock: "deadlock",
  err: "runtime",
  evalf: "returned [2,2]",
  fill: "out_of_memory",
  indexOf: "out_of_fuel",
  net: `returned ${JSON.stringify(Array(11).fill("undefined"))}`,
  push: "out_of_memory",
  recur: "runtime",
  ref: "runtime",
  regex: "out_of_fuel",
  repeat: "out_of_memory",
  slowagent: "too_many_calls",
  sortcmp: "out_of_fuel",
  syntax: "syntax",
  syntaxnew: 'returned [1,2,{"b":2,"c":3},3,"d",[1,3],{"odd":[1,3],"even":[2]},"a-b-","undefined"]',
  thenloop: "out_of_fuel",
  throwstr: "runtime",
  top: "out_of_fuel",
  trivial: "returned 2",
  trycatch: "out_of_fuel",
  while: "out_of_fuel",
  work: "out_of_fuel",
};

const shared = named(SHARED_PROGRAMS);
describe.skipIf(shared.length === 0)(
  `the hostile programs beside the repository (${shared.length}; skipped where they are absent)`,
  () => {
    const globals = Object.getOwnPropertyNames(globalThis);
    test.each(shared)("$name", async ({ name, source }) => {
      const agents = new Agents();
      const result = await run(source, { agents });
      expect(outcomeOf(result), JSON.stringify(result).slice(0, 1000)).toBe(SHARED_ENDS[name]);
      expectOnlyAgents(agents, result);
      await expectNothingHappened(globals);
    });
  },
);

it("isolates concurrent executions, hostile ones included", async () => {
  const innocent = main(
    `globalThis.leak = 1; const a = await agents.call("writer", "one"); await agents.call("writer", "two"); return a;`,
  );
  const hostile = ["copy-for-ever", "memory-in-a-job", "agents-all-at-once", "prototypes-polluted", "source-deep"].map(
    (name) => OUR_PROGRAMS[name]!,
  );
  const results = await Promise.all([innocent, ...hostile, innocent].map((source) => run(source)));
  for (const result of [results[0], results.at(-1)])
    expect(result).toMatchObject({ status: "returned", value: "answer to one", calls: 2 });
});
