/** What the Node host reaches in a private network: a mail server and hosts that its operator lists. It mails neither strangers nor in test mode. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer } from "../../../scripts/lib/server.ts";

/** A mail server that takes every mail. */
const mails: { to: string; text: string }[] = [];
const mailServer = createServer((socket) => receive(socket));
/** A receiver of webhooks. */
const hooks: string[] = [];
const receiver = createHttpServer((request, response) => {
  hooks.push(request.url!);
  response.end();
});
const portOf = (listening: { address(): unknown }) => (listening.address() as AddressInfo).port;
const state = mkdtempSync(join(tmpdir(), "parley-smtp-"));
let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  for (const listening of [mailServer, receiver]) {
    listening.listen(0, "127.0.0.1");
    await once(listening, "listening");
  }
  const env = {
    ALLOW_PRIVATE_URLS: "false",
    ALLOW_PRIVATE_HOSTS: `localhost:${portOf(receiver)}`,
    SMTP_URL: `smtp://127.0.0.1:${portOf(mailServer)}`,
    EMAIL_FROM: "Parley <parley@example.com>",
  };
  server = await startServer({ state, host: "node", env });
}, 120_000);

afterAll(async () => {
  await server.stop();
  mailServer.close();
  receiver.close();
  receiver.closeAllConnections();
  rmSync(state, { recursive: true });
});

function receive(socket: Socket): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let buffer = "";
  let to = "";
  let isData = false;
  say("220 mail.test");
  socket.on("error", () => {});
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    buffer += chunk;
    if (isData) {
      const end = buffer.indexOf("\r\n.\r\n");
      if (end < 0) return;
      mails.push({ to, text: buffer.slice(0, end) });
      buffer = buffer.slice(end + 5);
      isData = false;
      say("250 taken");
    }
    for (let at = buffer.indexOf("\r\n"); at >= 0 && !isData; at = buffer.indexOf("\r\n")) {
      const line = buffer.slice(0, at);
      buffer = buffer.slice(at + 2);
      if (/^RCPT TO:/i.test(line)) to = /<(.*)>/.exec(line)![1]!;
      isData = /^DATA/i.test(line);
      if (/^QUIT/i.test(line)) return void socket.end("221 bye\r\n");
      say(isData ? "354 go on" : "250 ok");
    }
  });
}

async function post(path: string, key: string, body: object = {}): Promise<{ status: number; body: any }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const reply = await fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: reply.status, body: await reply.json() };
}

const endpoint = (address: string, key = server.live_key) =>
  post("/v1/webhook-endpoints", key, { kind: "email", url: `mailto:${address}` });

it("sends a mail to an address of its own domain", async () => {
  const { status, body } = await endpoint("desk@example.com");
  expect(status).toBe(201);
  await post(`/v1/webhook-endpoints/${body.id}/ping`, server.live_key);
  await expect.poll(() => mails.length, { timeout: 20_000 }).toBe(1);
  expect(mails[0]!.to).toBe("desk@example.com");
  expect(mails[0]!.text).toMatch(/^From: Parley <parley@example\.com>/m);
  expect(mails[0]!.text).toContain("text/html");
});

it("sends none to strangers, and none in test mode", async () => {
  const stranger = await endpoint("somebody@elsewhere.example");
  expect(stranger.status).toBe(422);
  expect(stranger.body.errors).toEqual([
    expect.objectContaining({
      path: "url",
      code: "address_refused",
      message: expect.stringContaining("only to example.com"),
    }),
  ]);
  const test = await endpoint("desk@example.com", server.test_key);
  expect(test.status).toBe(422);
  expect(test.body.errors).toEqual([expect.objectContaining({ path: "kind", code: "not_configured" })]);
  expect(mails).toHaveLength(1);
});

it("sends a webhook to a private host that the operator lists, and to no other", async () => {
  const hook = (url: string) => post("/v1/webhook-endpoints", server.live_key, { url });
  const listed = await hook(`http://localhost:${portOf(receiver)}/listed`);
  expect(listed.status).toBe(201);
  await post(`/v1/webhook-endpoints/${listed.body.id}/ping`, server.live_key);
  await expect.poll(() => hooks, { timeout: 20_000 }).toEqual(["/listed"]);
  for (const url of [`http://localhost:${portOf(mailServer)}/`, `http://127.0.0.1:${portOf(receiver)}/`])
    expect((await hook(url)).body, url).toMatchObject({ code: "url_refused" });
});
