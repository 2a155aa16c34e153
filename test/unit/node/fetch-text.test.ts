import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fetchText } from "../../../src/node/fetch-text";

let server: Server;
let url: string;
/** The last request of each path. */
const seen = new Map<string, { headers: IncomingMessage["headers"]; body: string; from?: number }>();
/** What was passed on to Node's own `fetch`. */
const passedOn: unknown[] = [];
const posting = fetchText((input, init) => {
  passedOn.push(input);
  return fetch(input, init);
});

const ANSWERS: Record<string, (answer: ServerResponse) => void> = {
  "/json": (answer) =>
    answer.writeHead(200, { "content-type": "application/json", "x-many": ["a", "b"] }).end('{"text":"größer ✓"}'),
  "/refused": (answer) => answer.writeHead(429, "Slow Down", { "retry-after": "7" }).end("later"),
  "/empty": (answer) => answer.writeHead(204).end(),
  "/gzip": (answer) => answer.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed")),
  "/br": (answer) => answer.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync("packed")),
  "/moved": (answer) => answer.writeHead(307, { location: "/json" }).end(),
  "/not-modified": (answer) => answer.writeHead(304).end(),
  "/half": (answer) => void answer.writeHead(200, { "content-length": "100" }).write("half"),
  "/broken": (answer) =>
    void answer.writeHead(200, { "content-length": "100" }).write("half", () => answer.socket!.destroy()),
  "/silent": () => {},
  "/endless": (answer) => {
    const more = () => {
      while (!answer.destroyed && answer.write("x".repeat(65_536)));
    };
    more();
    answer.on("drain", more);
  },
  "/bomb": (answer) =>
    answer.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
};

beforeAll(async () => {
  server = createServer(async (request, answer) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const { headers, socket } = request;
    seen.set(request.url!, { headers, body: Buffer.concat(chunks).toString(), from: socket.remotePort });
    ANSWERS[request.url!]!(answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const request = (signal?: AbortSignal): RequestInit => ({
  method: "POST",
  headers: new Headers({ "Content-Type": "application/json", Authorization: "Bearer key" }),
  body: '{"say":"größer ✓"}',
  redirect: "manual",
  signal,
});

const facts = async (answer: Response) => ({
  status: answer.status,
  statusText: answer.statusText,
  ok: answer.ok,
  text: await answer.text(),
  headers: [...answer.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name)),
});

it.each(["/json", "/refused", "/empty", "/gzip", "/br", "/not-modified"])("%s gives what fetch gives", async (path) => {
  const expected = await facts(await fetch(url + path, request()));
  const before = passedOn.length;
  expect(await facts(await posting(url + path, request()))).toEqual(expected);
  expect(passedOn).toHaveLength(before);
});

it("sends the body and the headers, and asks for no compression", async () => {
  await posting(`${url}/json`, request());
  const { headers, body } = seen.get("/json")!;
  expect(body).toBe('{"say":"größer ✓"}');
  expect(headers).toMatchObject({
    "content-type": "application/json",
    authorization: "Bearer key",
    "content-length": String(Buffer.byteLength(body)),
    "accept-encoding": "identity",
  });
});

it("uses a connection again", async () => {
  const ports = new Set<number | undefined>();
  for (let count = 0; count < 3; count++) {
    await posting(`${url}/json`, request());
    ports.add(seen.get("/json")!.from);
  }
  expect(ports.size).toBe(1);
});

it("a redirect is the caller's to handle", async () => {
  seen.delete("/json");
  const answer = await posting(`${url}/moved`, request());
  expect([answer.status, answer.headers.get("location"), seen.has("/json")]).toEqual([307, "/json", false]);
});

it.each([
  ["/endless", "as it is sent"],
  ["/bomb", "as it is decoded"],
])("%s: a response that is too large is given up %s", async (path) => {
  await expect(posting(url + path, request())).rejects.toMatchObject({ cause: { name: "ResponseTooLargeError" } });
});

it.each([
  ["before it is sent", "/json", 0],
  ["while nothing is answered", "/silent", 50],
  ["in the middle of the answer", "/half", 50],
])("an abort %s rejects with the signal's reason", async (_, path, after) => {
  const stop = new AbortController();
  const reason = new DOMException("Enough.", "AbortError");
  if (after) setTimeout(() => stop.abort(reason), after);
  else stop.abort(reason);
  await expect(posting(url + path, request(stop.signal))).rejects.toBe(reason);
});

it("a connection that is refused or cut off is a TypeError, whose cause is the system's", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await expect(posting(`http://127.0.0.1:${port}/`, request())).rejects.toMatchObject({
    name: "TypeError",
    message: "fetch failed",
    cause: { code: "ECONNREFUSED" },
  });
  await expect(posting(`${url}/broken`, request())).rejects.toMatchObject({
    name: "TypeError",
    cause: { code: "ECONNRESET" },
  });
});

it.each<[string, () => [string | Request, RequestInit?]]>([
  ["a request object", () => [new Request(`${url}/json`)]],
  ["a GET", () => [`${url}/json`, { headers: new Headers() }]],
  ["bytes", () => [`${url}/json`, { ...request(), body: new Uint8Array([1]) }]],
  ["a request whose redirects are to be followed", () => [`${url}/moved`, { ...request(), redirect: "follow" }]],
  ["a URL with data", () => ["data:,a", request()]],
])("%s goes to Node's own fetch", async (_, given) => {
  const before = passedOn.length;
  const answer = await posting(...given());
  await answer.body?.cancel();
  expect(passedOn).toHaveLength(before + 1);
});
