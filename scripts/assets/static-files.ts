// Copies to dist/assets what the Worker serves from there: the API's document and the script of its reference page. `npm run assets` and
// vitest.config.ts call it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../lib/wrangler.ts";

const REFERENCE = join(fileURLToPath(import.meta.resolve("@scalar/api-reference")), "../browser/standalone.js");

export function copyStaticFiles() {
  writeAsset("docs/reference.js", readFileSync(REFERENCE));
  writeAsset("openapi.json", readFileSync(join(ROOT, "openapi/openapi.json")));
}

/** Writes a file below dist/assets. An equal file is not written again: a server running in this folder would reload. */
export function writeAsset(name: string, content: Buffer) {
  const path = join(ROOT, "dist/assets", name);
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
