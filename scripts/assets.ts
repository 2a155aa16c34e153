import { buildConsole } from "./assets/console.ts";
import { buildGuide } from "./assets/guide.ts";
import { buildSandboxWasm } from "./assets/sandbox-wasm.ts";
import { buildSmallerPackages } from "./assets/smaller-packages.ts";
import { command } from "./lib/command.ts";
import { copyStaticFiles } from "./assets/static-files.ts";

if (import.meta.main)
  command({
    name: "assets",
    what: `Makes what the Worker needs and the repository does not hold: its static files, the guide, the console, the QuickJS engine that runs
generated programs (src/agents/sandbox), and packages without the parts that Parley never uses.`,
  });

copyStaticFiles();
buildGuide();
buildSandboxWasm();
await buildSmallerPackages();
await buildConsole();
