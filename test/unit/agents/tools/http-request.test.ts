/** HTTP requests of agents: only to allowed hosts, only readable bodies, no redirects. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { httpRequest } from "#agents/tools/http-request";

let host: string;
let seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
  answer(request.url!, response);
});

function answer(url: string, response: ServerResponse): void {
  if (url === "/moved") return void response.writeHead(302, { location: "http://169.254.169.254/" }).end("go there");
  if (url === "/image") return void response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(12));
  if (url === "/huge")
    return void response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(600 * 1024));
  if (url === "/missing")
    return void response.writeHead(404, { "content-type": "application/problem+json" }).end('{"a":1}');
  if (url === "/deaf") return;
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end('{"temperature":21}');
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
});

const RESOLVER = "http://127.0.0.1:9/no-resolver";
const tool = (hosts: string[], allow_private = true) =>
  httpRequest({
    settings: { http_allow_list: hosts, timeout_ms: 1000 },
    url_policy: { allow_private, resolver_url: RESOLVER },
  });
const ask = (args: object, hosts = [host], allow_private = true) =>
  tool(hosts, allow_private).call(args, AbortSignal.timeout(500));

describe("a request to a host of the list", () => {
  it("returns status, type and body", async () => {
    expect(await ask({ url: `http://${host}/weather?city=Graz` })).toBe(
      'Status: 200\nContent-Type: application/json; charset=utf-8\n\n{"temperature":21}',
    );
    expect(seen).toMatchObject([{ method: "GET", url: "/weather?city=Graz" }]);
  });

  it("may post a body", async () => {
    await ask({ url: `http://${host}/`, method: "POST", body: '{"q":1}', accept: "application/json" });
    expect(seen).toMatchObject([
      { method: "POST", body: '{"q":1}', headers: { "content-type": "application/json", accept: "application/json" } },
    ]);
  });

  it("returns an error status like any other", async () => {
    expect(await ask({ url: `http://${host}/missing` })).toContain(
      'Status: 404\nContent-Type: application/problem+json\n\n{"a":1}',
    );
  });

  it("does not follow a redirect, and returns its target", async () => {
    const result = await ask({ url: `http://${host}/moved` });
    expect(result).toContain("Status: 302");
    expect(result).toContain("Location: http://169.254.169.254/\nRedirects are not followed.");
    expect(seen).toHaveLength(1);
  });

  it("describes a body that it cannot show", async () => {
    expect(await ask({ url: `http://${host}/image` })).toContain("(12 bytes that are not text)");
    expect(await ask({ url: `http://${host}/x`, method: "HEAD" })).toContain("(no body)");
    await expect(ask({ url: `http://${host}/huge` })).rejects.toThrow(/larger than 512 KiB/);
  });

  it("ends at its timeout", async () => {
    await expect(ask({ url: `http://${host}/deaf` })).rejects.toThrow();
  });
});

describe("refused calls", () => {
  const refused: [url: string, hosts: string[], allow_private: boolean, reason: RegExp][] = [
    ["https://example.org/", ["example.com"], false, /example.org is not among the hosts that can be: example.com/],
    ["https://example.com.evil.org/", ["example.com"], false, /not among/],
    ["https://notexample.com/", ["*.example.com"], false, /not among/],
    ["https://example.com/", ["*.example.com"], false, /not among/],
    ["https://example.com:8443/", ["example.com"], false, /not among/],
    ["https://example.com@evil.org/", ["example.com"], false, /user name/],
    ["http://example.com/", ["example.com"], false, /must be https/],
    ["https://127.0.0.1/", ["127.0.0.1"], false, /not a public address/],
    ["https://2130706433/", ["2130706433", "127.0.0.1"], false, /not a public address/],
    ["https://[::1]/", ["[::1]"], false, /not a public address/],
    ["https://metadata.internal/", ["metadata.internal"], false, /not a public domain/],
    ["https://user:pass@example.com/", ["example.com"], true, /user name/],
    ["file:///etc/passwd", ["*.example.com"], true, /scheme/],
    ["/relative", ["example.com"], true, /absolute/],
  ];
  test.each(refused)("%s with %j", async (url, hosts, allow_private, reason) => {
    await expect(ask({ url }, hosts, allow_private)).rejects.toThrow(reason);
    expect(seen).toEqual([]);
  });

  it("methods and bodies that do not go together", async () => {
    await expect(ask({ url: `http://${host}/`, method: "DELETE" })).rejects.toThrow(/do not fit/);
    await expect(ask({ url: `http://${host}/`, body: "x" })).rejects.toThrow(/Only POST/);
    await expect(ask({ url: `http://${host}/`, headers: { authorization: "x" } })).rejects.toThrow(/do not fit/);
    expect(seen).toEqual([]);
  });
});

it("an entry with a star matches subdomains", async () => {
  const reached = await ask({ url: "http://api.example.test/" }, ["*.example.test"]).catch(
    (error: Error) => error.message,
  );
  expect(reached).not.toContain("was not called");
});
