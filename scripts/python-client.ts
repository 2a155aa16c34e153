import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "./lib/command.ts";
import { ROOT } from "./lib/wrangler.ts";
import { resourcesOf } from "./python-client/operations.ts";
import { clientModule } from "./python-client/resources.ts";
import { typesModule } from "./python-client/types.ts";

const FOLDER = join(ROOT, "clients/python/src/parley/generated");

const { values } = command({
  name: "python-client",
  what: "Writes the generated part of the Python client from openapi/openapi.json.",
  options: {
    check: {
      type: "boolean",
      help: "writes nothing, and fails when the part in the repository differs from the document",
    },
  },
});

const document = JSON.parse(readFileSync(join(ROOT, "openapi/openapi.json"), "utf8"));
const resources = resourcesOf(document);
const files = {
  "__init__.py": '"""Generated from openapi/openapi.json by scripts/python-client.ts. Do not edit."""\n',
  "types.py": typesModule(document),
  "sync_client.py": clientModule(resources, false),
  "async_client.py": clientModule(resources, true),
};

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
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
