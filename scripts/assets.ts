import { buildConsole } from "./assets/console.ts";
import { buildGuide } from "./assets/guide.ts";
import { buildSandboxWasm } from "./assets/sandbox-wasm.ts";
import { command } from "./lib/command.ts";
import { copyStaticFiles } from "./assets/static-files.ts";

if (import.meta.main)
  command({
    name: "assets",
    what: `Makes what the Worker needs and the repository does not hold: its static files, the guide, the console, and the QuickJS engine
that runs generated programs (src/agents/sandbox).`,
  });

copyStaticFiles();
buildGuide();
buildSandboxWasm();
await buildConsole();
