import { createHash } from "node:crypto";
import type { Action } from "./action";
import type { AgentProfile } from "./agents";
import type { Artifact } from "./artifact";
import { Busy } from "./busy";
import { decisive } from "./control";
import type { ToolCallRecord } from "../llm";
import { Semaphore } from "../workflow-kit/semaphore";
import type { AgentCall, CallOutcome, ProgramLimits, ProgramResult } from "../sandbox/program";

export type { AgentCall, LogLine, ProgramLimits, ProgramResult } from "../sandbox/program";

/** Runs a program to its end; see src/sandbox. */
export type RunProgram = (
  source: string,
  options: {
    call(call: AgentCall): Promise<CallOutcome>;
    limits?: Partial<ProgramLimits>;
    seed: number;
    given?: unknown;
  },
) => Promise<ProgramResult>;

/** What an agent, or its failure, is to the program that called it. */
export interface Verdict {
  ok: boolean;
  /** A JSON value; of a failure, a sentence that says why. */
  value: unknown;
}

/** What a call of a program comes to: an act of an agent, or a failure without one. */
export type Assigned =
  | { agent: AgentProfile; action: Action<any, string>; input: unknown; read(answer: string): Verdict }
  | { refused: string };

export interface ExecutionRequest {
  /** Tells the executions of a stage apart. */
  key: string;
  iteration: number;
  /** An ES module; see src/sandbox. */
  source: string;
  limits?: Partial<ProgramLimits>;
  /** What `main` gets beside the agents: a JSON value. */
  given?: unknown;
  inputs?: readonly Artifact[];
  /** Decides, from the call alone, who does what. */
  assign(call: AgentCall): Assigned;
}

/** Content of an `agent_result`. */
export interface AgentResult extends Verdict {
  agent: string;
  task: string;
  input: unknown;
  /** Where in the program it was called, from 1. */
  line: number | null;
  tool_calls: readonly ToolCallRecord[];
}

/** One agent call of an execution that ended; the whole result is the artifact's. */
export interface LoggedCall {
  agent: string;
  task: string;
  /** JSON, cut short. */
  input: string;
  ok: boolean;
  /** JSON, cut short. */
  value: string;
  line: number | null;
  completed_seq: number;
  artifact_id: string;
}

/** Content of an `execution_log`: how the program ended, what it printed and whom it called, in the order of the outcomes. */
export type ExecutionLog = ProgramResult & {
  agent_calls: LoggedCall[];
  duration_ms: number;
  /** Of that, while at least one agent call was under way, its commit included. */
  calls_ms: number;
};

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
  const busy = new Busy();
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
      throw reasons.length ? decisive(reasons) : error;
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

/** 32 bits that are always the same for the same name: the seed of a program's `Math.random`. */
export const seedOf = (name: string): number => createHash("sha256").update(name).digest().readInt32LE();
