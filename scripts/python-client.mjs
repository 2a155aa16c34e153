// npm run python-client [-- --check]: writes the generated part of the Python client from openapi/openapi.json; with --check, fails when the part in the
// repository differs from the document.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./lib/wrangler.mjs";
import { resourcesOf } from "./python-client/operations.mjs";
import { clientModule } from "./python-client/resources.mjs";
import { typesModule } from "./python-client/types.mjs";

const FOLDER = join(ROOT, "clients/python/src/parley/generated");

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

const document = JSON.parse(readFileSync(join(ROOT, "openapi/openapi.json"), "utf8"));
const resources = resourcesOf(document);
const files = {
  "__init__.py": '"""Generated from openapi/openapi.json by scripts/python-client.mjs. Do not edit."""\n',
  "types.py": typesModule(document),
  "sync_client.py": clientModule(resources, false),
  "async_client.py": clientModule(resources, true),
};

/** @returns {string | undefined} */
function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

const changed = Object.entries(files).filter(([name, text]) => textOf(join(FOLDER, name)) !== text);
if (!values.check) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of changed) writeFileSync(join(FOLDER, name), text);
} else if (changed.length > 0) {
  const names = changed.map(([name]) => name).join(", ");
  process.stderr.write(
    `clients/python/src/parley/generated differs from openapi/openapi.json: ${names}. Run \`npm run python-client\`.\n`,
  );
  process.exitCode = 1;
}
