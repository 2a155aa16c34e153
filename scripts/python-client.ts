import { readFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "./lib/command.ts";
import { CHECK, writeOrCheck } from "./lib/generated.ts";
import { ROOT } from "./lib/wrangler.ts";
import { resourcesOf } from "./python-client/operations.ts";
import { clientModule } from "./python-client/resources.ts";
import { typesModule } from "./python-client/types.ts";

const FOLDER = "clients/python/src/parley/generated";

const { values } = command({
  name: "python-client",
  what: "Writes the generated part of the Python client from openapi/openapi.json.",
  options: CHECK,
});

const document = JSON.parse(readFileSync(join(ROOT, "openapi/openapi.json"), "utf8"));
const resources = resourcesOf(document);
const files = {
  [`${FOLDER}/__init__.py`]: '"""Generated from openapi/openapi.json by scripts/python-client.ts. Do not edit."""\n',
  [`${FOLDER}/types.py`]: typesModule(document),
  [`${FOLDER}/sync_client.py`]: clientModule(resources, false),
  [`${FOLDER}/async_client.py`]: clientModule(resources, true),
};
writeOrCheck(files, "python-client", values);
