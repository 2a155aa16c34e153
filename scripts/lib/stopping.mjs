import { parentOf } from "./processes.mjs";

const SHELL = /^(ba|da|a)?sh$/;

/** Our parent, and its own when it is the shell that npm runs a script in. */
function family() {
  const grandparent = parentOf(process.ppid, SHELL);
  return [process.ppid, ...(grandparent === null ? [] : [grandparent])].join();
}

/**
 * Calls back when we are to stop: by a signal, or because the npm that runs us was ended. It passes signals on to its shell, which
 * passes on none.
 * @param {() => void} stop may be called more than once
 */
export function onStop(stop) {
  for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(name, stop);
  if (!process.env.npm_lifecycle_event) return;
  const before = family();
  setInterval(() => family() !== before && stop(), 250).unref();
}
