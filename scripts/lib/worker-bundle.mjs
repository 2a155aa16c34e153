import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./wrangler.mjs";

/** What wrangler.toml says, as constants of the code: DURABLE_OBJECTS has the bound classes by the names of their bindings. */
function constants() {
  const toml = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const bindings = toml.matchAll(/^\[\[durable_objects\.bindings\]\]\nname = "(\w+)"\nclass_name = "(\w+)"$/gm);
  const classes = Object.fromEntries([...bindings].map(([, name, className]) => [name, className]));
  const [, version] = /^VERSION = "(.+)"$/m.exec(toml) ?? [];
  return { DURABLE_OBJECTS: JSON.stringify(classes), VERSION: JSON.stringify(version) };
}

/** What every bundle of the Worker for Node needs of esbuild. */
export const forNode = () =>
  /** @satisfies {import("esbuild").BuildOptions} */ ({
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    loader: { ".md": "text" },
    banner: { js: 'import{createRequire as makeRequire}from"node:module";const require=makeRequire(import.meta.url);' },
    define: constants(),
    logLevel: "warning",
  });

/** Modules of Cloudflare, and those that wrangler.toml replaces because workerd cannot run them. */
const REPLACED = {
  "cloudflare:workers": "src/node/cloudflare-workers.ts",
  ajv: "src/agents/tools/no-ajv.ts",
  "ajv-formats": "src/agents/tools/no-ajv.ts",
};

/**
 * Puts modules of ours in the place of others.
 * @param {Record<string, string>} more modules and their files, besides those of Cloudflare
 * @returns {import("esbuild").Plugin}
 */
export const replacingModules = (more = {}) => ({
  name: "replaced modules",
  setup(steps) {
    for (const [module, file] of Object.entries({ ...REPLACED, ...more }))
      steps.onResolve({ filter: new RegExp(`^${module}$`) }, ({ importer }) => {
        const path = join(ROOT, file);
        return importer === path ? undefined : { path };
      });
  },
});
