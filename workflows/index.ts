import { requirements } from "./requirements/workflow";

/** Every workflow that runs can be made of, by name. */
export const workflows = { requirements } as const;
