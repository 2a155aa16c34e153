// npm run assets: makes what the Worker needs and the repository does not hold: its static files, the guide, the console, the QuickJS engine that runs
// generated programs (src/agents/sandbox), and packages without the parts that Parley never uses.
import { buildConsole } from "./assets/console.mjs";
import { buildGuide } from "./assets/guide.mjs";
import { buildSandboxWasm } from "./assets/sandbox-wasm.mjs";
import { buildSmallerPackages } from "./assets/smaller-packages.mjs";
import { copyStaticFiles } from "./assets/static-files.mjs";

copyStaticFiles();
buildGuide();
buildSandboxWasm();
await buildSmallerPackages();
await buildConsole();
