import { execFile, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CONFIG, databaseBindings, localName } from "./bindings.mjs";
import { keysOfState } from "./local-keys.mjs";
import { prepareState } from "./state.mjs";
import { ROOT } from "./wrangler.mjs";

/**
 * What a server is to be made of.
 * @typedef {object} Wanted
 * @property {string} state folder of all stored state
 * @property {string} [seed] SQL that adds more tenants to a new folder
 * @property {string} [main] the Worker's entry, in place of the one that wrangler.toml names
 * @property {number} [databases] how many D1 databases there are, in place of those that wrangler.toml names; on workerd only
 */

/**
 * Keys of a prepared folder, and a function that starts the server's process.
 * @typedef {object} Prepared
 * @property {string} secret
 * @property {string} test_key
 * @property {string} live_key
 * @property {(options: {port: number, variables: Record<string, string>}) => import("node:child_process").ChildProcess} launch
 */

const PRELOAD = ["--import", import.meta.resolve("./exit-with-parent.mjs")];

/** Those of `npm run serve` and the Dockerfile: they bound the memory of the Node host. */
const NODE_FLAGS = ["--max-semi-space-size=16"];

const makeAssets = () => promisify(execFile)(process.execPath, [join(ROOT, "scripts/assets.mjs")]);

/** workerd with local D1, R2 and Workflows, on the Worker as it is deployed. @type {(wanted: Wanted) => Promise<Prepared>} */
async function workerd({ state, seed, main, databases }) {
  await makeAssets();
  const config = databases === undefined ? CONFIG : configWith(state, databases);
  const keys = prepareState(state, seed, databaseBindings(config));
  const { buildWorker } = await import("../workerd/build.mjs");
  const built = await buildWorker({ config, main });
  const launch = ({ port, variables }) => {
    const file = join(state, "variables.json");
    writeFileSync(file, JSON.stringify(variables), { mode: 0o600 });
    return launchWorkerd({ ...built, state, port, variables: file });
  };
  return { ...keys, launch };
}

/** Starts the process that serves a built Worker. @param {import("../workerd/main.mjs").Serving} serving */
export const launchWorkerd = (serving) =>
  spawn(process.execPath, [...PRELOAD, join(ROOT, "scripts/workerd/main.mjs"), JSON.stringify(serving)], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(ROOT, "dist/compile-cache"),
      ...(!process.stderr.isTTY && { NO_COLOR: "1" }),
    },
  });

/** Writes a configuration with this many databases into the state folder; its paths are absolute. @returns {string} its path */
function configWith(state, databases) {
  const further = Array.from({ length: databases - 1 }, (_, n) => {
    const name = localName(`DB_${n + 2}`);
    return `\n[[d1_databases]]\nbinding = "DB_${n + 2}"\ndatabase_name = "${name}"\npreview_database_id = "${name}"\n`;
  });
  const toml = readFileSync(CONFIG, "utf8").replaceAll(/"(?:\.\/)?((?:src|dist)\/)/g, `"${ROOT}/$1`);
  const file = join(state, "wrangler.toml");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(file, toml + further.join(""));
  return file;
}

/** Builds the program of `npm run serve`, once a process: a server that is started again after a kill is back at once. */
const programs = new Map();
async function programOf(main) {
  const known = programs.get(main);
  if (known) return known;
  await makeAssets();
  const { buildHost } = await import("../serve/build.mjs"); // esbuild takes time to load
  const program = await buildHost(main);
  programs.set(main, program);
  return program;
}

/** The program of `npm run serve`. @type {(wanted: Wanted) => Promise<Prepared>} */
async function node({ state, seed, main }) {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const keys = keysOfState(join(state, "keys.json"), seed);
  const program = await programOf(main);
  const launch = ({ port, variables }) =>
    spawn(process.execPath, [...NODE_FLAGS, ...PRELOAD, program, "--data", state, "--port", String(port), "--json"], {
      env: {
        PATH: process.env.PATH,
        TZ: process.env.TZ,
        NODE_COMPILE_CACHE: join(ROOT, "dist/compile-cache"),
        ...variables,
      },
    });
  return { ...keys, launch };
}

/** What can run the Worker on this machine. */
export const HOSTS = { workerd, node };

/** @param {string} name @returns {keyof typeof HOSTS} */
export function hostNamed(name) {
  if (Object.hasOwn(HOSTS, name)) return /** @type {keyof typeof HOSTS} */ (name);
  throw new Error(`There is no host "${name}"; choose ${Object.keys(HOSTS).join(" or ")}.`);
}
