/** The client of Semantic Scholar against a fake server: three kinds of answers, refusals, timeouts. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { paperSource } from "#retrieval/papers/index";
import { readPaperSettings } from "#retrieval/papers/paper-settings";
import type { PaperQuery } from "#retrieval/types";
import type { UrlPolicy } from "#core/outbound/url-policy";

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  delay_ms?: number;
}

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

const ANYWHERE: UrlPolicy = { allow_private: true, resolver_url: "http://127.0.0.1:9/" };

/** A source that gives these answers in order and repeats the last one. */
async function source(replies: Reply[], variables: Record<string, string> = {}, policy: UrlPolicy = ANYWHERE) {
  const seen: { url: URL; key: string | undefined; at: number }[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    seen.push({
      url: new URL(request.url!, "http://source"),
      key: request.headers["x-api-key"] as string | undefined,
      at: Date.now(),
    });
    const reply = replies.length > 1 ? replies.shift()! : replies[0]!;
    setTimeout(() => {
      response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
      response.end(reply.text ?? JSON.stringify(reply.body ?? {}));
    }, reply.delay_ms ?? 0);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => (server.closeAllConnections(), server.close()));
  const kept = new Map<string, string>();
  const settings = readPaperSettings({
    SEMANTIC_SCHOLAR_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SEMANTIC_SCHOLAR_INTERVAL_MS: "0",
    SEMANTIC_SCHOLAR_TIMEOUT_MS: "300",
    ...variables,
  });
  const cache = {
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, text: string) => void kept.set(key, text),
  };
  const papers = paperSource({ settings, policy, cache });
  return { seen, kept, ask: (query: PaperQuery = KEYWORD, limit = 20) => papers.search(query, limit, "live") };
}

const KEYWORD = { kind: "keyword", text: "calibration of language models" } as const;

/** A paper as the Academic Graph returns it; many papers lack some fields. */
const paper = (id: string | null, more: object = {}) => ({
  paperId: id,
  title: `Paper ${id}`,
  abstract: "We do something, and it works.",
  year: 2024,
  citationCount: 12,
  url: `https://www.semanticscholar.org/paper/${id}`,
  ...more,
});

describe("an answer", () => {
  test("to search words is parsed, with missing fields as null", async () => {
    const { ask, seen } = await source([
      {
        body: {
          total: 2,
          offset: 0,
          next: 2,
          data: [paper("a"), paper("b", { abstract: null, year: null, citationCount: null, url: null })],
        },
      },
    ]);
    expect(await ask()).toEqual({
      query: KEYWORD,
      failure: null,
      papers: [
        {
          id: "a",
          title: "Paper a",
          abstract: "We do something, and it works.",
          year: 2024,
          citations: 12,
          url: "https://www.semanticscholar.org/paper/a",
        },
        { id: "b", title: "Paper b", abstract: null, year: null, citations: null, url: null },
      ],
    });
    expect(seen[0]!.url.pathname).toBe("/graph/v1/paper/search");
    expect(Object.fromEntries(seen[0]!.url.searchParams)).toEqual({
      query: KEYWORD.text,
      limit: "20",
      fields: "title,abstract,year,citationCount,url",
    });
  });

  test("of recommendations and of references is parsed, without papers that the source does not have", async () => {
    const { ask, seen } = await source([
      { body: { recommendedPapers: [paper("r")] } },
      {
        body: {
          offset: 0,
          data: [{ citedPaper: paper("c") }, { citedPaper: paper(null) }, { citedPaper: paper("d", { title: null }) }],
        },
      },
    ]);
    expect((await ask({ kind: "recommendations", paper_id: "a/b" })).papers.map(({ id }) => id)).toEqual(["r"]);
    expect((await ask({ kind: "references", paper_id: "a/b" })).papers.map(({ id }) => id)).toEqual(["c"]);
    expect(seen.map(({ url }) => url.pathname)).toEqual([
      "/recommendations/v1/papers/forpaper/a%2Fb",
      "/graph/v1/paper/a%2Fb/references",
    ]);
  });

  test("is cut when a title or an abstract is too long", async () => {
    const endless = paper("a", {
      title: "t".repeat(100_000),
      abstract: `${"a".repeat(9999)}\ud83d\ude00${"b".repeat(100_000)}`,
    });
    const { ask } = await source([{ body: { data: [endless] } }]);
    const [read] = (await ask()).papers;
    expect([read!.title.length, read!.abstract!.length]).toEqual([500, 10_000]);
    expect(read!.abstract!.isWellFormed()).toBe(true);
  });

  test("that is empty is no failure: nothing found, or a paper that is not known", async () => {
    const { ask } = await source([
      { body: { total: 0, offset: 0 } },
      { status: 404, body: { error: "Paper not found" } },
    ]);
    expect(await ask()).toMatchObject({ papers: [], failure: null });
    expect(await ask({ kind: "references", paper_id: "x" })).toMatchObject({ papers: [], failure: null });
  });
});

