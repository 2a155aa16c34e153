import { callStep } from "#engine/programs/execution";
import type { AgentCall } from "#workflow-kit/programs";
import type { Answer } from "./model";

/** A generated program for an interruption, with the answers of its agents and their delays. */
export interface TestProgram {
  source: string;
  calls: { agent: string; task: string; input: unknown; answer: string; delay_ms: number }[];
  /** Its result, which an interruption must not change. */
  result: string;
}

/** @param a names of two agents */
export function testPrograms(a: string, b: string): Record<"parallel" | "race" | "order", TestProgram> {
  const names = `const A = ${JSON.stringify(a)}, B = ${JSON.stringify(b)};`;
  const main = (body: string) => `${names}\nexport default async function main(agents) {\n${body}\n}`;
  const call = (agent: string, task: string, input: unknown, answer: string, delay_ms: number) => ({
    agent,
    task,
    input,
    answer,
    delay_ms,
  });
  return {
    parallel: {
      source: main(`
  const one = await agents.call(A, "one", null);
  const [two, three] = await Promise.all([agents.call(A, "two", one), agents.call(B, "three", one)]);
  const four = await agents.call(A, "four", [two, three]);
  return agents.call(B, "five", four);`),
      calls: [
        call(a, "one", null, "1", 200),
        call(a, "two", "1", "2", 900),
        call(b, "three", "1", "3", 400),
        call(a, "four", ["2", "3"], "4", 600),
        call(b, "five", "4", "all five", 300),
      ],
      result: "all five",
    },
    race: {
      source: main(`
  const first = await Promise.race([agents.call(A, "slow", null), agents.call(B, "quick", null)]);
  const next = await agents.call(A, "after " + first, null);
  return agents.call(B, "last", next);`),
      calls: [
        call(a, "slow", null, "the slow one", 2500),
        call(b, "quick", null, "the quick one", 200),
        call(a, "after the quick one", null, "next", 700),
        call(b, "last", "next", "won by the quick one", 300),
      ],
      result: "won by the quick one",
    },
    order: {
      source: main(`
  const done = [];
  await Promise.all(["a", "b", "c"].map(async (name) => {
    done.push(await agents.call(A, name, null));
    await agents.call(B, "saw " + done.join(" "), null);
  }));
  return done.join(" then ");`),
      calls: [
        call(a, "a", null, "A", 2200),
        call(a, "b", null, "B", 1000),
        call(a, "c", null, "C", 200),
        call(b, "saw C", null, "ok", 400),
        call(b, "saw C B", null, "ok", 400),
        call(b, "saw C B A", null, "ok", 200),
      ],
      result: "C then B then A",
    },
  };
}

const EXECUTION = "implementation/execution#1";

/** The step name of an agent call in the first execution. */
export const stepOf = ({ agent, task, input }: Pick<AgentCall, "agent" | "task" | "input">): string =>
  callStep(EXECUTION, { agent, task, input, occurrence: 1, line: null, column: null });

/** A mock plan, with this program instead of the generated one. */
export function planProgram(
  mocked: Record<string, Answer[]>,
  { source, calls }: TestProgram,
): Record<string, Answer[]> {
  const kept = Object.entries(mocked).filter(([step]) => !step.startsWith(EXECUTION));
  const agents = calls.map((one): [string, Answer[]] => [
    stepOf(one),
    [{ content: one.answer, delay_ms: one.delay_ms }],
  ]);
  return {
    ...Object.fromEntries([...kept, ...agents]),
    "implementation/generate_code#1": [{ content: source }],
    "*": [{ content: "ok" }],
  };
}
