import dns from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { fetchText } from "../../../src/node/fetch-text";
import { hostsIn } from "#core/outbound/url-policy";
import { guardLookups } from "../../../src/node/guarded-lookup";

const { lookup } = dns;
afterEach(() => {
  dns.lookup = lookup;
});

/** Names resolve to these addresses from now on. */
function resolving(addresses: Record<string, string>): void {
  dns.lookup = ((name: string, options: { all?: boolean }, done: (...given: unknown[]) => void) => {
    const address = addresses[name] ?? "127.0.0.1";
    setImmediate(() => (options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)));
  }) as never;
}

const posted = (url: string) =>
  fetchText(fetch)(url, { method: "POST", body: "", headers: new Headers(), redirect: "manual" });

const outcome = (url: string, ask: (url: string) => Promise<Response> = fetch) =>
  ask(url).then(
    async (response) => response.text(),
    (error: Error) => (error.cause as Error).message,
  );

it("a name that resolves to a private address when the connection is made is not connected to, unless the operator has configured it", async () => {
  const server = createServer((_, answer) => answer.end("reached")).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as AddressInfo;
  resolving({ "metadata.example": "169.254.169.254" });
  guardLookups(hostsIn({ OPENAI_BASE_URL: `http://models.example:${port}/v1` }));
  expect(await outcome(`http://rebound.example:${port}/`)).toBe(
    "rebound.example resolves to 127.0.0.1, which is not a public address.",
  );
  expect(await outcome(`http://rebound.example:${port}/`, posted)).toBe(
    "rebound.example resolves to 127.0.0.1, which is not a public address.",
  );
  expect(await outcome(`http://models.example:${port}/`, posted)).toBe("reached");
  expect(await outcome("http://metadata.example/")).toContain("169.254.169.254, which is not a public address");
  expect(await outcome(`http://models.example:${port}/`)).toBe("reached");
  server.close();
});

it("finds the hosts in all values of variables, also in JSON", () => {
  const PROVIDERS = JSON.stringify({ a: { base_url: "http://gpu.lan:8000/v1" }, b: { base_url: "https://b.example" } });
  const SMTP_URL = "smtp://parley:secret@mail.lan:587";
  expect(hostsIn({ PROVIDERS, SMTP_URL, RESOLVER_URL: "https://dns.example/dns-query", LOG_LEVEL: "info" })).toEqual(
    new Set(["gpu.lan", "b.example", "mail.lan", "dns.example"]),
  );
});
