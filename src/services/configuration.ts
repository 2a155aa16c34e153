import { readAll } from "#core/configuration";
import { parseProviders, PROVIDER_VARIABLES } from "#llm/providers";
import { SETTINGS_READERS, SETTINGS_SCHEMAS } from "./settings";

/** Names of the variables that the Worker reads from its environment, besides those that `api_key_env` in `PROVIDERS` names. */
export const VARIABLES: readonly string[] = [
  ...PROVIDER_VARIABLES,
  ...SETTINGS_SCHEMAS.flatMap(({ shape }) => Object.keys(shape)),
];

/**
 * Checks all variables as the Worker does when it starts.
 * @param vars the environment
 * @throws ConfigurationError with every error
 */
export const checkConfiguration = (vars: Record<string, unknown>): void =>
  void readAll<unknown>([parseProviders, ...SETTINGS_READERS].map((read) => () => read(vars)));
