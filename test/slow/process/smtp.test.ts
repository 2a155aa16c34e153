/** The Node host sends mail by SMTP, to a mail server in a private network, and none in test mode or to strangers. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer } from "../../../scripts/lib/server.ts";

/** A mail server that takes every mail. */
const mails: { to: string; text: string }[] = [];
const mailServer = createServer((socket) => receive(socket));
const state = mkdtempSync(join(tmpdir(), "parley-smtp-"));
let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  mailServer.listen(0, "127.0.0.1");
  await once(mailServer, "listening");
  const { port } = mailServer.address() as AddressInfo;
  const env = {
    ALLOW_PRIVATE_URLS: "false",
    SMTP_URL: `smtp://localhost:${port}`,
    EMAIL_FROM: "Parley <parley@example.com>",
  };
  server = await startServer({ state, host: "node", env });
}, 120_000);

afterAll(async () => {
  await server.stop();
  mailServer.close();
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
