import { describe, expect, test } from "vitest";
import { DEFAULT_OPENAI_MODEL } from "#llm/default-model";
import { parseProviders } from "#llm";

const providers = (value: unknown, more: Record<string, unknown> = {}) =>
  parseProviders({ PROVIDERS: JSON.stringify(value), ...more });

describe("the provider table", () => {
  test("is empty without configuration, and without a default model", () => {
    const table = parseProviders({ OPENAI_MODEL: "gpt-x", OPENAI_API_KEY: "", DB: {} });
    expect([...table.byName.keys()]).toEqual([]);
    expect(table.default_model).toBeNull();
  });

  test("has openai as soon as a key is set, with the public URL", () => {
    const table = parseProviders({
      OPENAI_API_KEY: " sk-1 ",
      OPENAI_MODEL: "gpt-x",
      OPENAI_EMBEDDING_MODEL: "embed-x",
    });
    expect(table.byName.get("openai")).toMatchObject({
      base_url: "https://api.openai.com/v1",
      api_key: "sk-1",
      default_model: "gpt-x",
      embedding_model: "embed-x",
    });
    expect(table.default_model).toBe("openai/gpt-x");
  });

  test("uses the one default model where OpenAI itself is the only provider and none is named", () => {
    expect(parseProviders({ OPENAI_API_KEY: "sk-1" }).default_model).toBe(`openai/${DEFAULT_OPENAI_MODEL}`);
    expect(parseProviders({ OPENAI_BASE_URL: "http://localhost:8099/v1" }).default_model).toBeNull();
  });

  test("has openai without a key when only its URL is set", () => {
    const table = parseProviders({ OPENAI_BASE_URL: "http://localhost:8099/v1" });
    expect(table.byName.get("openai")).toMatchObject({ base_url: "http://localhost:8099/v1", api_key: null });
  });

  test("reads another provider's key from the variable that it names, and uses its default when openai has none", () => {
    const table = providers(
      {
        groq: { base_url: "https://groq.example/v1", api_key_env: "GROQ_KEY", default_model: "llama/70b" },
        local: { base_url: "http://localhost:1/v1" },
      },
      { GROQ_KEY: "gsk-1", OPENAI_API_KEY: "sk-1" },
    );
    expect([...table.byName.keys()]).toEqual(["openai", "groq", "local"]);
    expect(table.byName.get("groq")?.api_key).toBe("gsk-1");
    expect(table.byName.get("local")?.api_key).toBeNull();
    expect(table.default_model).toBe("groq/llama/70b");
    expect(table.byName.get("groq")?.api).toBe("auto");
  });

  test("merges prices and capabilities into openai from the entry of that name", () => {
    const facts = {
      output_mode: "json_object",
      refused_parameters: ["temperature"],
      price: { input: 2, cached_input: 1, output: 8 },
    };
    const table = providers({ openai: { models: { "gpt-x": facts } } }, { OPENAI_API_KEY: "sk-1" });
    expect(table.byName.get("openai")?.models.get("gpt-x")).toEqual(facts);
  });

  test("has the configured limits; variables take precedence for openai; the default is no limit", () => {
    const table = providers(
      { openai: { max_concurrency: 1, requests_per_minute: 60 }, a: { base_url: "http://a", max_concurrency: 4 } },
      { OPENAI_API_KEY: "sk-1", OPENAI_MAX_CONCURRENCY: "8", OPENAI_TOKENS_PER_MINUTE: "90000" },
    );
    expect(table.byName.get("openai")!.limits).toEqual({
      max_concurrency: 8,
      requests_per_minute: 60,
      tokens_per_minute: 90_000,
    });
    expect(table.byName.get("a")!.limits).toEqual({
      max_concurrency: 4,
      requests_per_minute: null,
      tokens_per_minute: null,
    });
    expect(parseProviders({ OPENAI_API_KEY: "sk-1" }).byName.get("openai")!.limits).toBeNull();
  });

  test("accepts an object as well as JSON text", () => {
    expect(parseProviders({ PROVIDERS: { local: { base_url: "http://localhost:1/v1" } } }).byName.has("local")).toBe(
      true,
    );
  });

  test.each([
    [
      "broken JSON",
      { PROVIDERS: `{"a": {"api_key": "sk-hidden" "x"}}` },
      /^Configuration: PROVIDERS is not valid JSON/,
    ],
    [
      "a limit that is no number",
      { OPENAI_API_KEY: "sk-1", OPENAI_MAX_CONCURRENCY: "many" },
      /^Configuration: OPENAI_MAX_CONCURRENCY /,
    ],
    [
      "a limit of nothing",
      { PROVIDERS: `{"a": {"base_url": "http://a", "requests_per_minute": 0}}` },
      /PROVIDERS\.a\.requests_per_minute /,
    ],
    ["a missing URL", { PROVIDERS: `{"a": {}}` }, "Configuration: PROVIDERS.a.base_url is missing."],
    [
      "a URL of another scheme",
      { PROVIDERS: `{"a": {"base_url": "ftp://x"}}` },
      /PROVIDERS\.a\.base_url must be an http or https URL/,
    ],
    [
      "a key inside the URL",
      { PROVIDERS: `{"a": {"base_url": "https://me:pw@x.example"}}` },
      /PROVIDERS\.a\.base_url must not hold a user name/,
    ],
    [
      "two keys",
      { PROVIDERS: `{"a": {"base_url": "http://x", "api_key": "k", "api_key_env": "K"}}` },
      /PROVIDERS\.a has both/,
    ],
    [
      "a key variable that is not set",
      { PROVIDERS: `{"a": {"base_url": "http://x", "api_key_env": "K"}}` },
      /PROVIDERS\.a\.api_key_env names K, which is not set/,
    ],
    ["an unknown field", { PROVIDERS: `{"a": {"base_url": "http://x", "url": 1}}` }, /PROVIDERS\.a .*"url"/],
    [
      "an unknown output_mode",
      { PROVIDERS: `{"a": {"base_url": "http://x", "models": {"m": {"output_mode": "xml"}}}}` },
      /PROVIDERS\.a\.models\.m\.output_mode /,
    ],
    [
      "a price below nothing",
      { PROVIDERS: `{"a": {"base_url": "http://x", "models": {"m": {"price": {"input": -1, "output": 1}}}}}` },
      /price\.input /,
    ],
    ["a bad name", { PROVIDERS: `{"A B": {"base_url": "http://x"}}` }, /PROVIDERS\.A B provider names are/],
    [
      "a second URL for openai",
      { PROVIDERS: `{"openai": {"base_url": "http://x"}}` },
      /PROVIDERS\.openai\.base_url is given by/,
    ],
    ["a key that no header can carry", { OPENAI_API_KEY: "sk hidden" }, /OPENAI_API_KEY must be printable ASCII/],
    [
      "a variable that is no text",
      { OPENAI_MODEL: 4, OPENAI_API_KEY: "k" },
      "Configuration: OPENAI_MODEL must be text.",
    ],
    ["a bad OPENAI_BASE_URL", { OPENAI_BASE_URL: "localhost" }, /OPENAI_BASE_URL must be an http/],
  ])("refuses %s with a sentence that names the variable", (_, vars, sentence) => {
    expect(() => parseProviders(vars)).toThrow(sentence);
    expect(() => parseProviders(vars)).not.toThrow(/hidden/);
  });
});
