// The SDK, from its source: nothing has to be built before a script runs.
import "./typescript.mjs";

export const { ApiError, Parley } = await import("../../clients/typescript/src/index.ts");

/**
 * A client whose requests all end with a signal.
 * @param {string} url of the server
 * @param {string} key
 * @param {AbortSignal} [signal]
 */
export function parleyAt(url, key, signal) {
  const fetchUntil = (input, init = {}) =>
    fetch(input, { ...init, signal: AbortSignal.any([init.signal, signal].filter(Boolean)) });
  return new Parley({ baseURL: url, apiKey: key, fetch: fetchUntil });
}
