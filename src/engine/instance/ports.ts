import type { AgentProfile } from "#agents/profile";
import type { ModelTool } from "#llm";
import type { Mode } from "#core/vocabulary";
import type { AgentCall, CallOutcome, ProgramLimits, ProgramResult } from "#agents/sandbox/program";

/** The worker agents as a run reaches them. */
export interface Agents {
  /**
   * Those of the tenant's registry with these ids, or all of them, built-in ones included.
   * @throws Problem `unknown_agent`
   */
  load(tenant: string, ids: readonly string[] | null): Promise<AgentProfile[]>;
  /** The tools that an agent may use while it works. */
  tools(agent: AgentProfile, context: { tenant: string; mode: Mode }): Promise<readonly ModelTool[]>;
}

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
