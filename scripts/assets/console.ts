import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/wrangler.ts";

/** What the built console depends on. */
const INPUTS = [
  "console/{index.html,package.json,vite.config.ts}",
  "console/{src,public}/**/*",
  "clients/typescript/src/**/*.ts",
  "src/core/errors.ts",
  "package-lock.json",
];
const TARGET = join(ROOT, "dist/assets/console");
const STAMP = join(ROOT, "dist/console.hash");

/** Builds the console into dist/assets/console, unless it was built from the same files. */
export async function buildConsole() {
  const hash = hashOfInputs();
  if (existsSync(join(TARGET, "index.html")) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === hash) return;
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const scratch = mkdtempSync(join(ROOT, "dist/console-"));
  try {
    await buildForProduction(join(scratch, "built"));
    // Put in place as a whole: a server that is running never sees half of it.
    mkdirSync(join(ROOT, "dist/assets"), { recursive: true });
    if (existsSync(TARGET)) renameSync(TARGET, join(scratch, "before"));
    renameSync(join(scratch, "built"), TARGET);
    writeFileSync(STAMP, hash);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Under another NODE_ENV, such as that of a test, Vite would take the variants of React for development, which are larger by half. */
async function buildForProduction(outDir: string) {
  const { build } = await import("vite");
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  try {
    await build({ configFile: join(ROOT, "console/vite.config.ts"), build: { outDir }, logLevel: "error" });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

function hashOfInputs() {
  const hash = createHash("sha256");
  for (const file of globSync(INPUTS, { cwd: ROOT }).sort()) {
    const path = join(ROOT, file);
    if (!statSync(path).isFile()) continue;
    hash.update(`${file}\0`).update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}
