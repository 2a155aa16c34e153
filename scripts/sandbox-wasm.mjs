// Makes dist/quickjs-fuel.wasm, the engine of src/sandbox, from the QuickJS of the npm package. `npm run assets` calls it, and so does
// the configuration of vitest; when the file is up to date it does nothing.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addFuel } from "./lib/wasm-fuel.mjs";

const SOURCE = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
const REWRITER = join(import.meta.dirname, "lib/wasm-fuel.mjs");
export const TARGET = join(import.meta.dirname, "../dist/quickjs-fuel.wasm");

/**
 * @param {string} [target] where the module goes; beside it, `<target>.made-from` says from what it was made
 * @returns {boolean} false when it was up to date
 */
export function makeSandboxWasm(target = TARGET) {
  const source = readFileSync(SOURCE);
  const madeFrom = createHash("sha256").update(source).update(readFileSync(REWRITER)).digest("hex");
  const mark = `${target}.made-from`;
  if (existsSync(target) && existsSync(mark) && readFileSync(mark, "utf8") === madeFrom) return false;
  const { wasm } = addFuel(source);
  if (!WebAssembly.validate(wasm))
    throw new Error(
      `${SOURCE} with fuel is not valid WebAssembly; scripts/lib/wasm-fuel.mjs does not fit this version of it.`,
    );
  mkdirSync(dirname(target), { recursive: true });
  // Renamed into place, the mark last: two that build at once, or one that is cut short, leave nothing half written.
  replace(target, wasm);
  replace(mark, madeFrom);
  return true;
}

function replace(path, content) {
  const half = `${path}.${process.pid}`;
  writeFileSync(half, content);
  renameSync(half, path);
}

if (process.argv[1] === import.meta.filename)
  console.log(`${TARGET} ${makeSandboxWasm() ? "was made." : "is up to date."}`);