describe("a refusal", () => {
  test("for too many requests is followed by the requested wait", async () => {
    const { ask, seen } = await source([
      { status: 429, headers: { "retry-after": "1" }, body: { message: "Too Many Requests" } },
      { body: { data: [paper("a")] } },
    ]);
    expect((await ask()).papers).toHaveLength(1);
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThanOrEqual(950);
  });

  test("that asks for a long wait is a failure at once, with the reason", async () => {
    const { ask, seen } = await source([{ status: 429, headers: { "retry-after": "3600" } }]);
    expect(await ask()).toMatchObject({
      papers: [],
      failure: "Semantic Scholar answered 429: too many requests for now.",
    });
    expect(seen).toHaveLength(1);
  });

  test("by a broken server is tried again, four times in all", { timeout: 20_000 }, async () => {
    const { ask, seen } = await source([{ status: 500, headers: {}, body: {} }]);
    expect(await ask()).toMatchObject({ papers: [], failure: "Semantic Scholar answered 500." });
    expect(seen).toHaveLength(4);
  });

  test("of the request itself is final", async () => {
    const { ask, seen } = await source([{ status: 403, body: { message: "Forbidden" } }]);
    expect((await ask()).failure).toBe("Semantic Scholar answered 403.");
    expect(seen).toHaveLength(1);
  });

  test("by a redirect is not followed", async () => {
    const { ask, seen } = await source([{ status: 302, headers: { location: "/elsewhere" } }]);
    expect((await ask()).failure).toBe("Semantic Scholar answered 302.");
    expect(seen).toHaveLength(1);
  });
});

describe("an unusable answer", () => {
  test.each([
    ["no JSON", { text: "<html>" }],
    ["another shape", { body: { data: "papers" } }],
    ["fields of another kind", { body: { data: [paper("a", { year: "last year" })] } }],
  ])("is a failure: %s", async (_what, reply) => {
    const { ask } = await source([reply]);
    expect((await ask()).failure).toBe("Semantic Scholar's answer could not be read.");
  });

  test("is a failure when it is too large", async () => {
    const { ask } = await source([{ text: `{"data": [], "padding": "${"x".repeat(9 * 1024 * 1024)}"}` }], {
      SEMANTIC_SCHOLAR_TIMEOUT_MS: "10000",
    });
    expect((await ask()).failure).toContain("larger than 8 MiB");
  });

  test("because it is slow is tried again, and then a failure", { timeout: 20_000 }, async () => {
    const { ask, seen } = await source([{ delay_ms: 2000, body: { data: [] } }]);
    expect((await ask()).failure).toBe("Semantic Scholar did not answer in time.");
    expect(seen).toHaveLength(4);
  });

  test("because the source is unreachable is a failure", { timeout: 20_000 }, async () => {
    const { ask } = await source([{}], { SEMANTIC_SCHOLAR_URL: "http://127.0.0.1:9" });
    expect((await ask()).failure).toBe("Semantic Scholar could not be reached.");
  });
});

