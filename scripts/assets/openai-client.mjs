// Builds dist/openai.mjs, the client of the npm package `openai` with the parts of its API that Parley calls. The package's client imports
// all of OpenAI's API, which no bundler can leave out, and that is a tenth of the Worker. `npm run assets` and vitest.config.ts call this; it
// does nothing when the file is up to date. wrangler.toml and vitest.config.ts put the file in the place of `openai`.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCE = fileURLToPath(import.meta.resolve("openai"));
const TARGET = join(import.meta.dirname, "../../dist/openai.mjs");

/** What Parley imports from `openai`. */
const EXPORTS = 'export { OpenAI, OpenAI as default } from "./client.mjs"; export * from "./error.mjs";';

/** Modules of the package with parts of the API, and with helpers around chat completions that stream or call tools in a loop. */
const PARTS = /\/openai\/(resources\/.+|lib\/(ChatCompletion\w*|EventStream))\.mjs$/;
/** Of these, what Parley calls, and what that shares with others. */
const CALLED = /\/resources\/(chat\/.+|chat|embeddings|index|shared)\.mjs$/;

/** Puts empty classes in the place of the others. */
const leaveOutTheRest = {
  name: "leave out parts of the API",
  setup({ onLoad }) {
    onLoad({ filter: PARTS }, ({ path }) => {
      if (CALLED.test(path)) return undefined;
      const text = readFileSync(path, "utf8");
      const classes = [...text.matchAll(/^export (?:class|const|var|let|function) (\w+)/gm)].map(([, name]) => name);
      const passedOn = [...text.matchAll(/^export .* from .*$/gm)].map(([line]) => line);
      return { contents: [...classes.map((name) => `export class ${name} {}`), ...passedOn].join("\n") };
    });
  },
};

/** @param {string} [target] path of the module; its first line names what it was made from */
export async function buildOpenAiClient(target = TARGET) {
  const script = readFileSync(fileURLToPath(import.meta.url));
  const version = readFileSync(join(dirname(SOURCE), "package.json"));
  const banner = `// Made from ${createHash("sha256").update(script).update(version).digest("hex")}`;
  if (existsSync(target) && readFileSync(target, "utf8").startsWith(banner)) return;
  const { outputFiles } = await build({
    stdin: { contents: EXPORTS, resolveDir: dirname(SOURCE) },
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    plugins: [leaveOutTheRest],
    banner: { js: banner },
    write: false,
  });
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}`; // an atomic rename: an interrupted build leaves no half-written file
  writeFileSync(temporary, outputFiles[0].text);
  renameSync(temporary, target);
}
