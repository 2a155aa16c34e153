import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "./lib/command.ts";
import { CHECK, writeOrCheck } from "./lib/generated.ts";
import { ROOT } from "./lib/wrangler.ts";

const PACKAGE = join(ROOT, "clients/typescript");
const GENERATED = "clients/typescript/src/generated";

const { values } = command({
  name: "sdk",
  what: `Writes the generated cores of the TypeScript SDK and of the Python client from openapi/openapi.json, and builds the SDK's package.`,
  options: CHECK,
});

/** Runs a program of the package's own folder or of the repository. */
const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [script, ...args], { cwd: PACKAGE, stdio: ["ignore", "ignore", "inherit"] });

const folder = mkdtempSync(join(tmpdir(), "parley-sdk-"));
try {
  run(join(PACKAGE, "node_modules/@hey-api/openapi-ts/bin/run.js"), "--output", folder, "--silent");
  const namesIn = (of: string) => globSync("**/*.ts", { cwd: of });
  writeOrCheck(
    Object.fromEntries([
      ...namesIn(join(ROOT, GENERATED)).map((name) => [`${GENERATED}/${name}`, null]),
      ...namesIn(folder).map((name) => [`${GENERATED}/${name}`, readFileSync(join(folder, name), "utf8")]),
    ]),
    "sdk",
    values,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (!values.check) {
  rmSync(join(PACKAGE, "dist"), { recursive: true, force: true });
  run(join(ROOT, "node_modules/typescript/bin/tsc"), "-p", PACKAGE);
}

await import("./python-client.ts");
