import type { AgentProfile } from "#agents/profile";
import type { ModelTool } from "#llm";
import type { Mode } from "#core/vocabulary";
import type { AgentCall, CallOutcome, ProgramLimits, ProgramResult } from "#agents/sandbox/program";

/** Port to the registry of worker agents. */
export interface Agents {
  /**
   * The tenant's agents with these ids; null: all of them, built-in ones included.
   * @throws Problem `unknown_agent`
   */
  load(tenant: string, ids: readonly string[] | null): Promise<AgentProfile[]>;
  /** The tools that an agent may use. */
  tools(agent: AgentProfile, context: { tenant: string; mode: Mode }): Promise<readonly ModelTool[]>;
}

/** Runs a program in the sandbox to its end; see src/agents/sandbox. */
export type RunProgram = (
  source: string,
  options: {
    call(call: AgentCall): Promise<CallOutcome>;
    limits?: Partial<ProgramLimits>;
    seed: number;
    given?: unknown;
  },
) => Promise<ProgramResult>;
