// Builds dist/quickjs-fuel.wasm, the engine of src/agents/sandbox, from the QuickJS of the npm package. `npm run assets` and vitest.config.ts
// call it; it does nothing when the file is up to date.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addFuel } from "./wasm-fuel.ts";

const SOURCE = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
const REWRITER = join(import.meta.dirname, "wasm-fuel.ts");
const TARGET = join(import.meta.dirname, "../../dist/quickjs-fuel.wasm");

/**
 * @param target path of the module; `<target>.made-from` beside it holds the hash of its sources
 * @returns false when the module was up to date
 */
export function buildSandboxWasm(target: string = TARGET): boolean {
  const source = readFileSync(SOURCE);
  const madeFrom = createHash("sha256").update(source).update(readFileSync(REWRITER)).digest("hex");
  const hashFile = `${target}.made-from`;
  if (existsSync(target) && existsSync(hashFile) && readFileSync(hashFile, "utf8") === madeFrom) return false;
  const wasm = addFuel(source);
  if (!WebAssembly.validate(wasm))
    throw new Error(
      `${SOURCE} with fuel is not valid WebAssembly: scripts/assets/wasm-fuel.ts does not support this version of QuickJS.`,
    );
  mkdirSync(dirname(target), { recursive: true });
  // Atomic renames, the hash last: concurrent or interrupted builds leave no half-written file.
  replace(target, wasm);
  replace(hashFile, madeFrom);
  return true;
}

function replace(path: string, content: string | Uint8Array) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}
