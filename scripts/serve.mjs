// npm run serve [-- --help]: serves Parley on Node alone, from one folder. The program is built into dist/serve, which needs nothing else
// but Node; `--build` only builds it.
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./lib/wrangler.mjs";

await import("./assets.mjs");
const { buildHost } = await import("./serve/build.mjs");
const program = await buildHost();
if (process.argv.includes("--build")) process.stdout.write(`${program}\n`);
else {
  enableCompileCache(join(ROOT, "dist/compile-cache"));
  await import(pathToFileURL(program).href);
}
