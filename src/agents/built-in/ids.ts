import { type BuiltInAgent, BUILT_IN } from ".";

const PREFIX = "builtin:";

export const builtInId = (agent: BuiltInAgent): string => PREFIX + agent.slug;

export const builtInAgent = (id: string): BuiltInAgent | undefined => BUILT_IN.find((agent) => builtInId(agent) === id);
