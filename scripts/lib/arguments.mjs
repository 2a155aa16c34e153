import { parseArgs } from "node:util";

/**
 * `parseArgs` of a script. `--help` prints the usage and ends the process with 0; a wrong flag prints the reason and the usage, and ends it
 * with 2.
 * @template {import("node:util").ParseArgsConfig} T
 * @param {string} usage
 * @param {T} config
 * @returns {ReturnType<typeof parseArgs<T>>}
 */
export function parseOrExit(usage, config) {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return exitWithUsage(/** @type {Error} */ (error).message, usage);
  }
}

/**
 * For arguments that are wrong in another way.
 * @param {string} reason
 * @param {string} usage
 * @returns {never}
 */
export function exitWithUsage(reason, usage) {
  process.stderr.write(`${reason}\n\n${usage}\n`);
  process.exit(2);
}
