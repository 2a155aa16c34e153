/** Web search: two providers with different requests. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SearchProvider } from "#agents/tools/tool-settings";
import { webSearch } from "#agents/tools/web-search";

let url: string;
let seen: { method: string; url: URL; headers: IncomingMessage["headers"]; body: string }[];
let reply: { status: number; body: unknown };
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  seen.push({ method: request.method!, url: new URL(request.url!, url), headers: request.headers, body });
  response.writeHead(reply.status, { "content-type": "application/json" });
  response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/search`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
});

const search = (provider: SearchProvider, args: object) =>
  webSearch({ provider, api_key: "k-123", url }).call(args, AbortSignal.timeout(2000));

const HITS = "1. Graz\nhttps://example.org/graz\nA city.\n\n2. Mur\nhttps://example.org/mur\nA river.";

it("Brave is asked by GET, with its own header", async () => {
  reply = {
    status: 200,
    body: {
      web: {
        results: [
          { title: "Graz", url: "https://example.org/graz", description: "A city.", age: "2 days" },
          { title: "Mur", url: "https://example.org/mur", description: "A river." },
        ],
      },
    },
  };
  expect(await search("brave", { query: "Graz & Mur", count: 2 })).toBe(HITS);
  expect(seen).toMatchObject([{ method: "GET", headers: { "x-subscription-token": "k-123" } }]);
  expect(Object.fromEntries(seen[0]!.url.searchParams)).toMatchObject({ q: "Graz & Mur", count: "2" });
});

it("Tavily is asked by POST, with a bearer token", async () => {
  reply = {
    status: 200,
    body: {
      results: [
        { title: "Graz", url: "https://example.org/graz", content: "A city.", score: 0.9 },
        { title: "Mur", url: "https://example.org/mur", content: "A river.", score: 0.8 },
      ],
    },
  };
  expect(await search("tavily", { query: "Graz", count: 2 })).toBe(HITS);
  expect(seen).toMatchObject([{ method: "POST", headers: { authorization: "Bearer k-123" } }]);
  expect(JSON.parse(seen[0]!.body)).toEqual({ query: "Graz", max_results: 2 });
});

describe.each(["brave", "tavily"] as const)("%s", (provider) => {
  it("reports that nothing was found", async () => {
    reply = { status: 200, body: { web: { results: [] }, results: [] } };
    expect(await search(provider, { query: "qzx" })).toBe("Nothing was found.");
  });

  it("fails with a reason, and without the key", async () => {
    const failure = () => search(provider, { query: "a" }).then(String, (error: Error) => error.message);
    reply = { status: 429, body: "k-123" };
    expect(await failure()).toBe("The search provider answered 429: too many searches for now.");
    reply = { status: 401, body: "the key k-123 is wrong" };
    expect(await failure()).toBe("The search provider answered 401.");
    reply = { status: 200, body: "<html>" };
    expect(await failure()).toBe("The search provider's answer could not be read.");
  });

  it("is not called without a query", async () => {
    await expect(search(provider, { query: " " })).rejects.toThrow(/do not fit/);
    expect(seen).toEqual([]);
  });
});
