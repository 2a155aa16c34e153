/** Generated programs in their sandbox: hostile ones, replays, errors, and what an execution costs. */
import { describe, expect, it, test } from "vitest";
import type { AgentCall, CallOutcome, ProgramLimits, ProgramResult } from "../../src/sandbox/program";
import { runProgram } from "../../src/sandbox/run-program";

type Sources = Record<string, string>;
const OURS: Sources = import.meta.glob("../fixtures/programs/*.js", { query: "?raw", import: "default", eager: true });
// These lie beside the repository where it is developed; a clone does not have them.
const SHARED: Sources = import.meta.glob("../../../shared/spikes/sandbox/hostile-programs/*.js", {
  query: "?raw",
  import: "default",
  eager: true,
});

const named = (sources: Sources) =>
  Object.entries(sources).map(([path, source]) => ({ name: path.split("/").pop()!.replace(".js", ""), source }));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Agents that answer after a while, in any order; `bad` refuses. Keeps what they were asked and what they said. */
class Agents {
  readonly calls: AgentCall[] = [];
  readonly outcomes = new Map<string, CallOutcome>();
  private committed = 0;

  constructor(private readonly delay: () => number = () => Math.random() * 4) {}

  readonly call = async (call: AgentCall): Promise<CallOutcome> => {
    this.calls.push(call);
    await pause(this.delay());
    const ok = call.agent !== "bad";
    const outcome = {
      completed_seq: ++this.committed,
      ok,
      value: ok ? `answer to ${call.task}` : `${call.task} was refused`,
    };
    this.outcomes.set(keyOf(call), outcome);
    return outcome;
  };
}

const keyOf = ({ agent, task, input, occurrence }: AgentCall) => JSON.stringify([agent, task, input, occurrence]);

const run = (
  source: string,
  options: { agents?: Agents; limits?: Partial<ProgramLimits>; seed?: number } = {},
): Promise<ProgramResult> =>
  runProgram(source, { call: (options.agents ?? new Agents()).call, limits: options.limits, seed: options.seed ?? 7 });

const main = (body: string) => `export default async function main(agents) {\n${body}\n}`;

const outcomeOf = (result: ProgramResult) =>
  result.status === "returned" ? `returned ${JSON.stringify(result.value)}` : result.error.kind;

/** What another execution, and the isolate itself, must not notice. */
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
}

