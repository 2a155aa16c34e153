import type { AgentProfile } from "#agents/profile";
import type { Action } from "./action";
import type { ProgramLimits, AgentCall, ProgramResult } from "#agents/sandbox/program";
import type { Artifact } from "./artifact";
import type { ToolCallRecord } from "#llm";
import { createHash } from "node:crypto";

export type { AgentCall, LogLine } from "#agents/sandbox/program";

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

/** 32 bits that are always the same for the same name: the seed of a program's `Math.random`. */
export const seedOf = (name: string): number => createHash("sha256").update(name).digest().readInt32LE();
