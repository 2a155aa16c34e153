import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { ROOT } from "./wrangler.ts";

/** What wrangler.toml says, as constants of the code: DURABLE_OBJECTS has the bound classes by the names of their bindings. */
export function workerConstants() {
  const text = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const bindings = text.matchAll(/^\[\[durable_objects\.bindings\]\]\nname = "(\w+)"\nclass_name = "(\w+)"$/gm);
  const classes = Object.fromEntries([...bindings].map(([, name, className]) => [name, className]));
  const [, version] = /^VERSION = "(.+)"$/m.exec(text) ?? [];
  return { DURABLE_OBJECTS: JSON.stringify(classes), VERSION: JSON.stringify(version) };
}

/** What every bundle of the Worker for Node needs of esbuild. */
export const forNode = () =>
  ({
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    loader: { ".md": "text" },
    banner: { js: 'import{createRequire as makeRequire}from"node:module";const require=makeRequire(import.meta.url);' },
    define: workerConstants(),
    logLevel: "warning",
  }) satisfies BuildOptions;

/**
 * Puts modules of ours in the place of others: of Cloudflare's.
 * @param more further modules and their files
 */
export const replacingModules = (more: Record<string, string> = {}): Plugin => ({
  name: "replaced modules",
  setup(steps) {
    const replaced = { "cloudflare:workers": "src/node/cloudflare-workers.ts", ...more };
    for (const [module, file] of Object.entries(replaced))
      steps.onResolve({ filter: new RegExp(`^${RegExp.escape(module)}$`) }, ({ importer }) => {
        const path = join(ROOT, file);
        return importer === path ? undefined : { path };
      });
  },
});
