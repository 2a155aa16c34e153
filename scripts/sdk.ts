import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "./lib/command.ts";
import { ROOT } from "./lib/wrangler.ts";

const PACKAGE = join(ROOT, "clients/typescript");
const GENERATED = join(PACKAGE, "src/generated");

const { values } = command({
  name: "sdk",
  what: `Writes the generated cores of the TypeScript SDK and of the Python client from openapi/openapi.json, and builds the SDK's package.`,
  options: {
    check: {
      type: "boolean",
      help: "writes nothing, and fails when a core in the repository differs from the document",
    },
  },
});

/** Runs a program of the package's own folder or of the repository. */
const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [script, ...args], { cwd: PACKAGE, stdio: ["ignore", "ignore", "inherit"] });

const generate = (folder: string) =>
  run(join(PACKAGE, "node_modules/@hey-api/openapi-ts/bin/run.js"), "--output", folder, "--silent");

/** Texts of all files in a folder, by path. */
const textsOf = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]),
  );

function differ(ours: Map<string, string>, theirs: Map<string, string>) {
  return ours.size !== theirs.size || [...ours].some(([path, text]) => theirs.get(path) !== text);
}

if (values.check) {
  const folder = mkdtempSync(join(tmpdir(), "parley-sdk-"));
  try {
    generate(folder);
    if (differ(textsOf(GENERATED), textsOf(folder))) {
      process.stderr.write("clients/typescript/src/generated differs from openapi/openapi.json. Run `npm run sdk`.\n");
      process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  generate(GENERATED);
  rmSync(join(PACKAGE, "dist"), { recursive: true, force: true });
  run(join(ROOT, "node_modules/typescript/bin/tsc"), "-p", PACKAGE);
}

await import("./python-client.ts");
