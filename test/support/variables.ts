/** URLs of what global-setup.ts starts: a fake model endpoint with webhook receiver, and two MCP servers. */
export interface FakeServers {
  modelUrl: string;
  mcpUrl: string;
  modernMcpUrl: string;
}

export const METRICS_TOKEN = "metrics-token-for-tests-long-enough";

/** The Worker's variables in tests. Timers are short, because tests wait for them. */
export const testVariables = ({ modelUrl, mcpUrl, modernMcpUrl }: FakeServers): Record<string, string> => ({
  TEST_MODEL_URL: modelUrl,
  TEST_MCP_URL: mcpUrl,
  TEST_MODERN_MCP_URL: modernMcpUrl,
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
  METRICS_TOKEN,
  OTEL_EXPORTER_OTLP_ENDPOINT: `${modelUrl}/hook/collector`,
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector",
  EMAIL_IN_TEST_MODE: "true",
  EMAILS_PER_MINUTE: "60",
  EMAIL_FROM: "Parley <parley@example.com>",
  EMAIL_API_URL: `${modelUrl}/hook/mail-provider`,
  EMAIL_API_TOKEN: "mail-token-for-tests",
  OPENAI_API_KEY: "sk-test",
  OPENAI_BASE_URL: `${modelUrl}/v1`,
  OPENAI_MODEL: "test-model",
  SEMANTIC_SCHOLAR_URL: `${modelUrl}/papers`,
  SEMANTIC_SCHOLAR_INTERVAL_MS: "0",
  SEMANTIC_SCHOLAR_TIMEOUT_MS: "2000",
  PROVIDERS: JSON.stringify({
    nowhere: { base_url: "http://127.0.0.1:9/v1", api_key: "none" },
    openai: { models: { priced: { price: { input: 10, output: 100 } } } },
    priced: {
      base_url: `${modelUrl}/v1`,
      models: { any: { price: { input: 10, output: 100 } } },
    },
    reasoning: { base_url: `${modelUrl}/reasoning/v1`, api: "responses" },
    // Each is one test's own: all runs share a provider's gate.
    crowded: { base_url: `${modelUrl}/v1`, max_concurrency: 6 },
    narrow: { base_url: `${modelUrl}/v1`, max_concurrency: 1 },
    paced: { base_url: `${modelUrl}/v1`, requests_per_minute: 2 },
    frugal: { base_url: `${modelUrl}/v1`, tokens_per_minute: 15_000 },
    halted: { base_url: `${modelUrl}/v1`, max_concurrency: 1 },
    encoding: { base_url: `${modelUrl}/v1`, max_concurrency: 1 },
    deaf: { base_url: `${modelUrl}/v1`, max_concurrency: 1 },
    left: { base_url: `${modelUrl}/v1`, max_concurrency: 1 },
    closing: { base_url: `${modelUrl}/v1`, max_concurrency: 50 },
  }),
});
