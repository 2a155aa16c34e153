import { artifactsOf } from "./parley";
import { checkTrace } from "#workflows/requirements/rules/migration";

/** Violations of the action migration table in the order of a requirements run's artifacts. */
export const traceFaults = async (key: string, run: string): Promise<string[]> =>
  checkTrace(await artifactsOf(key, run));
