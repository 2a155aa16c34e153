/** The tools of an agent: the configured ones; in test mode without network requests. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { readToolSettings } from "#agents/tools/tool-settings";
import { toolsFor } from "#agents/tools/tools-for";
import { type PlayedMcpServer, startMcp } from "../../../support/mcp";

let server: PlayedMcpServer;
beforeAll(async () => {
  server = await startMcp();
});
afterAll(() => server[Symbol.asyncDispose]());

const ALL = ["web_search", "http_request", "date_arithmetic", "calculator"];
const CONFIGURED = { HTTP_ALLOW_LIST: "127.0.0.1:9", TAVILY_API_KEY: "k", WEB_SEARCH_URL: "http://127.0.0.1:9/" };
const environment = (vars: Record<string, unknown>) => ({
  settings: readToolSettings(vars),
  url_policy: { allow_private: true, resolver_url: "" },
  headers: async () => ({}),
});
const namesOf = async (vars: Record<string, unknown>, tools = ALL, mode: "live" | "test" = "live") =>
  (await toolsFor({ tools, mcp_servers: [] }, environment(vars), mode)).map(({ name }) => name);

it("an agent has those of its named tools that are configured", async () => {
  expect(await namesOf({})).toEqual(["calculator", "date_arithmetic"]);
  expect(await namesOf(CONFIGURED)).toEqual(["calculator", "date_arithmetic", "http_request", "web_search"]);
  expect(await namesOf(CONFIGURED, ["calculator"])).toEqual(["calculator"]);
  expect(await namesOf(CONFIGURED, ALL, "test")).toEqual(await namesOf(CONFIGURED));
});

it("has the tools of its MCP servers too", async () => {
  const profile = { tools: ["calculator"], mcp_servers: [{ name: "shop", url: server.url }] };
  const names = (await toolsFor(profile, environment({}), "live")).map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(["calculator", "shop__add"]);
});

it("has distinct tool names, even if its servers do not", async () => {
  const mcp_servers = ["shop", "shop"].map((name) => ({ name, url: server.url }));
  const tools = await toolsFor({ tools: [], mcp_servers }, environment({}), "live");
  const names = tools.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const second = tools.find(({ name }) => name === "shop__add_2")!;
  expect(await second.call({ a: 1, b: 1 }, AbortSignal.timeout(5000))).toBe("2");
});

it("a tool that takes too long fails with a sentence", async () => {
  const profile = { tools: [], mcp_servers: [{ name: "shop", url: server.url }] };
  const tools = await toolsFor(profile, environment({ TOOL_TIMEOUT_MS: "700" }), "live");
  const slow = tools.find(({ name }) => name === "shop__slow")!;
  await expect(slow.call({}, AbortSignal.timeout(10_000))).rejects.toThrow("shop__slow did not answer within 0.7 s.");
});

describe("in test mode", () => {
  it("nothing leaves the process, and the same call has the same answer", async () => {
    server.seen.length = 0;
    const profile = { tools: ALL, mcp_servers: [{ name: "shop", url: server.url }] };
    const tools = await toolsFor(profile, environment(CONFIGURED), "test");
    expect(tools.map(({ name }) => name)).toContain("shop__mock");
    for (const tool of tools.filter(({ name }) => !["calculator", "date_arithmetic"].includes(name))) {
      const args = { query: "a", url: "http://127.0.0.1:9/" };
      const result = await tool.call(args, AbortSignal.timeout(1000));
      expect(result).toBe(`Mock: ${tool.name} was called with ${JSON.stringify(args)}. Nothing left the process.`);
      expect(await tool.call(args, AbortSignal.timeout(1000))).toBe(result);
    }
    expect(server.seen).toEqual([]);
  });

  it("arithmetic is real, and the present time is constant", async () => {
    const [calculator, dates] = await toolsFor({ tools: ALL, mcp_servers: [] }, environment({}), "test");
    expect(await calculator!.call({ expression: "6*7" }, AbortSignal.timeout(1000))).toBe("42");
    expect(JSON.parse(await dates!.call({ operation: "now" }, AbortSignal.timeout(1000)))).toMatchObject({
      date: "2026-01-01",
      time: "12:00:00",
    });
  });
});

describe("the settings", () => {
  it("prefer Brave to Tavily by default", () => {
    const keys = { BRAVE_SEARCH_API_KEY: "b", TAVILY_API_KEY: "t" };
    expect(readToolSettings(keys).web_search).toEqual({ provider: "brave", api_key: "b", url: null });
    expect(readToolSettings({ ...keys, WEB_SEARCH_PROVIDER: "tavily" }).web_search).toMatchObject({
      provider: "tavily",
      api_key: "t",
    });
    expect(readToolSettings({ TAVILY_API_KEY: "t" }).web_search).toMatchObject({ provider: "tavily" });
    expect(readToolSettings({}).web_search).toBeNull();
  });

  it("read the allow list", () => {
    expect(
      readToolSettings({ HTTP_ALLOW_LIST: "API.example.com, *.example.org  127.0.0.1:8080" }).http_allow_list,
    ).toEqual(["api.example.com", "*.example.org", "127.0.0.1:8080"]);
  });

  const wrong: [Record<string, string>, string][] = [
    [{ HTTP_ALLOW_LIST: "https://example.com" }, "Configuration: HTTP_ALLOW_LIST must list hosts"],
    [{ HTTP_ALLOW_LIST: "*" }, "Configuration: HTTP_ALLOW_LIST must list hosts"],
    [{ HTTP_ALLOW_LIST: "example.com/path" }, "Configuration: HTTP_ALLOW_LIST must list hosts"],
    [{ WEB_SEARCH_PROVIDER: "altavista" }, "Configuration: WEB_SEARCH_PROVIDER must be one of brave, tavily."],
    [
      { WEB_SEARCH_PROVIDER: "brave", TAVILY_API_KEY: "t" },
      "Configuration: WEB_SEARCH_PROVIDER names brave, which has no key.",
    ],
    [{ WEB_SEARCH_URL: "ftp://x" }, "Configuration: WEB_SEARCH_URL must be an http or https URL."],
    [{ TOOL_TIMEOUT_MS: "soon" }, "Configuration: TOOL_TIMEOUT_MS must be a number of milliseconds."],
  ];
  test.each(wrong)("refuse %j with a sentence", (vars, sentence) => {
    expect(() => readToolSettings(vars)).toThrow(sentence);
  });
});
