/** Worker agents, as workflows see them. */
export { nameKey } from "#agents/name-key";
export type { AgentProfile } from "#agents/profile";
