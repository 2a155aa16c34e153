/** Requests and responses between Node's server and the Worker. */
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type OutgoingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requestOf, send } from "../../../src/node/http";
import { StaticFiles } from "../../../src/node/static-files";

const folder = mkdtempSync(join(tmpdir(), "parley-http-"));
const files = new StaticFiles(folder);
writeFileSync(join(folder, "large.json"), "x".repeat(1_000_000));

const app = new Hono();
app.get("/large.json", (c) => files.fetch(new Request(c.req.url)));
app.get("/client", (c) => c.text(`${c.req.header("CF-Connecting-IP")} ${c.req.url}`));
/** Answers when the client has gone. */
app.get("/late", async (c) => {
  await new Promise((gone) => c.req.raw.signal.addEventListener("abort", gone));
  return files.fetch(new Request(new URL("/large.json", c.req.url)));
});

let server: Server;
beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const answer = async () => {
      try {
        await send(await app.fetch(requestOf(incoming, { behind_proxy: true, signal: gone.signal })), outgoing);
      } catch {
        outgoing.writeHead(400).end();
      }
    };
    void answer();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const port = () => (server.address() as AddressInfo).port;
const ask = (path: string, method = "GET", headers: OutgoingHttpHeaders = {}) =>
  new Promise<{ status: number; text: string; length?: string }>((done, fail) => {
    const sent = httpRequest({ host: "127.0.0.1", port: port(), path, method, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk));
      answer.once("end", () => done({ status: answer.statusCode!, text, length: answer.headers["content-length"] }));
    });
    sent.once("error", fail).end();
  });

/** Files of the folder that this process has open. */
const open = () =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;

it.skipIf(process.platform !== "linux")(
  "a static file is open only while it is sent: not after HEAD, nor when the client has gone, before or during the answer",
  async () => {
    const { length } = await ask("/large.json", "HEAD");
    for (let count = 0; count < 20; count++) await ask("/large.json", "HEAD");
    expect(length).toBe("1000000");
    for (const path of ["/large.json", "/late"])
      for (let count = 0; count < 20; count++)
        await new Promise<void>((gone) => {
          const sent = httpRequest({ host: "127.0.0.1", port: port(), path });
          sent
            .on("error", () => gone())
            .on("response", (answer) =>
              answer.once("data", () => sent.destroy(new Error("enough"))).on("error", () => gone()),
            );
          if (path === "/late") setTimeout(() => sent.destroy(new Error("gone")), 20);
          sent.end();
        });
    expect((await ask("/large.json")).text.length).toBe(1_000_000);
    await expect.poll(open).toBe(0);
  },
);

it.each([
  ["a/v1/keys?x", 400],
  ["user@example.org", 400],
  ["example.org#", 400],
  ["example.org:port", 400],
  ["example.org", 200],
  ["example.org:8443", 200],
  ["[2001:db8::1]:8443", 200],
  ["127.0.0.1", 200],
])("Host %s gets %i", async (host, status) => {
  expect((await ask("/client", "GET", { host })).status).toBe(status);
});

it.each([
  ["203.0.113.9:51234", "203.0.113.9"],
  ["198.51.100.1, 203.0.113.9:51235", "203.0.113.9"],
  ["[2001:db8::7]:443", "2001:db8::7"],
  ["2001:db8::7", "2001:db8::7"],
  ["203.0.113.9", "203.0.113.9"],
])("X-Forwarded-For %s is the client %s", async (given, client) => {
  expect((await ask("/client", "GET", { "x-forwarded-for": given })).text.split(" ")[0]).toBe(client);
});
