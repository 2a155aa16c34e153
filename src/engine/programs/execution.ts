import { createHash } from "node:crypto";
import type { RunProgram } from "../instance/ports";
import type { Artifact } from "#workflow-kit/artifact";
import { BusyTimer } from "./busy-timer";
import { decidingReason } from "../instance/control";
import type { AgentCall, CallOutcome } from "#agents/sandbox/program";
import type { ExecutionRequest, AgentResult, LoggedCall, ExecutionLog } from "#workflow-kit/programs";
import { Semaphore } from "#workflow-kit/semaphore";

/** More agents than this never work at once for one program; the rest of its calls wait. */
const AT_ONCE = 8;
/** How much of an input or a result stands in the log. Characters. */
const SHOWN = 1000;

/** Name of the act that a call of a program is: the same whenever the program, given the same answers, makes it again. */
export function callAct(execution: string, { agent, task, input, occurrence }: AgentCall): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([agent, task, input]))
    .digest("hex");
  return `${execution}/${hash.slice(0, 16)}-${occurrence}`;
}

/**
 * Runs a program over `perform`, which commits each outcome and says when it was.
 * @throws what decides among the reasons why calls could not be made: nothing of that reaches the program
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
  const slots = new Semaphore(AT_ONCE);
  const busy = new BusyTimer();
  const call = (one: AgentCall): Promise<CallOutcome> =>
    busy.during(async () => {
      try {
        const result = await slots.use(() => {
          if (reasons.length) throw reasons[0];
          return perform(one);
        });
        const { ok, value } = result.content;
        const completed_seq = result.completed_seq!;
        calls.push({ ...logged(one, ok, value), completed_seq, artifact_id: result.id });
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
  calls.sort((one, other) => one.completed_seq - other.completed_seq);
  return { ...result, agent_calls: calls, duration_ms: Date.now() - startedAt, calls_ms: busy.ms };
}

function logged({ agent, task, input, line }: AgentCall, ok: boolean, value: unknown) {
  return {
    agent,
    task: short(task),
    input: short(JSON.stringify(input)),
    ok,
    value: short(JSON.stringify(value)),
    line,
  };
}

const short = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text);
