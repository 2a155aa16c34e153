/** Worker agents, as workflows see them. */
export { nameKey } from "#agents/names";
export type { AgentProfile } from "#agents/profile";
