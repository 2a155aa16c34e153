// npm run assets: copies the script of the API reference page to dist/assets, from where the Worker serves it, and makes the engine that
// runs generated programs (src/sandbox).
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeSandboxWasm } from "./sandbox-wasm.mjs";

const scalar = fileURLToPath(import.meta.resolve("@scalar/api-reference"));
const target = join(import.meta.dirname, "../dist/assets/docs");

mkdirSync(target, { recursive: true });
const source = join(scalar, "../browser/standalone.js");
const copy = join(target, "reference.js");
// A server that runs in this folder would reload at a copy of the same.
if (!existsSync(copy) || !readFileSync(copy).equals(readFileSync(source))) copyFileSync(source, copy);

makeSandboxWasm();
