import { AgentCalls } from "./calls";
import { DEADLOCK } from "./failure";
import { Engine } from "./engine";
import { EnginePlaces } from "./engine-places";
import type { ProgramEnd } from "./machine";
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
 * @param places bounds the engines of all programs that share it
 */
export async function runProgram(
  source: string,
  { call, seed, given = null, limits: bounds }: ProgramOptions,
  places = new EnginePlaces(1),
): Promise<ProgramResult> {
  const limits = { ...DEFAULT_LIMITS, ...bounds };
  const calls = new AgentCalls(call, limits.max_calls);
  const engine = new Engine(source, { limits, seed, given: JSON.stringify(given) }, calls, places);
  const end = await drive(engine, calls).finally(() => engine.end());
  await calls.allSettled();

  const about = { log: engine.log.lines, calls: calls.started, fuel_used: engine.fuelUsed };
  if ("failed" in end) return { status: "failed", error: end.failed, ...about };
  return { status: "returned", value: JSON.parse(end.returned), ...about };
}

async function drive(engine: Engine, calls: AgentCalls): Promise<NonNullable<ProgramEnd>> {
  let end = await engine.start();
  for (;;) {
    if (!engine.halted) calls.start();
    if (end) return end;
    const settled = calls.hasNext ? await calls.next() : await engine.whileAtRest(() => calls.next());
    if (!settled) return { failed: DEADLOCK };
    end = await engine.settle(settled);
  }
}
