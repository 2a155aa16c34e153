// Builds the program into dist/serve, which needs nothing else but Node, and runs it in this process.
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { command } from "./lib/command.ts";
import { ROOT } from "./lib/wrangler.ts";
import { SERVE } from "./serve/about.ts";

const { values } = command({
  ...SERVE,
  options: { ...SERVE.options, build: { type: "boolean", help: "only builds the program, into dist/serve" } },
});

await import("./assets.ts");
const { buildHost } = await import("./serve/build.ts");
const program = await buildHost();
if (values.build) process.stdout.write(`${program}\n`);
else {
  enableCompileCache(join(ROOT, "dist/compile-cache"));
  await import(pathToFileURL(program).href);
}
