import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Serving } from "../workerd/main.ts";
import { CONFIG, databaseBindings, localName } from "./bindings.ts";
import { keysOfState } from "./local-keys.ts";
import { prepareState } from "./state.ts";
import { ROOT } from "./wrangler.ts";

/** What a server is to be made of. */
export interface Wanted {
  /** folder of all stored state */
  state: string;
  /** SQL that adds more tenants to a new folder */
  seed?: string;
  /** the Worker's entry, in place of the one that wrangler.toml names */
  main?: string;
  /** how many D1 databases there are, in place of those that wrangler.toml names; on workerd only */
  databases?: number;
  /** further arguments of the Node host */
  args?: string[];
}

/** Keys of a prepared folder, and a function that starts the server's process. */
export interface Prepared {
  secret: string;
  test_key: string;
  live_key: string;
  launch: (options: { port: number; variables: Record<string, string> }) => ChildProcess;
}

const PRELOAD = ["--import", import.meta.resolve("./exit-with-parent.ts")];

/** Those of `npm run serve` and the Dockerfile: they bound the memory of the Node host. */
const NODE_FLAGS = ["--max-semi-space-size=16"];

const makeAssets = () => promisify(execFile)(process.execPath, [join(ROOT, "scripts/assets.ts")]);

/** workerd with local D1, R2 and Workflows, on the Worker as it is deployed. */
async function workerd({ state, seed, main, databases }: Wanted): Promise<Prepared> {
  await makeAssets();
  const config = databases === undefined ? CONFIG : configWith(state, databases);
  const keys = prepareState(state, seed, databaseBindings(config));
  const { buildWorker } = await import("../workerd/build.ts");
  const built = await buildWorker({ config, main });
  const launch: Prepared["launch"] = ({ port, variables }) => {
    const file = join(state, "variables.json");
    writeFileSync(file, JSON.stringify(variables), { mode: 0o600 });
    const serving: Serving = { ...built, state, port, variables: file };
    return spawn(process.execPath, [...PRELOAD, join(ROOT, "scripts/workerd/main.ts"), JSON.stringify(serving)], {
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(ROOT, "dist/compile-cache"),
        ...(!process.stderr.isTTY && { NO_COLOR: "1" }),
      },
    });
  };
  return { ...keys, launch };
}

/**
 * Writes a configuration with this many databases into the state folder; its paths are absolute.
 * @returns its path
 */
function configWith(state: string, databases: number): string {
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
const programs = new Map<string | undefined, string>();
async function programOf(main?: string) {
  const known = programs.get(main);
  if (known) return known;
  await makeAssets();
  const { buildHost } = await import("../serve/build.ts"); // esbuild takes time to load
  const program = await buildHost(main);
  programs.set(main, program);
  return program;
}

/** The program of `npm run serve`. */
async function node({ state, seed, main, args: more = [] }: Wanted): Promise<Prepared> {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const keys = keysOfState(join(state, "keys.json"), seed);
  const program = await programOf(main);
  const launch: Prepared["launch"] = ({ port, variables }) => {
    const { PATH, TZ } = process.env;
    const env: Record<string, string | undefined> = {
      PATH,
      TZ,
      NODE_COMPILE_CACHE: join(ROOT, "dist/compile-cache"),
      ...variables,
    };
    const args = [...NODE_FLAGS, ...PRELOAD, program, "--data", state, "--port", String(port), "--json", ...more];
    return spawn(process.execPath, args, { env: env as NodeJS.ProcessEnv });
  };
  return { ...keys, launch };
}

/** What can run the Worker on this machine. */
export const HOSTS = { workerd, node };

export function hostNamed(name: string): keyof typeof HOSTS {
  if (Object.hasOwn(HOSTS, name)) return name as keyof typeof HOSTS;
  throw new Error(`There is no host "${name}"; choose ${Object.keys(HOSTS).join(" or ")}.`);
}