describe("a hostile program ends as it should, reaches nothing but agents, and leaves the next execution alone", () => {
  const globals = Object.getOwnPropertyNames(globalThis);
  test.each(named(OURS))("$name", async ({ source }) => {
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

const shared = named(SHARED);
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

/** Answers at once with what was committed before; what was not is done by `live` agents. */
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
  it("takes the same path when all outcomes are known at once, whatever order they came in", async () => {
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

  it("goes on from any point at which it was cut, and asks nobody twice", async () => {
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

describe("agent calls", () => {
  it("tell where they were made and how often the same was asked", async () => {
    const agents = new Agents();
    await run(
      `export default async function main(agents) {
  const ask = () => agents.call("writer", "same", { n: 1 });
  await Promise.all([ask(), ask()]);
  return agents.call("writer", "same", { n: 2 });
}`,
      { agents },
    );
    expect(agents.calls).toEqual([
      { agent: "writer", task: "same", input: { n: 1 }, occurrence: 1, line: 2, column: 32 },
      { agent: "writer", task: "same", input: { n: 1 }, occurrence: 2, line: 2, column: 32 },
      { agent: "writer", task: "same", input: { n: 2 }, occurrence: 1, line: 4, column: 21 },
    ]);
  });

  it("carry any JSON both ways, unchanged", async () => {
    const value = {
      text: "ação \u0000 \u2028 \ud83d\ude00 \ud800",
      list: [1.5, -0.1, 1e300, null, true],
      __proto: { constructor: null },
      "": { " ": [] },
    };
    const seen: unknown[] = [];
    const result = await runProgram(main(`return agents.call("echo", "t", ${JSON.stringify(value)})`), {
      seed: 1,
      call: async ({ input }) => (seen.push(input), { completed_seq: 1, ok: true, value: input }),
    });
    expect(seen).toEqual([value]);
    expect(result).toMatchObject({ status: "returned", value });
  });

  it("under way when the program has ended settle before its result is given, and their answers start nothing more", async () => {
    const agents = new Agents(() => 20);
    const result = await run(
      main(`agents.call("slow", "loser").then(() => agents.call("slow", "too late")); return 1;`),
      { agents },
    );
    expect(result).toMatchObject({ status: "returned", value: 1, calls: 1 });
    expect([...agents.outcomes.values()]).toHaveLength(1);
  });

  it("are not begun when the program ran into a limit before it came to rest", async () => {
    const agents = new Agents();
    const result = await run(main(`agents.call("writer", "t"); for (;;);`), { agents });
    expect(outcomeOf(result)).toBe("out_of_fuel");
    expect([result.calls, agents.calls]).toEqual([0, []]);
  });

  it("that we could not perform reject the execution, after all others have settled; the program never hears of it", async () => {
    class Lost extends Error {}
    const lost = new Lost("the database is away");
    let settled = false;
    const running = runProgram(
      main(
        `try { await agents.call("lost", "t") } catch { await agents.call("writer", "heard of it") } return agents.call("slow", "t");`,
      ),
      {
        seed: 1,
        call: async ({ agent, task }) => {
          if (agent === "lost") throw lost;
          throw new Error(`${agent} ${task} should not be asked`);
        },
      },
    );
    await expect(running).rejects.toBe(lost);
    const both = runProgram(main(`await Promise.all([agents.call("lost", "t"), agents.call("slow", "t")])`), {
      seed: 1,
      call: async ({ agent }) => {
        if (agent === "lost") throw lost;
        await pause(20);
        settled = true;
        return { completed_seq: 1, ok: true, value: 1 };
      },
    });
    await expect(both).rejects.toBe(lost);
    expect(settled).toBe(true);
  });

  it.each([
    ["a gap", [2], /Outcome 1 of the execution is missing/],
    ["a repetition", [1, 1], /completed_seq 1 of writer was given before/],
    ["no number", [Number.NaN], /is no number from 1/],
  ])("whose completed_seq have %s are a fault of ours", async (_, numbers, message) => {
    const source = main(numbers.map((_n, i) => `await agents.call("writer", "${i}");`).join("\n"));
    const left = [...numbers];
    await expect(
      runProgram(source, { seed: 1, call: async () => ({ completed_seq: left.shift()!, ok: true, value: 1 }) }),
    ).rejects.toThrow(message);
  });
});

describe("errors tell kind, line and column of the program's own source", () => {
  const cases: [string, string, object][] = [
    [
      "syntax",
      "export default async function main() {\n  const x = 1;\n  let y = = 2;\n}",
      { kind: "syntax", name: "SyntaxError", line: 3, column: 11 },
    ],
    [
      "a throw after an await",
      main(`await agents.call("a", "t");\nconst none = undefined;\nnone.foo;`),
      { kind: "runtime", name: "TypeError", line: 4, column: 5 },
    ],
    [
      "a throw at the top",
      `const a = 1;\nnull.b;\nexport default () => a;`,
      { kind: "runtime", name: "TypeError", line: 2 },
    ],
    [
      "an agent's refusal",
      main(`const x = 1;\nawait agents.call("bad", "it");`),
      { kind: "runtime", name: "AgentError", message: "it was refused", line: 3, column: 18 },
    ],
    [
      "an endless loop (the last call before it)",
      main(`await agents.call("a", "t");\nfor (;;);`),
      { kind: "out_of_fuel", line: 2 },
    ],
    [
      "source that is cut by a NUL in C",
      `export default () => 1;\n\0 this must not be lost (((`,
      { kind: "syntax", line: 2 },
    ],
    ["too much memory", main(`const a = [];\nfor (;;) a.push("x" + a.length);`), { kind: "out_of_memory", line: 3 }],
    [
      "too many calls",
      main(`for (let i = 0; ; i++)\n  await agents.call("a", "t");`),
      { kind: "too_many_calls", line: 3 },
    ],
    [
      "too large an input",
      main(`\nawait agents.call("a", "t", "x".repeat(300_000));`),
      { kind: "output_too_large", line: 3 },
    ],
    [
      "a forgotten await",
      main(`return { a: agents.call("a", "t") };`),
      { kind: "not_serialisable", message: expect.stringContaining('"a" is a Promise; was an await forgotten?') },
    ],
    [
      "an input that is no JSON",
      main(`\nawait agents.call("a", "t", { f() {} });`),
      { kind: "not_serialisable", line: 3, message: expect.stringContaining('"f" is a function') },
    ],
    [
      "an import",
      `import fs from "node:fs";\nexport default () => 1;`,
      { kind: "runtime", message: expect.stringContaining("a program can import nothing") },
    ],
    [
      "no entry point",
      `function main() {}`,
      { kind: "no_entry_point", message: expect.stringContaining("export default async function main") },
    ],
  ];
  test.each(cases)("%s", async (_, source, error) => {
    const result = await run(source);
    expect(result).toMatchObject({ status: "failed", error });
    expect(JSON.stringify(result)).not.toContain("<parley>");
  });
});

describe("limits", () => {
  it("are those that are given", async () => {
    const loop = main("for (let i = 0; i < 20_000; i++); return 1;");
    expect(outcomeOf(await run(loop))).toBe("returned 1");
    expect(outcomeOf(await run(loop, { limits: { fuel: 50_000 } }))).toBe("out_of_fuel");
    const buffer = main("return new Uint8Array(24 << 20).length;");
    expect(outcomeOf(await run(buffer, { limits: { memory_bytes: 64 << 20 } }))).toBe(`returned ${24 << 20}`);
    expect(outcomeOf(await run(buffer, { limits: { memory_bytes: 16 << 20 } }))).toBe("out_of_memory");
    const calls = main(`await agents.call("a", "1"); await agents.call("a", "2"); return 1;`);
    expect(outcomeOf(await run(calls, { limits: { max_calls: 2 } }))).toBe("returned 1");
    expect(outcomeOf(await run(calls, { limits: { max_calls: 1 } }))).toBe("too_many_calls");
    const output = main(`return "x".repeat(100);`);
    expect(outcomeOf(await run(output, { limits: { max_output_bytes: 102 } }))).toMatch(/^returned/);
    expect(outcomeOf(await run(output, { limits: { max_output_bytes: 101 } }))).toBe("output_too_large");
    await expect(run(output, { limits: { memory_bytes: 1 << 20 } })).rejects.toThrow("memory_bytes is 1048576");
  });

  it("cut the log and say so, and cut a line that is too long", async () => {
    const short = await run(main(`for (let i = 0; i < 9; i++) console.warn("line", i, { i }); return 1;`), {
      limits: { max_log_lines: 3 },
    });
    expect(short.log).toEqual([
      ...[0, 1, 2].map((i) => ({ level: "warn", text: `line ${i} {"i":${i}}` })),
      { level: "warn", text: "The log ends here: the program wrote more than 3 lines." },
    ]);
    const wide = await run(
      main(`console.log("y".repeat(1e6)); for (let i = 0; i < 999; i++) console.debug("x".repeat(3000)); return 1;`),
    );
    expect(wide.log[0]!.text).toBe(`${"y".repeat(4000)} …`);
    expect(wide.log.at(-1)).toEqual({
      level: "warn",
      text: "The log ends here: the program wrote more than 262144 bytes.",
    });
    expect(wide.status).toBe("returned");
  });
});

it("draws the same random numbers from the same seed only", async () => {
  const draw = async (seed: number) => outcomeOf(await run(main("return [Math.random(), Math.random()]"), { seed }));
  expect(await draw(1)).toBe(await draw(1));
  expect(await draw(1)).not.toBe(await draw(2));
});

it("keeps executions at the same time apart, the hostile among them", async () => {
  const innocent = main(
    `globalThis.leak = 1; const a = await agents.call("writer", "one"); await agents.call("writer", "two"); return a;`,
  );
  const hostile = ["copy-for-ever", "memory-in-a-job", "agents-all-at-once", "prototypes-polluted", "source-deep"].map(
    (name) => OURS[`../fixtures/programs/${name}.js`]!,
  );
  const results = await Promise.all([innocent, ...hostile, innocent].map((source) => run(source)));
  for (const result of [results[0], results.at(-1)])
    expect(result).toMatchObject({ status: "returned", value: "answer to one", calls: 2 });
});

it("can be done very often in one isolate", async () => {
  for (let i = 0; i < 200; i++) expect(outcomeOf(await run(main(`return ${i}`)))).toBe(`returned ${i}`);
});

it("costs little beside its calls (printed, not asserted)", async () => {
  const source = main(`
    const parts = await Promise.all([1, 2, 3, 4, 5].map((n) => agents.call("writer", "part " + n, { outline: "x".repeat(2000) })));
    let text = "";
    for (const part of parts) text += await agents.call("editor", "join", { text, part });
    return { text };`);
  const rounds = 40;
  const begun = Date.now();
  for (let i = 0; i < rounds; i++) {
    let seq = 0;
    const result = await runProgram(source, {
      seed: i,
      call: async ({ task }) => ({ completed_seq: ++seq, ok: true, value: task.repeat(500) }),
    });
    expect(result).toMatchObject({ status: "returned", calls: 10 });
  }
  console.log(`A program with 10 agent calls: ${((Date.now() - begun) / rounds).toFixed(1)} ms an execution.`);
});
