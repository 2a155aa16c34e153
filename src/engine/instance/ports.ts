import type { AgentProfile } from "#agents/profile";
import type { ModelTool } from "#llm";
import type { Owner } from "#core/owner";
import type { AgentCall, CallOutcome, ProgramLimits, ProgramResult } from "#agents/sandbox/program";

/** Port to the registry of worker agents. */
export interface Agents {
  /**
   * The owner's agents with these ids; null: all of them, built-in ones included.
   * @throws Problem `unknown_agent`
   */
  load(owner: Owner, ids: readonly string[] | null): Promise<AgentProfile[]>;
  /** The tools that an agent may use. */
  tools(agent: AgentProfile, owner: Owner): Promise<readonly ModelTool[]>;
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
