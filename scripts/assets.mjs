// npm run assets: copies the script of the API reference page to dist/assets, which the Worker serves, and builds the console beside it, the
// QuickJS engine that runs generated programs (src/agents/sandbox), and packages without the parts that Parley never uses.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildConsole } from "./assets/console.mjs";
import { buildSandboxWasm } from "./assets/sandbox-wasm.mjs";
import { buildSmallerPackages } from "./assets/smaller-packages.mjs";

const scalar = fileURLToPath(import.meta.resolve("@scalar/api-reference"));
const target = join(import.meta.dirname, "../dist/assets/docs");

mkdirSync(target, { recursive: true });
const source = join(scalar, "../browser/standalone.js");
const copy = join(target, "reference.js");
// An equal file is not copied again: a server running in this folder would reload.
if (!existsSync(copy) || !readFileSync(copy).equals(readFileSync(source))) copyFileSync(source, copy);

buildSandboxWasm();
await buildSmallerPackages();
await buildConsole();
