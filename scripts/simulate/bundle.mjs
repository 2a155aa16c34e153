import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { forNode, replacingModules } from "../lib/worker-bundle.mjs";
import { ROOT } from "../lib/wrangler.mjs";
import { applied, SABOTAGES } from "./sabotages.mjs";

/** Modules that the simulation replaces. */
const REPLACED = {
  "node:timers/promises": "scripts/simulate/virtual-timers.mjs",
  ulid: "scripts/simulate/ulid.mjs",
};

/**
 * Bundles the Worker, the platform on Node and the simulation into one file for Node.
 * @param {object} options
 * @param {readonly string[]} [options.sabotages] names of sabotages that are applied to the source
 * @param {boolean} [options.traced] stacks of errors name the source; the file is then three times as large
 * @returns {Promise<string>} path of the file
 */
export async function bundle({ sabotages = [], traced = false } = {}) {
  const edits = editsOf(sabotages);
  const folder = join(ROOT, "dist/simulate");
  mkdirSync(folder, { recursive: true });
  const name = createHash("sha256").update(sabotages.join()).digest("hex").slice(0, 8);
  const outfile = join(folder, `simulation-${process.pid}-${name}.mjs`);
  const common = forNode();
  await build({
    ...common,
    entryPoints: [join(import.meta.dirname, "worker-process.mjs")],
    outfile,
    // Migrations are read when the bundle runs.
    define: { ...common.define, MIGRATION_EDITS: JSON.stringify(edits.filter(({ file }) => file.endsWith(".sql"))) },
    plugins: [replacingModules(REPLACED), sabotaging(edits)],
    sourcemap: traced && "inline",
  });
  return outfile;
}

/** @param {readonly string[]} sabotages */
const editsOf = (sabotages) =>
  sabotages.flatMap((name) => {
    const sabotage = SABOTAGES[name];
    if (!sabotage) throw new Error(`There is no sabotage ${name}; there are ${Object.keys(SABOTAGES).join(", ")}.`);
    return sabotage.edits;
  });

/** @param {ReturnType<typeof editsOf>} wanted */
function sabotaging(wanted) {
  const edits = Map.groupBy(wanted, ({ file }) => join(ROOT, file));
  return {
    name: "simulation",
    /** @param {import("esbuild").PluginBuild} steps */
    setup(steps) {
      steps.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
        contents: `import { readFileSync } from "node:fs";
          export default new WebAssembly.Module(readFileSync(${JSON.stringify(path)}));`,
      }));
      for (const [path, ofFile] of edits)
        steps.onLoad({ filter: new RegExp(`^${RegExp.escape(path)}$`) }, () => {
          const contents = ofFile.reduce((source, edit) => applied(source, edit), readFileSync(path, "utf8"));
          return { contents, loader: "ts" };
        });
    },
  };
}
