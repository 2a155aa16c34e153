import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { buildGuide } from "./scripts/assets/guide.ts";
import { buildSandboxWasm } from "./scripts/assets/sandbox-wasm.ts";
import { copyStaticFiles } from "./scripts/assets/static-files.ts";
import { workerConstants } from "./scripts/lib/worker-bundle.ts";
import { testVariables } from "./test/support/variables.ts";

copyStaticFiles();
buildGuide();
buildSandboxWasm();

/** Prompts and templates are imported as text, as wrangler does it. */
const markdownAsText = {
  name: "markdown-as-text",
  enforce: "pre" as const,
  transform: (code: string, id: string) => (id.endsWith(".md") ? `export default ${JSON.stringify(code)};` : undefined),
};

/** WebAssembly is imported as a compiled module, as workerd does it. */
const wasmAsModule = {
  name: "wasm-as-module",
  enforce: "pre" as const,
  load: (id: string) =>
    id.endsWith(".wasm")
      ? `import { readFileSync } from "node:fs"; export default new WebAssembly.Module(readFileSync(${JSON.stringify(id)}));`
      : undefined,
};

/** Only a test that hangs takes longer, however busy the machine is. Milliseconds. */
const LIMITS = { testTimeout: 180_000, hookTimeout: 180_000 };

/** A project whose tests run inside workerd, against the real Worker with real local D1, R2 and Workflows. */
const inWorkerd = (name: string, folder = name) => ({
  plugins: [
    cloudflareTest(async ({ inject }) => ({
      main: "./src/worker.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: {
          TEST_MIGRATIONS: await readD1Migrations("./migrations"),
          ...testVariables({
            modelUrl: inject("modelUrl"),
            mcpUrl: inject("mcpUrl"),
            modernMcpUrl: inject("modernMcpUrl"),
          }),
        },
      },
    })),
  ],
  test: {
    name,
    include: [`test/${folder}/**/*.test.ts`],
    globalSetup: ["./test/support/global-setup.ts"],
    setupFiles: ["./test/support/console.ts", "./test/support/apply-migrations.ts"],
    disableConsoleIntercept: true, // see test/support/console.ts
    ...LIMITS,
    // One server for all files, as in life, each test with tenants of its own: to build the Worker anew for every file takes longer
    // than its tests.
    isolate: false,
  },
});

/** The project that shows what workerd does, with a Worker of its own. */
const conformanceInWorkerd = {
  plugins: [
    cloudflareTest({
      main: "./test/conformance/probe.ts",
      wrangler: { configPath: "./test/conformance/wrangler.toml" },
    }),
  ],
  test: { name: "conformance", include: ["test/conformance/**/*.test.ts"], ...LIMITS },
};

/** What `src/node` puts in the place of workerd's own modules. */
const nodeAliases = [
  { find: /^cloudflare:workers$/, replacement: `${import.meta.dirname}/src/node/cloudflare-workers.ts` },
];

/** A project whose tests run in node. */
const inNode = (name: string) => ({
  resolve: { alias: nodeAliases },
  plugins: [markdownAsText],
  test: { name, include: [`test/${name}/**/*.test.ts`], environment: "node" as const, isolate: false, ...LIMITS },
});

/** A project whose tests run in node, on the Worker in the same process: the host of `npm run serve`, in memory. */
const onNodeHost = (name: string) => ({
  resolve: {
    alias: [
      {
        find: /^cloudflare:workers$/,
        replacement: `${import.meta.dirname}/test/support/node-host/cloudflare-workers.ts`,
      },
      { find: /^cloudflare:test$/, replacement: `${import.meta.dirname}/test/support/node-host/cloudflare-test.ts` },
    ],
  },
  define: workerConstants(),
  plugins: [markdownAsText, wasmAsModule],
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: "node" as const,
    globalSetup: ["./test/support/global-setup.ts"],
    setupFiles: ["./test/support/node-host/start.ts"],
    isolate: false,
    ...LIMITS,
  },
});

/** A project whose tests run in node, against the served Worker: one file at a time, since each starts a server. */
const againstServer = (name: string) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: "node" as const,
    ...LIMITS,
    fileParallelism: false,
  },
});

export default defineConfig({
  test: {
    silent: "passed-only", // the Worker logs every request
    // Files that are run side by side, each project's in as many instances of workerd: on one core most of their time is waiting.
    maxWorkers: Math.max(2, Math.ceil(availableParallelism() / 2)),
    globalSetup: ["./test/support/without-shared.ts"],
    projects: [
      inNode("unit"),
      conformanceInWorkerd,
      onNodeHost("contract"),
      inWorkerd("workers"),
      againstServer("process"),
      // What `npm test` leaves to `npm run test:all`.
      inNode("slow/unit"),
      inWorkerd("slow/contract", "contract"),
      onNodeHost("slow/node"),
      inWorkerd("slow/workers"),
      againstServer("slow/process"),
      againstServer("slow/browser"),
    ],
  },
});
