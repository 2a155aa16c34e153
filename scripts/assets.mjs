// npm run assets: copies the script of the API reference page to dist/assets, from where the Worker serves it, and makes the engine that
// runs generated programs (src/sandbox).
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeSandboxWasm } from "./sandbox-wasm.mjs";

const scalar = fileURLToPath(import.meta.resolve("@scalar/api-reference"));
const target = join(import.meta.dirname, "../dist/assets/docs");

mkdirSync(target, { recursive: true });
copyFileSync(join(scalar, "../browser/standalone.js"), join(target, "reference.js"));

makeSandboxWasm();
