import type { AgentProfile } from "#agents/profile";
import type { ChildGroup } from "#store/children";
import type { ChildRequest, ReusableRun } from "#workflow-kit/children";
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

/** Port to the verb that creates runs. */
export interface ChildRunCreator {
  /**
   * Checks runs and stores them in the queue as children of a group; those that are stored already are left out.
   * @param of.slots how many children of the parent may be under way at once
   * @throws Problem that names the child and lists its errors
   */
  create(
    group: ChildGroup,
    of: { owner: Owner; slots: number },
    children: readonly { key: string; request: ChildRequest }[],
  ): Promise<void>;
  /**
   * Which of these children the owner's earlier runs have run: completed children with an equal request, code and prompts.
   * @throws Problem that names the child and lists its errors
   */
  findReusable(owner: Owner, children: readonly { key: string; request: ChildRequest }[]): Promise<ReusableRun[]>;
}
