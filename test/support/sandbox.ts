import type { AgentCall, CallOutcome, ProgramLimits, ProgramResult } from "#agents/sandbox/program";
import { runProgram } from "#agents/sandbox/run-program";

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Fake agents that answer after a delay, in any order; `bad` refuses. Records calls and outcomes. */
export class Agents {
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

export const keyOf = ({ agent, task, input, occurrence }: AgentCall) =>
  JSON.stringify([agent, task, input, occurrence]);

export const run = (
  source: string,
  options: { agents?: Agents; limits?: Partial<ProgramLimits>; seed?: number } = {},
): Promise<ProgramResult> =>
  runProgram(source, { call: (options.agents ?? new Agents()).call, limits: options.limits, seed: options.seed ?? 7 });

export const main = (body: string) => `export default async function main(agents) {\n${body}\n}`;

export const outcomeOf = (result: ProgramResult) =>
  result.status === "returned" ? `returned ${JSON.stringify(result.value)}` : result.error.kind;
