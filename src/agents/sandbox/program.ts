/** What is said about a generated program from the outside: its limits, its calls, how it ended. */

export interface ProgramLimits {
  /** Units of work: one for each function entry and each turn of a loop inside the engine. 50 million take about a quarter of a second. */
  fuel: number;
  /** All memory of the engine, in bytes. It needs about 6 MiB for itself, and cannot be given less than 16 MiB. */
  memory_bytes: number;
  max_calls: number;
  max_log_lines: number;
  /** Bytes, each for itself: of the result, of what one call is given (agent, task and input), of the log. */
  max_output_bytes: number;
}

export const DEFAULT_LIMITS: ProgramLimits = {
  fuel: 50_000_000,
  memory_bytes: 32 * 2 ** 20,
  max_calls: 64,
  max_log_lines: 1000,
  max_output_bytes: 256 * 2 ** 10,
};

/** One `agents.call` of a program. */
export interface AgentCall {
  agent: string;
  task: string;
  /** A JSON value. */
  input: unknown;
  /** 1 for the first call with these same three, 2 for the next … Inputs are the same when `JSON.stringify` says so. */
  occurrence: number;
  /** Where in the source it was called, from 1; null where the engine cannot tell. */
  line: number | null;
  column: number | null;
}

export interface CallOutcome {
  /** The order in which outcomes were committed: dense, from 1, one execution's own. */
  completed_seq: number;
  ok: boolean;
  /** The agent's result, a JSON value; of a call that failed, the agent's error message. */
  value: unknown;
}

export interface LogLine {
  level: "debug" | "info" | "log" | "warn" | "error";
  text: string;
}

export type FailureKind =
  | "syntax"
  | "runtime"
  | "out_of_fuel"
  | "out_of_memory"
  | "too_many_calls"
  | "output_too_large"
  | "not_serialisable"
  | "deadlock"
  | "no_entry_point";

export interface ProgramError {
  kind: FailureKind;
  name: string;
  message: string;
  /** Of the source, from 1; null where nothing is known. */
  line: number | null;
  column: number | null;
  /** Frames of the program and of built-ins; ours are left out. */
  stack: string;
}

export type ProgramResult = { log: LogLine[]; /** Calls that were begun. */ calls: number; fuel_used: number } & (
  | { status: "returned"; value: unknown }
  | { status: "failed"; error: ProgramError }
);
