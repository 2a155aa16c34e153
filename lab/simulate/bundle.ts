import { hash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type PluginBuild } from "esbuild";
import { forNode, replacingModules } from "../../scripts/lib/worker-bundle.ts";
import { ROOT } from "../../scripts/lib/wrangler.ts";
import { applied, SABOTAGES } from "./sabotages.ts";

/** Modules that the simulation replaces. */
const REPLACED = {
  "node:timers/promises": "lab/simulate/virtual-timers.ts",
  ulid: "lab/simulate/ulid.ts",
};

/**
 * Bundles the Worker, the platform on Node and the simulation into one file for Node.
 * @returns path of the file
 */
export async function bundle({
  sabotages = [],
  traced = false,
}: {
  /** names of sabotages that are applied to the source */
  sabotages?: readonly string[];
  /** stacks of errors name the source; the file is then three times as large */
  traced?: boolean;
} = {}): Promise<string> {
  const edits = editsOf(sabotages);
  const folder = join(ROOT, "dist/simulate");
  mkdirSync(folder, { recursive: true });
  const name = hash("sha256", sabotages.join()).slice(0, 8);
  const outfile = join(folder, `simulation-${process.pid}-${name}.mjs`);
  const common = forNode();
  await build({
    ...common,
    entryPoints: [join(import.meta.dirname, "worker-process.ts")],
    outfile,
    // Migrations are read when the bundle runs.
    define: { ...common.define, MIGRATION_EDITS: JSON.stringify(edits.filter(({ file }) => file.endsWith(".sql"))) },
    plugins: [replacingModules(REPLACED), sabotaging(edits)],
    sourcemap: traced && "inline",
  });
  return outfile;
}

const editsOf = (sabotages: readonly string[]) =>
  sabotages.flatMap((name) => {
    const sabotage = SABOTAGES[name];
    if (!sabotage) throw new Error(`There is no sabotage ${name}; there are ${Object.keys(SABOTAGES).join(", ")}.`);
    return sabotage.edits;
  });

function sabotaging(wanted: ReturnType<typeof editsOf>) {
  const edits = Map.groupBy(wanted, ({ file }) => join(ROOT, file));
  return {
    name: "simulation",
    setup(steps: PluginBuild) {
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
