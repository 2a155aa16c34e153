// Copies to dist/assets what the Worker serves from there: the API's document and the script of its reference page. `npm run assets` and
// vitest.config.ts call it.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(import.meta.dirname, "../..");
const REFERENCE = join(fileURLToPath(import.meta.resolve("@scalar/api-reference")), "../browser/standalone.js");

export function copyStaticFiles() {
  copy(REFERENCE, "docs/reference.js");
  copy(join(ROOT, "openapi/openapi.json"), "openapi.json");
}

/** An equal file is not copied again: a server running in this folder would reload. */
function copy(source: string, path: string) {
  const target = join(ROOT, "dist/assets", path);
  if (existsSync(target) && readFileSync(target).equals(readFileSync(source))) return;
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
}
