import "./typescript.ts";
import { pickVariables } from "./pick-variables.ts";

const { checkConfiguration, VARIABLES } = await import("#services/configuration");
const { ConfigurationError } = await import("#core/configuration");
const { PROVIDER_VARIABLES } = await import("#llm/providers");
export const { defaultModelWarning } = await import("./default-model.ts");

/** The Worker's variables that an environment sets, with the keys that `api_key_env` in PROVIDERS names. */
export const workerVariables = (env: Record<string, string | undefined> = process.env): Record<string, string> =>
  pickVariables(env, VARIABLES);

/** Variables that only a server on this machine takes. */
const LOCAL_ONLY = ["PORT", "PARLEY_STATE", "ALLOW_PRIVATE_URLS", "ALLOW_PRIVATE_HOSTS", "SMTP_URL"];

/** The environment's variables for a deployment, and the names of those that are not for it. */
export function deployedVariables(env = process.env) {
  const variables = Object.entries(workerVariables(env)).filter(([name]) => !LOCAL_ONLY.includes(name));
  return { variables: Object.fromEntries(variables), local: LOCAL_ONLY.filter((name) => env[name]) };
}

/** Cloudflare takes variables and secrets up to this size. Bytes. */
const MAX_SIZE = 5 * 1024;

/**
 * Refuses variables that Cloudflare would refuse after the first steps of a deployment.
 * @throws Error with one line for each
 */
export function checkSizes(variables: Record<string, string>) {
  const large = Object.entries(variables).filter(([, value]) => Buffer.byteLength(value) > MAX_SIZE);
  if (large.length === 0) return;
  const lines = large.map(
    ([name, value]) =>
      `Configuration: ${name} has ${Buffer.byteLength(value)} bytes, and Cloudflare takes at most ${MAX_SIZE}: shorten it.`,
  );
  throw new Error(lines.join("\n"));
}

/** The variables of model providers that an environment sets. */
export function providerVariables(env = process.env) {
  const others = new Set(VARIABLES.filter((name) => !(PROVIDER_VARIABLES as readonly string[]).includes(name)));
  return Object.fromEntries(Object.entries(workerVariables(env)).filter(([name]) => !others.has(name)));
}

/** In place of secrets that a deployment has already, or that the scripts make. */
function standIns({ PARLEY_SECRET_UNTIL = "never", PARLEY_SECRET_2_UNTIL }: Record<string, string>) {
  const isRotated = PARLEY_SECRET_UNTIL !== "never" || PARLEY_SECRET_2_UNTIL !== undefined;
  return { PARLEY_SECRET: "-".repeat(32), ...(isRotated && { PARLEY_SECRET_2: "+".repeat(32) }) };
}

/**
 * Checks variables as the Worker checks them when it starts. A secret that is not given is no error.
 * @throws Error with one line for each error
 */
export function checkVariables(variables: Record<string, string>) {
  try {
    checkConfiguration({ ...standIns(variables), ...variables });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Error(error.errors.join("\n"), { cause: error });
  }
}
