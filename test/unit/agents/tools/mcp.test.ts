/** Tools of remote MCP servers, tested against a server of the SDK. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SealError } from "#core/secrets";
import { StorageUnavailableError } from "#core/unavailable";
import { mcpTools } from "#agents/tools/mcp";
import type { Tool } from "#agents/tools/tool";
import { type PlayedMcpServer, startMcp, startModernMcp } from "../../../support/mcp";

let server: PlayedMcpServer;
beforeAll(async () => {
  server = await startMcp();
});
afterAll(() => server[Symbol.asyncDispose]());

const environment = (more: object = {}) => ({
  url_policy: { allow_private: true, resolver_url: "" },
  settings: { timeout_ms: 5000 },
  headers: async () => ({ authorization: "Bearer shelf-42" }),
  ...more,
});
const list = (url = server.url, more: object = {}) => mcpTools({ name: "shop", url }, environment(more));
const call = async (name: string, args: object = {}, signal = AbortSignal.timeout(5000), more: object = {}) => {
  const tool = (await list(server.url, more)).find((listed) => listed.name === name);
  return (tool as Tool).call(args, signal);
};

describe("the tools of a server", () => {
  it("are listed under its name, in names that models accept", async () => {
    const tools = await list();
    expect(tools.map(({ name }) => name)).toEqual([
      "shop__add",
      "shop__long_winded",
      "shop__flood",
      "shop__fail",
      "shop__slow",
      "shop__who_asks",
      "shop__picture",
    ]);
    expect(tools[0]).toMatchObject({
      description: "Adds two numbers.",
      parameters: { type: "object", required: ["a", "b"] },
    });
    expect(tools.every(({ foreign }) => foreign)).toBe(true);
  });

  it("are offered with schemas that providers accept", async () => {
    const [bare, endless] = await list(`${server.url}?odd`);
    expect(bare!.parameters).toEqual({ type: "object", properties: {} });
    expect(endless!.parameters).toEqual({ type: "object", description: "Not shown: too large.", properties: {} });
  });

  it("return their results", async () => {
    expect(await call("shop__add", { a: 2, b: 40 })).toBe("42");
    expect(await call("shop__picture")).toBe("(image: image/png)");
  });

  it("report invalid arguments in the server's words", async () => {
    await expect(call("shop__add", { a: "two" })).rejects.toThrow(/Invalid arguments/);
  });

  it("that fail report it", async () => {
    await expect(call("shop__fail")).rejects.toThrow("the shelf is empty");
  });

  it("may return long results, but not endless ones", async () => {
    expect(await call("shop__long_winded")).toHaveLength(50_000);
    const patient = { settings: { timeout_ms: 50_000 } }; // the package reads a long event slowly
    await expect(call("shop__flood", {}, AbortSignal.timeout(50_000), patient)).rejects.toThrow(/said more than 4 MiB/);
  }, 60_000);

  it("end at their timeout", async () => {
    const started = Date.now();
    await expect(call("shop__slow", {}, AbortSignal.timeout(300))).rejects.toThrow(
      /shop failed: it did not answer in time/,
    );
    expect(Date.now() - started).toBeLessThan(4000);
  });
});

describe("the headers of a server", () => {
  it("are waited for while storage is away: that is no error of the server", async () => {
    const away = async () => Promise.reject(new StorageUnavailableError("D1", "no answer"));
    await expect(list(server.url, { headers: away })).rejects.toThrow(StorageUnavailableError);
  });

  it("are read once, so that no call of a tool depends on storage", async () => {
    let reads = 0;
    const headers = async () => (reads++ === 0 ? {} : Promise.reject(new StorageUnavailableError("D1", "no answer")));
    const [add] = await list(server.url, { headers });
    expect(await add!.call({ a: 2, b: 40 }, AbortSignal.timeout(5000))).toBe("42");
  });

  it("that cannot be opened are named as the reason why the tools are missing", async () => {
    const closed = async () => Promise.reject(new SealError("The headers of agt_1 cannot be opened."));
    const tools = await list(server.url, { headers: closed });
    expect(tools.map(({ name }) => name)).toEqual(["shop__unavailable"]);
    expect(tools[0]!.description).toContain("cannot be opened");
  });
});

it("a server that crashes at the question for its version is asked as one of before 2026", async () => {
  expect((await list(`${server.url}?crash`))[0]).toMatchObject({ name: "shop__add" });
});

describe("a session", () => {
  it("carries the agent's headers, opens no event stream, and is terminated", async () => {
    server.seen.length = 0;
    await call("shop__add", { a: 1, b: 1 });
    expect(server.seen.map(({ method, rpc }) => rpc ?? method)).toEqual([
      "server/discover", // once: later sessions know that the server is of before 2026
      "initialize",
      "notifications/initialized",
      "tools/list",
      "DELETE",
      "initialize",
      "notifications/initialized",
      "tools/call",
      "DELETE",
    ]);
    for (const { headers } of server.seen) expect(headers.authorization).toBe("Bearer shelf-42");
  });

  it("is also terminated when a call failed", async () => {
    server.sessions.clear();
    await call("shop__fail").catch(() => {});
    await call("shop__slow", {}, AbortSignal.timeout(300)).catch(() => {});
    expect([...server.sessions]).toEqual([]);
  });
});

describe("a server that cannot be used is replaced by a tool that gives the reason", () => {
  const standIn = async (url: string, more: object = {}) => {
    const tools = await list(url, more);
    expect(tools).toMatchObject([{ name: "shop__unavailable", foreign: true }]);
    const reason = tools[0]!.call({}, AbortSignal.timeout(1000)).then(String, (error: Error) => error.message);
    expect(tools[0]!.description).toContain(await reason);
    return reason;
  };

  it("an unreachable one", async () => {
    expect(await standIn("http://127.0.0.1:9/mcp")).toMatch(/The tools of shop cannot be used now: /);
  });

  it("one that does not answer", async () => {
    expect(await standIn(`${server.url}?deaf`, { settings: { timeout_ms: 300 } })).toMatch(/did not answer in time/);
  });

  it("one that redirects", async () => {
    expect(await standIn(`${server.url}?moved`)).toMatch(/redirect/i);
  });

  it("one that wants a login", async () => {
    server.seen.length = 0;
    expect(await standIn(`${server.url}?login`)).toMatch(/requires authorization/);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer shelf-42"]);
  });

  it("one with a refused address", async () => {
    server.seen.length = 0;
    expect(await standIn(server.url, { url_policy: { allow_private: false, resolver_url: "" } })).toMatch(
      /URL was not called. Its scheme must be https/,
    );
    expect(server.seen).toEqual([]);
  });
});

describe("a server that speaks MCP 2026-07-28 alone", () => {
  let modern: Awaited<ReturnType<typeof startModernMcp>>;
  beforeAll(async () => {
    modern = await startModernMcp();
  });
  afterAll(() => modern[Symbol.asyncDispose]());
  const use = async (name: string, args: object = {}) =>
    (await list(modern.url)).find((tool) => tool.name === `shop__${name}`)!.call(args, AbortSignal.timeout(5000));

  it("is asked for its version once, and is called without a handshake, with the headers of the server", async () => {
    const tools = await list(modern.url);
    expect(tools.map(({ name }) => name)).toEqual(["shop__add", "shop__look", "shop__fail"]);
    modern.seen.length = 0;
    expect(await tools[0]!.call({ a: 2, b: 40 }, AbortSignal.timeout(5000))).toBe("42");
    expect(modern.seen.map(({ rpc, headers }) => [rpc, headers.authorization])).toEqual([
      ["tools/call", "Bearer shelf-42"],
    ]);
  });

  it("gets arguments in headers where a tool wants them there", async () => {
    expect(await use("look", { shelf: "A 7", place: { row: "3" } })).toBe("seen: A 7");
    expect(modern.seen.at(-1)!.headers).toMatchObject({ "mcp-param-shelf": "A 7", "mcp-param-row": "3" });
    expect(await use("look", { shelf: "Regal für Bücher" })).toBe("seen: Regal für Bücher");
  });

  it("reports failures and wrong arguments in its own words", async () => {
    await expect(use("fail")).rejects.toThrow("the shelf is empty");
    await expect(use("add", { a: "two" })).rejects.toThrow(/Invalid arguments|expected number/);
  });
});
