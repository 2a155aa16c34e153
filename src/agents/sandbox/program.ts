/** Limits of a generated program. */
export interface ProgramLimits {
  /** Units of work: one per function entry and per loop iteration inside the engine. 50 million take about a quarter of a second. */
  fuel: number;
  /** Total memory of the engine in bytes; at least 16 MiB, of which the engine itself needs about 6 MiB. */
  memory_bytes: number;
  max_calls: number;
  max_log_lines: number;
  /** Bytes; applies separately to the result, to the arguments of one call (agent, task and input) and to the log. */
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
  /** 1 for the first call with the same agent, task and input, 2 for the next … Inputs are compared as JSON. */
  occurrence: number;
  /** Position of the call in the source, from 1; null when unknown. */
  line: number | null;
  column: number | null;
}

export interface CallOutcome {
  /** Order in which the outcomes of one execution were committed: 1, 2, 3 … without gaps. */
  completed_seq: number;
  ok: boolean;
  /** The agent's result, a JSON value; for a failed call, the agent's error message. */
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
  /** Position in the source, from 1; null when unknown. */
  line: number | null;
  column: number | null;
  /** Frames of the program and of built-ins, without frames of the prelude. */
  stack: string;
}

export type ProgramResult = { log: LogLine[]; /** Number of started calls. */ calls: number; fuel_used: number } & (
  | { status: "returned"; value: unknown }
  | { status: "failed"; error: ProgramError }
);
