/** Generated programs in their sandbox: agent calls, errors and their positions, limits, and the cost of an execution. */
import { describe, expect, it, test } from "vitest";
import { runProgram } from "#agents/sandbox/run-program";
import { Agents, main, outcomeOf, pause, run } from "../../support/sandbox";

describe("agent calls", () => {
  it("have their position in the source and their number among equal calls", async () => {
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

  it("can pass on the given value verbatim, which the program cannot change", async () => {
    const given = { requirement: "Añade 2\n“and” 3 \u0000\ud83d\ude00", context: null, list: [{ n: 1 }] };
    const seen: unknown[] = [];
    const source = `"use strict"; export default async function main(agents, given) {
  try { given.list[0].n = 2; } catch (error) { console.log(error.name); }
  return agents.call("echo", "t", given);
}`;
    const result = await runProgram(source, {
      seed: 1,
      given,
      call: async ({ input }) => (seen.push(input), { completed_seq: 1, ok: true, value: input }),
    });
    expect(result).toMatchObject({ status: "returned", value: given, log: [{ text: "TypeError" }] });
    expect(seen).toEqual([given]);
  });

  it("under way at the program's end settle before its result is returned, and their outcomes start nothing", async () => {
    const agents = new Agents(() => 20);
    const result = await run(
      main(`agents.call("slow", "loser").then(() => agents.call("slow", "too late")); return 1;`),
      { agents },
    );
    expect(result).toMatchObject({ status: "returned", value: 1, calls: 1 });
    expect([...agents.outcomes.values()]).toHaveLength(1);
  });

  it("are not started when the program reaches a limit before it waits", async () => {
    const agents = new Agents();
    const result = await run(main(`agents.call("writer", "t"); for (;;);`), { agents });
    expect(outcomeOf(result)).toBe("out_of_fuel");
    expect([result.calls, agents.calls]).toEqual([0, []]);
  });

  it("that fail on our side reject the execution after all others have settled; the program does not see this", async () => {
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
  ])("whose completed_seq have %s are an error on our side", async (_, numbers, message) => {
    const source = main(numbers.map((_n, i) => `await agents.call("writer", "${i}");`).join("\n"));
    const left = [...numbers];
    await expect(
      runProgram(source, { seed: 1, call: async () => ({ completed_seq: left.shift()!, ok: true, value: 1 }) }),
    ).rejects.toThrow(message);
  });
});

describe("errors have kind, line and column of the program's own source", () => {
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
      "too long a task",
      main(`\nawait agents.call("a", "t".repeat(300_000), null);`),
      { kind: "output_too_large", line: 3, message: expect.stringContaining("what agents.call is given") },
    ],
    [
      "an import on the way",
      main(`await import("node:fs");`),
      { kind: "runtime", message: expect.stringContaining("a program can import nothing") },
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
  it("are the given ones", async () => {
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

  it("cut the log with a note, and cut a line that is too long", async () => {
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
it("can be executed very often in one isolate", async () => {
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
