import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { buildGuide } from "./scripts/assets/guide.ts";
import { buildSandboxWasm } from "./scripts/assets/sandbox-wasm.ts";
import { copyStaticFiles } from "./scripts/assets/static-files.ts";

copyStaticFiles();
buildGuide();
buildSandboxWasm();

/** Prompts and templates are imported as text, as wrangler does it. */
const markdownAsText = {
  name: "markdown-as-text",
  enforce: "pre" as const,
  transform: (code: string, id: string) => (id.endsWith(".md") ? `export default ${JSON.stringify(code)};` : undefined),
};

/** Only a test that hangs takes longer, however busy the machine is. Milliseconds. */
const LIMITS = { testTimeout: 180_000, hookTimeout: 180_000 };

/** A project whose tests run inside workerd, against the real Worker with real local D1, R2 and Workflows. */
const inWorkerd = (name: string) => ({
  plugins: [
    cloudflareTest(async ({ inject }) => ({
      main: "./src/worker.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: {
          TEST_MIGRATIONS: await readD1Migrations("./migrations"),
          TEST_MODEL_URL: inject<string>("modelUrl"),
          TEST_MCP_URL: inject<string>("mcpUrl"),
          TEST_MODERN_MCP_URL: inject<string>("modernMcpUrl"),
          TEST_LOG: process.env.PARLEY_TEST_LOG ?? "",
          PARLEY_SECRET: "a secret for tests only, long enough",
          ALLOW_PRIVATE_URLS: "true",
          MAINTENANCE_INTERVAL_MS: "300",
          // A tenant is one test's own; all send to one host.
          WEBHOOKS_PER_MINUTE: "60",
          WEBHOOKS_PER_MINUTE_OF_ALL: "0",
          NUDGE_AFTER_MS: "1500",
          LLM_TIMEOUT_MS: "3000",
          MAX_CONCURRENT_RUNS: "1000",
          RETENTION_DAYS: "30",
          OTEL_EXPORTER_OTLP_ENDPOINT: `${inject<string>("modelUrl")}/hook/collector`,
          OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector",
          EMAIL_FROM: "Parley <parley@example.com>",
          EMAIL_API_URL: `${inject<string>("modelUrl")}/hook/mail-provider`,
          EMAIL_API_TOKEN: "mail-token-for-tests",
          OPENAI_API_KEY: "sk-test",
          OPENAI_BASE_URL: `${inject<string>("modelUrl")}/v1`,
          OPENAI_MODEL: "test-model",
          SEMANTIC_SCHOLAR_URL: `${inject<string>("modelUrl")}/papers`,
          SEMANTIC_SCHOLAR_INTERVAL_MS: "0",
          SEMANTIC_SCHOLAR_TIMEOUT_MS: "2000",
          PROVIDERS: JSON.stringify({
            nowhere: { base_url: "http://127.0.0.1:9/v1", api_key: "none" },
            openai: { models: { priced: { price: { input: 10, output: 100 } } } },
            priced: {
              base_url: `${inject<string>("modelUrl")}/v1`,
              models: { any: { price: { input: 10, output: 100 } } },
            },
            // Each is one test's own: all runs share a provider's gate.
            crowded: { base_url: `${inject<string>("modelUrl")}/v1`, max_concurrency: 6 },
            narrow: { base_url: `${inject<string>("modelUrl")}/v1`, max_concurrency: 1 },
            paced: { base_url: `${inject<string>("modelUrl")}/v1`, requests_per_minute: 2 },
            frugal: { base_url: `${inject<string>("modelUrl")}/v1`, tokens_per_minute: 15_000 },
            halted: { base_url: `${inject<string>("modelUrl")}/v1`, max_concurrency: 1 },
            encoding: { base_url: `${inject<string>("modelUrl")}/v1`, max_concurrency: 1 },
            deaf: { base_url: `${inject<string>("modelUrl")}/v1`, max_concurrency: 1 },
            left: { base_url: `${inject<string>("modelUrl")}/v1`, max_concurrency: 1 },
            closing: { base_url: `${inject<string>("modelUrl")}/v1`, max_concurrency: 50 },
          }),
        },
      },
    })),
  ],
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
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
      inWorkerd("contract"),
      inWorkerd("workers"),
      againstServer("process"),
      // What `npm test` leaves to `npm run test:all`.
      inNode("slow/unit"),
      inWorkerd("slow/workers"),
      againstServer("slow/process"),
      againstServer("slow/browser"),
    ],
  },
});