describe("the source", () => {
  test("is asked once for the same query; a failure is not cached", async () => {
    const { ask, seen, kept } = await source([{ status: 403 }, { body: { data: [paper("a")] } }]);
    expect((await ask()).failure).not.toBeNull();
    expect(kept.size).toBe(0);
    expect(await ask()).toEqual(await ask());
    expect(seen).toHaveLength(2);
    await ask(KEYWORD, 100);
    expect(seen).toHaveLength(3);
  });

  test("is called at its pace, with any number of concurrent callers", async () => {
    const { ask, seen } = await source([{ body: { data: [] } }], { SEMANTIC_SCHOLAR_INTERVAL_MS: "600" });
    await Promise.all([1, 2, 3].map((limit) => ask(KEYWORD, limit)));
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThanOrEqual(300);
    expect(seen[2]!.at - seen[1]!.at).toBeGreaterThanOrEqual(300);
  });

  test("gets the key when there is one", async () => {
    const { ask, seen } = await source([{ body: { data: [] } }], { SEMANTIC_SCHOLAR_API_KEY: "secret" });
    await ask();
    expect(seen[0]!.key).toBe("secret");
    const without = await source([{ body: { data: [] } }]);
    await without.ask();
    expect(without.seen[0]!.key).toBeUndefined();
  });

  test("is not called where the URL policy forbids it", async () => {
    const nowhere = { ...ANYWHERE, allow_private: false };
    const { ask, seen } = await source([{ body: { data: [] } }], {}, nowhere);
    expect((await ask()).failure).toContain("may not be called");
    expect(seen).toHaveLength(0);
  });

  test("is not called where its name resolves to a private address", async () => {
    const resolver = createServer((_request, response) => {
      response.end(JSON.stringify({ Status: 0, Answer: [{ type: 1, data: "10.0.0.1" }] }));
    });
    await new Promise<void>((resolve) => resolver.listen(0, "127.0.0.1", resolve));
    closing.push(() => resolver.close());
    const resolver_url = `http://127.0.0.1:${(resolver.address() as AddressInfo).port}/`;
    const variables = { SEMANTIC_SCHOLAR_URL: "https://papers.example" };
    const { ask } = await source([], variables, { allow_private: false, resolver_url });
    expect((await ask()).failure).toMatch(/may not be called.*papers\.example resolves to 10\.0\.0\.1/);
  });

  test("is mocked in test mode: nothing is called, papers are about the query and say that they do not exist", async () => {
    const settings = readPaperSettings({ SEMANTIC_SCHOLAR_URL: "http://127.0.0.1:9" });
    const cache = { get: () => Promise.reject(new Error("asked")), put: () => Promise.reject(new Error("asked")) };
    const mocked = paperSource({ settings, policy: ANYWHERE, cache });
    const { papers, failure } = await mocked.search(KEYWORD, 20, "test");
    expect(failure).toBeNull();
    expect(new Set(papers.map(({ title }) => title)).size).toBe(papers.length);
    for (const { abstract } of papers) {
      expect(abstract).toMatch(/no such paper exists.*calibration of language models/);
      expect(abstract!.split(/\s+/).length).toBeGreaterThan(50);
    }
  });
});

test("a search whose run has ended, and its timers with it, holds up no other", async () => {
  const { ask, seen } = await source([{ body: { data: [] } }], { SEMANTIC_SCHOLAR_INTERVAL_MS: "150" });
  const set = vi.spyOn(globalThis, "setTimeout");
  await ask({ kind: "keyword", text: "of the run that ends" });
  const timers = set.mock.results.map(({ value }) => value as ReturnType<typeof setTimeout>);
  set.mockRestore();
  timers.forEach((timer) => clearTimeout(timer));
  await ask({ kind: "keyword", text: "of another run" });
  expect(seen).toHaveLength(2);
  expect(seen[1]!.at - seen[0]!.at).toBeGreaterThanOrEqual(140);
});

describe("settings", () => {
  test("have the public API and its pace as defaults", () => {
    expect(readPaperSettings({})).toEqual({
      url: "https://api.semanticscholar.org",
      api_key: null,
      interval_ms: 1000,
      timeout_ms: 15_000,
    });
  });

  test.each([
    ["SEMANTIC_SCHOLAR_URL", "ftp://x"],
    ["SEMANTIC_SCHOLAR_API_KEY", "two words"],
    ["SEMANTIC_SCHOLAR_INTERVAL_MS", "soon"],
    ["SEMANTIC_SCHOLAR_TIMEOUT_MS", "1"],
  ])("name the variable that is wrong, and not its value: %s", (variable, value) => {
    expect(() => readPaperSettings({ [variable]: value })).toThrow(
      new RegExp(`Configuration: ${variable} (?!.*${value})`),
    );
  });
});
