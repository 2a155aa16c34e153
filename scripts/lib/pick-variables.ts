/**
 * The Worker's variables that an environment sets, with the keys that `api_key_env` in PROVIDERS names.
 * @param names of the variables
 */
export function pickVariables(
  env: Record<string, string | undefined>,
  names: readonly string[],
): Record<string, string> {
  const keys = [...(env.PROVIDERS ?? "").matchAll(/"api_key_env"\s*:\s*"([^"]+)"/g)].map(([, name]) => name as string);
  const wanted = [...names, ...keys].filter((name) => name !== "VERSION" && env[name]);
  return Object.fromEntries(wanted.map((name) => [name, env[name] as string]));
}
