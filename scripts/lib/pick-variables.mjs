/**
 * The Worker's variables that an environment sets, with the keys that `api_key_env` in PROVIDERS names.
 * @param {Record<string, string | undefined>} env
 * @param {readonly string[]} names of the variables
 * @returns {Record<string, string>}
 */
export function pickVariables(env, names) {
  const keys = [...(env.PROVIDERS ?? "").matchAll(/"api_key_env"\s*:\s*"([^"]+)"/g)].map(([, name]) => name);
  const wanted = [...names, ...keys].filter((name) => name !== "VERSION" && env[name]);
  return Object.fromEntries(wanted.map((name) => [name, /** @type {string} */ (env[name])]));
}
