import { artifactsOf } from "./parley";
import { checkTrace } from "#workflows/requirements/rules/migration";

/** What is wrong with the order of a requirements run's artifacts under the action migration table. */
export const traceFaults = async (key: string, run: string): Promise<string[]> =>
  checkTrace(await artifactsOf(key, run));
