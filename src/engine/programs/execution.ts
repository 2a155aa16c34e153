import { createHash } from "node:crypto";
import type { RunProgram } from "../instance/ports";
import type { Artifact } from "#workflow-kit/artifact";
import { decidingReason } from "../instance/signals";
import type { AgentCall, CallOutcome } from "#agents/sandbox/program";
import {
  type ExecutionRequest,
  type AgentResult,
  endsOf,
  type LoggedCall,
  type ExecutionLog,
} from "#workflow-kit/programs";
import { Semaphore } from "#workflow-kit/semaphore";

/** Calls of one program to agents that run at the same time; further calls wait. */
const CONCURRENCY = 8;
/** Most characters of a task, an input or a result in the execution log; the `agent_result` holds the whole. */
const SHOWN = 4000;

/** Name of the step of a program's call: the same in every run of the program over the same answers. */
export function callStep(execution: string, { agent, task, input, occurrence }: AgentCall): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([agent, task, input]))
    .digest("hex");
  return `${execution}/${hash.slice(0, 16)}-${occurrence}`;
}

/**
 * Runs a program. `perform` makes each of its calls, commits the outcome and returns it with its sequence number.
 * @throws the deciding reason why calls could not be made; the program never sees these
 */
export async function runExecution(
  runProgram: RunProgram,
  { source, limits, given }: ExecutionRequest,
  seed: number,
  perform: (call: AgentCall) => Promise<Artifact<AgentResult>>,
): Promise<ExecutionLog> {
  const startedAt = Date.now();
  const reasons: unknown[] = [];
  const calls: LoggedCall[] = [];
  const semaphore = new Semaphore(CONCURRENCY);
  const busy = busyTimer();
  const call = (request: AgentCall): Promise<CallOutcome> =>
    busy.during(async () => {
      try {
        const result = await semaphore.run(() => {
          if (reasons.length) throw reasons[0];
          return perform(request);
        });
        const { ok, value } = result.content;
        const completed_seq = result.completed_seq!;
        calls.push({ ...logged(request, ok, value), completed_seq, artifact_id: result.id });
        return { completed_seq, ok, value };
      } catch (reason) {
        reasons.push(reason);
        throw reason;
      }
    });
  const result = await runProgram(source, { call, seed, given, ...(limits ? { limits } : {}) }).catch(
    (error: unknown) => {
      throw reasons.length ? decidingReason(reasons) : error;
    },
  );
  calls.sort((a, b) => a.completed_seq - b.completed_seq);
  return { ...result, agent_calls: calls, duration_ms: Date.now() - startedAt, calls_ms: busy.ms };
}

function logged({ agent, task, input, line }: AgentCall, ok: boolean, value: unknown) {
  return {
    agent,
    task: endsOf(task, SHOWN),
    input: endsOf(JSON.stringify(input), SHOWN),
    ok,
    value: endsOf(JSON.stringify(value), SHOWN),
    line,
  };
}

/** Measures the time in which at least one piece of work is under way. Milliseconds. */
function busyTimer() {
  let ended = 0;
  let count = 0;
  let since = 0;
  return {
    get ms(): number {
      return ended + (count > 0 ? Date.now() - since : 0);
    },
    async during<T>(work: () => Promise<T>): Promise<T> {
      if (count++ === 0) since = Date.now();
      try {
        return await work();
      } finally {
        if (--count === 0) ended += Date.now() - since;
      }
    },
  };
}
