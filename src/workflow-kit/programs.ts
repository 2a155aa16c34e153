import type { AgentProfile } from "#agents/profile";
import type { Action } from "./action";
import type { ProgramLimits, AgentCall, ProgramResult } from "#agents/sandbox/program";
import type { Artifact } from "./artifact";
import type { ToolCallRecord } from "#llm";
import { createHash } from "node:crypto";

export type { AgentCall, LogLine } from "#agents/sandbox/program";

/** An agent's answer, or its failure, as the calling program receives it. */
export interface AgentOutcome {
  ok: boolean;
  /** A JSON value; for a failure, a sentence with the reason. */
  value: unknown;
}

/** How a program's call is handled: by a step of an agent, or refused with a reason. */
export type CallTarget =
  | { agent: AgentProfile; action: Action<any, string>; input: unknown; read(answer: string): AgentOutcome }
  | { refused: string };

export interface ExecutionRequest {
  /** Distinguishes the executions of a stage. */
  key: string;
  iteration: number;
  /** An ES module; see src/agents/sandbox. */
  source: string;
  limits?: Partial<ProgramLimits>;
  /** A JSON value for `main`, in addition to the agents. */
  given?: unknown;
  inputs?: readonly Artifact[];
  /** Assigns an agent to a call; may depend on the call only. */
  assign(call: AgentCall): CallTarget;
}

/** Content of an `agent_result`. */
export interface AgentResult extends AgentOutcome {
  agent: string;
  task: string;
  input: unknown;
  /** Line of the call in the program, from 1. */
  line: number | null;
  tool_calls: readonly ToolCallRecord[];
}

/** One agent call of a finished execution; the artifact holds the whole result. */
export interface LoggedCall {
  agent: string;
  task: string;
  /** JSON; of a long one the beginning and the end. */
  input: string;
  ok: boolean;
  /** JSON; of a long one the beginning and the end. */
  value: string;
  line: number | null;
  completed_seq: number;
  artifact_id: string;
}

/** Content of an `execution_log`: how the program ended, its output, and its agent calls in the order of their outcomes. */
export type ExecutionLog = ProgramResult & {
  agent_calls: LoggedCall[];
  duration_ms: number;
  /** The part with at least one agent call under way, commits included. */
  calls_ms: number;
};

/** A 32-bit seed derived from a name, for example for a program's `Math.random`. */
export const seedOf = (name: string): number => createHash("sha256").update(name).digest().readInt32LE();

/** The beginning and the end of a text, `longest` characters together, with a note of what is left out between them. */
export function endsOf(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const head = Math.ceil(longest * 0.6);
  const tail = text.slice(text.length - (longest - head));
  return `${text.slice(0, head)} … [${text.length - longest} characters left out] … ${tail}`;
}

/** Generated programs over worker agents. Only inside a stage. */
export interface Programs {
  /**
   * The worker agents that the run may use. The registry is read once, so a replay finds the same agents.
   * @param ids null: all of the tenant's registry
   */
  agents(ids: readonly string[] | null): Promise<Artifact<AgentProfile[]>>;

  /**
   * Runs a program in the sandbox, once: its finished execution is an artifact, and each of its agent calls is a step. If the stage is left during
   * the execution, the program later runs again from its start over the stored outcomes.
   */
  execute(request: ExecutionRequest): Promise<Artifact<ExecutionLog>>;
}
