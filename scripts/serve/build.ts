import { hash } from "node:crypto";
import { copyFileSync, cpSync, globSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { migrationsOf } from "../lib/migrations.ts";
import { forNode, replacingModules } from "../lib/worker-bundle.ts";
import { workflowNames } from "../lib/workflow-names.ts";
import { ROOT } from "../lib/wrangler.ts";

/** Changes of these make a bundle old. */
const SOURCES = [
  "src/**/*.{ts,tsx,md}",
  "workflows/**/*.{ts,md}",
  "prompts/**/*.md",
  "migrations/*.sql",
  "{scripts/{serve,lib,backup,operator},lab/chaos}/*",
  "scripts/operator.ts",
  "test/support/faults.ts",
  "{package-lock.json,wrangler.toml}",
  "dist/*.wasm",
  "dist/assets/console/index.html",
];

/**
 * Bundles the Worker with its host into a folder that needs nothing else but Node, and `npm run operator` beside it. An up-to-date bundle is kept.
 * @param main the Worker's entry, in place of src/worker.ts
 * @returns path of the program
 */
export async function buildHost(main = "src/worker.ts"): Promise<string> {
  const name = main === "src/worker.ts" ? "serve" : `serve-${hash("sha256", main).slice(0, 8)}`;
  const folder = join(ROOT, "dist", name);
  const program = join(folder, "parley.mjs");
  if (isNewer(program)) return program;
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, "assets"), { recursive: true, force: true });
  cpSync(join(ROOT, "dist/assets"), join(folder, "assets"), { recursive: true });
  await bundle("scripts/serve/main.ts", join(folder, "server.mjs"), [
    replacingModules(),
    virtualModules(main),
    wasmBeside(folder),
  ]);
  await bundle("scripts/operator.ts", join(folder, "operator.mjs"));
  await bundle("scripts/serve/launcher.mjs", program);
  return program;
}

/** By an atomic rename: a server that starts beside this one reads no half-written program. */
async function bundle(entry: string, file: string, plugins: Plugin[] = []): Promise<void> {
  const written = `${file}.${process.pid}`;
  const options = forNode();
  await build({
    ...options,
    entryPoints: [join(ROOT, entry)],
    outfile: written,
    minifySyntax: true,
    minifyWhitespace: true,
    external: ["./server.mjs"],
    define: { ...options.define, WORKFLOWS: JSON.stringify(workflowNames()) },
    plugins,
  });
  renameSync(written, file);
}

function isNewer(program: string) {
  const built = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return built > 0 && globSync(SOURCES, { cwd: ROOT }).every((file) => statSync(join(ROOT, file)).mtimeMs < built);
}

const virtualModules = (main: string): Plugin => ({
  name: "virtual modules",
  setup(steps) {
    steps.onResolve({ filter: /^parley:worker$/ }, () => ({ path: join(ROOT, main) }));
    steps.onResolve({ filter: /^parley:migrations$/ }, ({ path }) => ({ path, namespace: "parley" }));
    steps.onLoad({ filter: /^parley:migrations$/, namespace: "parley" }, () => ({
      contents: `export default ${JSON.stringify(migrationsOf(ROOT))}`,
    }));
  },
});

/** Copies each wasm file beside the program, which reads it when it starts. */
const wasmBeside = (folder: string): Plugin => ({
  name: "wasm beside the program",
  setup({ onLoad }) {
    onLoad({ filter: /\.wasm$/ }, ({ path }) => {
      copyFileSync(path, join(folder, basename(path)));
      const url = `new URL(${JSON.stringify(`./${basename(path)}`)}, import.meta.url)`;
      return {
        contents: `import { readFileSync } from "node:fs"; export default new WebAssembly.Module(readFileSync(${url}));`,
      };
    });
  },
});
