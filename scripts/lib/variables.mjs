/** Settings of src/services/settings.ts that are read from the environment. */
const SETTINGS = [
  "PARLEY_SECRET",
  "PUBLIC_URL",
  "ALLOW_PRIVATE_URLS",
  "RESOLVER_URL",
  "RATE_LIMIT_PER_MINUTE",
  "KEEPER_INTERVAL_MS",
  "NUDGE_AFTER_MS",
  "STALLED_AFTER_MS",
  "LLM_TIMEOUT_MS",
  "MAX_CONCURRENT_RUNS",
  "RETENTION_DAYS",
  "LOG_LEVEL",
  "LOG_CONTENT",
];

/** @returns {Record<string, string>} */
const pick = (env, isWanted) =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => value && isWanted(name)));

/** The variables of model providers: OPENAI_*, PROVIDERS, and the keys that PROVIDERS names. */
export function providerVariables(env = process.env) {
  const keys = [...(env.PROVIDERS ?? "").matchAll(/"api_key_env"\s*:\s*"([^"]+)"/g)].map(([, name]) => name);
  return pick(env, (name) => name.startsWith("OPENAI_") || name === "PROVIDERS" || keys.includes(name));
}

export const settingVariables = (env = process.env) =>
  pick(env, (name) => SETTINGS.includes(name) || name.startsWith("OTEL_"));
