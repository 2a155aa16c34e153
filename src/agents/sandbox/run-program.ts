import { AgentCalls } from "./calls";
import { DEADLOCK } from "./failure";
import { ProgramLog } from "./program-log";
import { type ProgramEnd, Machine } from "./machine";
import { type AgentCall, type CallOutcome, DEFAULT_LIMITS, type ProgramLimits, type ProgramResult } from "./program";

export interface ProgramOptions {
  /**
   * Performs one agent call and commits its outcome. An agent's refusal is an outcome (`ok: false`). A rejection means a failure of ours or
   * of the platform: the program does not see it, and `runProgram` rejects with the first one after all calls under way have settled.
   */
  call(call: AgentCall): Promise<CallOutcome>;
  limits?: Partial<ProgramLimits>;
  /** Seed of `Math.random`; 32 bits are used. Store it: a replay needs the same seed. */
  seed: number;
  /** Second argument of `main`, frozen: a JSON value. Store it too. */
  given?: unknown;
}

/**
 * Runs a generated program in its own engine. With the same source, seed and outcomes its execution is the same, whenever the outcomes
 * arrive: they are delivered one at a time, in the order of `completed_seq`.
 * @param source an ES module with `export default async function main(agents, given)`; see README.md
 */
export async function runProgram(source: string, options: ProgramOptions): Promise<ProgramResult> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const log = new ProgramLog(limits);
  const calls = new AgentCalls(options.call, limits.max_calls);
  const host = { call: calls.issue.bind(calls), log: log.add.bind(log) };
  const given = JSON.stringify(options.given ?? null);
  const machine = await Machine.make({ limits, host, seed: options.seed, given });

  const end = await drive(machine, calls, source);
  await calls.allSettled();

  const about = { log: log.lines, calls: calls.started, fuel_used: machine.fuelUsed };
  if ("failed" in end) return { status: "failed", error: end.failed, ...about };
  return { status: "returned", value: JSON.parse(end.returned), ...about };
}

async function drive(machine: Machine, calls: AgentCalls, source: string): Promise<NonNullable<ProgramEnd>> {
  let end = machine.start(source);
  for (;;) {
    if (!machine.halted) calls.start();
    if (end) return end;
    const settled = await calls.next();
    if (!settled) return { failed: DEADLOCK };
    const { ok, value } = settled.outcome;
    end = machine.settle(settled.id, ok, JSON.stringify(ok ? (value ?? null) : String(value)));
  }
}
