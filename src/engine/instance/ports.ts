import type { AgentProfile } from "#agents/profile";
import type { ModelTool } from "#llm";
import type { Mode } from "#core/vocabulary";

export { nameKey } from "#agents/names";
export type { AgentProfile } from "#agents/profile";

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
