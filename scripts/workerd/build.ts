import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { CONFIG } from "../lib/bindings.ts";
import { ROOT, wrangler } from "../lib/wrangler.ts";

/** A change of these makes another bundle. */
const SOURCES = [
  "src/**/*.{ts,tsx,json,md}",
  "workflows/**/*.{ts,md}",
  "prompts/**/*.md",
  "test/support/faults.ts",
  "package.json",
  "package-lock.json",
  "wrangler.toml",
  "dist/*.wasm",
];

/** Bundles that no server has been started with for so long are removed. Milliseconds. */
const KEPT_MS = 60 * 60_000;

/** What workerd is started with. */
export interface Built {
  /** file of the bundled Worker; its further modules are beside it */
  entry: string;
  /** file with the Worker's bindings, as Miniflare has them */
  options: string;
}

/**
 * Builds the Worker as for a deployment, and reads the bindings of its configuration. What is built already is kept: wrangler takes three seconds, and
 * serving needs none of it.
 * @param of `config`: further databases, or another Worker; `main`: an entry in place of the configuration's
 */
export async function buildWorker({ config = CONFIG, main }: { config?: string; main?: string } = {}): Promise<Built> {
  const [entry, options] = await Promise.all([bundled(main), optionsOf(config)]);
  return { entry, options };
}

/** Builds a Worker of its own configuration, into the folder of that. */
export async function buildPlainWorker(config: string, main: string): Promise<Built> {
  const folder = join(dirname(config), "worker");
  await wrangler(["deploy", "--config", config, "--dry-run", "--outdir", folder]);
  return { entry: join(folder, scriptOf(main)), options: await optionsOf(config) };
}

const hashOf = (...texts: unknown[]) => hash("sha256", JSON.stringify(texts)).slice(0, 16);
const scriptOf = (main: string) => `${basename(main).replace(/\.\w+$/, "")}.js`;
const local = (...names: string[]) => join(ROOT, "dist/local", ...names);

async function bundled(main = "src/worker.ts") {
  const files = [main, ...globSync(SOURCES, { cwd: ROOT }).sort()];
  const folder = local(hashOf(...files.map((file) => [file, readFileSync(join(ROOT, file), "latin1")])));
  if (existsSync(folder)) used(folder);
  else {
    const written = `${folder}.${process.pid}`;
    await wrangler(["deploy", ...(main === "src/worker.ts" ? [] : [main]), "--dry-run", "--outdir", written]);
    moveTo(written, folder);
    removeOld();
  }
  return join(folder, scriptOf(main));
}

/** An atomic rename: a process that builds the same beside this one is not disturbed. */
function moveTo(written: string, place: string) {
  try {
    renameSync(written, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    rmSync(written, { recursive: true });
  }
}

/** Notes that a place is in use, so that no other process removes it as old. */
function used(place: string) {
  const now = new Date();
  utimesSync(place, now, now);
  return place;
}

function removeOld() {
  for (const name of readdirSync(local())) {
    const age = Date.now() - (statSync(local(name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > KEPT_MS) rmSync(local(name), { recursive: true, force: true });
  }
}

/** In a process of its own: wrangler takes a second to load, and two hundred MiB. */
async function optionsOf(config: string) {
  const isOurs = config === CONFIG;
  const place = isOurs ? local(`${hashOf(config, readFileSync(config, "utf8"))}.json`) : `${config}.json`;
  if (isOurs && existsSync(place)) return used(place);
  mkdirSync(dirname(place), { recursive: true });
  const written = `${place}.${process.pid}`;
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, "write-options.ts"), config, written]);
  moveTo(written, place);
  return place;
}
