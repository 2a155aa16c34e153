/** The example apps, each as a process of its own, against the served Worker. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Served, until } from "../../support/served";

const ROOT = join(import.meta.dirname, "../../..");

let served: Served;
let key: string;
beforeAll(async () => {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(ROOT, "clients/typescript")]);
  served = await Served.start({}, "node");
  const wanted = { name: "examples", mode: "test", scopes: ["runs:read", "runs:write"] };
  ({ key } = await served.api("POST", "/v1/keys", served.live_key, wanted));
});
afterAll(() => served.close());

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("the web app starts a run, shows its question when the webhook arrives, and shows the result", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const app = spawn(process.execPath, [join(ROOT, "examples/web-app/app.mjs")], {
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: url,
      PARLEY_API_KEY: key,
      PARLEY_BASE_URL: served.url,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(app.stdout, "data");
    const form = (fields: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(fields) });
    expect(await (await fetch(url)).text()).toContain('name="idea"');
    const run = await fetch(`${url}/runs`, form({ idea: "A library that lends tools" }));
    expect(run.url).toMatch(/\/runs\/run_/);
    const pageWith = (pattern: RegExp) =>
      until(`a page with ${pattern}`, async () => pattern.exec(await (await fetch(run.url)).text()) ?? false);
    const [, question] = await pageWith(/action="(\/answers\/int_\w+)"/);
    const answered = await fetch(url + question, form({ decision: "approve", comment: "" }));
    expect(answered.url).toBe(run.url);
    const [, output] = await pageWith(/<p id="status">completed<\/p><pre id="output">(.+)<\/pre>/s);
    expect(output).toContain("&#34;");
    const forged = await fetch(`${url}/webhooks`, { method: "POST", body: "{}" });
    expect(forged.status).toBe(400);
  } finally {
    app.kill();
  }
});

it("the coding agent starts a run with its .mcp.json, asks its user what the run asks, and reads the result, as its transcript shows", async () => {
  const example = join(ROOT, "examples/coding-agent");
  const agent = spawn(process.execPath, [join(example, "agent.mjs")], {
    env: { ...process.env, PARLEY_BASE_URL: served.url, PARLEY_API_KEY: key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  /** Ids differ between runs. */
  const masked = (transcript: string) => transcript.replace(/\b(run|int|art)_\w{26}/g, "$1_…").replace(/ +$/gm, "");
  const transcript = masked(await text(agent.stdout));
  expect(transcript).toBe(masked(readFileSync(join(example, "transcript.md"), "utf8")));
  expect(transcript.match(/Parley asks/g)).toHaveLength(2);
  expect(transcript).toMatch(/completed after \d+ calls/);
});
