import { parentOf } from "./processes.ts";

const SHELL = /^(ba|da|a)?sh$/;

/** The parent process, and its parent when the first is the shell in which npm runs a script. */
function family() {
  const grandparent = parentOf(process.ppid, SHELL);
  return [process.ppid, ...(grandparent === null ? [] : [grandparent])].join();
}

/**
 * Calls back on a stop signal, or when the npm that runs this process has ended: npm forwards signals only to its shell, which does not
 * forward them.
 * @param stop may be called more than once
 */
export function onStop(stop: () => void) {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, stop);
  if (!process.env.npm_lifecycle_event) return;
  const before = family();
  setInterval(() => family() !== before && stop(), 250).unref();
}
