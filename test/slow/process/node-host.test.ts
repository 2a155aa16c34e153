/** `npm run serve`: the Worker on Node alone, killed, stopped, copied and started again. Its other tests run the suites of the platform. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request as httpRequest, type RequestOptions } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildHost } from "../../../scripts/serve/build.ts";
import { lostCalls, Served, until } from "../../support/served";

let served: Served;
/** A copy of the built folder, away from the repository: it needs nothing else, as in the Docker image. */
const built = mkdtempSync(join(tmpdir(), "parley-built-"));
const program = join(built, "parley.mjs");
beforeAll(async () => {
  served = await Served.start({}, "node");
  cpSync(dirname(await buildHost()), built, { recursive: true });
});
afterAll(async () => {
  await served.close();
  rmSync(built, { recursive: true });
});

const live = (method: string, path: string, body?: object) => served.api(method, path, served.live_key, body);
const request = {
  workflow: "requirements",
  input: { idea: "A library that lends tools", stakeholders: [{ name: "Anna", profile: "lends tools" }] },
  options: { qa_rounds: 1, reviews: ["requirement_draft"] },
};
const authorized = () => ({ authorization: `Bearer ${served.live_key}` });

/** Sends a request that `fetch` would not send, and returns the status of its answer. */
const statusOf = (options: RequestOptions, body?: Buffer): Promise<number | undefined> =>
  new Promise((done, fail) => {
    const { hostname, port } = new URL(served.url);
    const sent = httpRequest({ hostname, port, ...options }, (answer) => {
      answer.resume().once("end", () => done(answer.statusCode));
    });
    sent.once("error", fail).setTimeout(10_000, () => sent.destroy(new Error("There was no answer.")));
    sent.end(body);
  });

/** Runs the program as a command. */
const command = (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
  }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    (error) => ({ code: error.code as number, stdout: String(error.stdout), stderr: String(error.stderr) }),
  );

it("executes a run with a question, is killed before it and after its answer, and finishes with every step called once", async () => {
  await served.plan(await served.planFromMock({ ...request, options: { qa_rounds: 1 } }, 300));
  const { id } = await live("POST", "/v1/runs", request);
  await until("a call in flight", async () => (await served.callsOf(id)).some(({ ended_at }) => ended_at === null));
  const kills = [await served.kill()];
  await served.up();
  const { interactions } = await served.status(id, "input_required");
  kills.push(await served.kill());
  await served.up();
  await live("POST", `/v1/interactions/${interactions[0]}/answer`, { decision: "approve" });
  kills.push(await served.kill());
  await served.up();
  expect((await served.status(id, "completed")).output.accepted).toBe(true);
  const calls = await served.callsOf(id);
  const lost = lostCalls(calls, kills);
  const finished = calls.filter((call) => !lost.includes(call)).map(({ step }) => step);
  expect(finished.length).toBe(new Set(finished).size);
});

it("a second server on the same folder is refused, and names the first; wrong variables are named before anything is written", async () => {
  const second = await command(["--data", served.state, "--port", "0"]);
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringMatching(/is in use by a running server \(process \d+\)/),
  ]);
  const elsewhere = `${served.state}-wrong`;
  const wrong = await command(["--data", elsewhere, "--port", "0"], {
    MAINTENANCE_INTERVAL_MS: "soon",
    LOG_LEVEL: "loud",
  });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(/MAINTENANCE_INTERVAL_MS.*\n.*LOG_LEVEL/);
  expect(existsSync(elsewhere)).toBe(false);
});

it("serves static files, and answers requests that it cannot read with 400", async () => {
  const script = await fetch(`${served.url}/docs/reference.js`);
  expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  expect((await script.arrayBuffer()).byteLength).toBe(Number(script.headers.get("content-length")));
  const headers = { "if-none-match": script.headers.get("etag")! };
  expect((await fetch(`${served.url}/docs/reference.js`, { headers })).status).toBe(304);
  expect(await statusOf({ path: "/v1/runs", headers: { host: "no host" } })).toBe(400);
});

it("a body that the API does not read does not block the next request on its connection", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { "content-type": "text/plain", authorization: "Bearer wrong" };
  const body = Buffer.alloc(3_000_000, "x");
  const statuses = new Set<number | undefined>();
  for (let count = 0; count < 3; count++)
    statuses.add(await statusOf({ path: "/v1/runs", method: "POST", headers, agent }, body));
  expect([...statuses]).toEqual([413]);
  expect(await statusOf({ path: "/healthz", agent })).toBe(200);
  agent.destroy();
});

it("at SIGTERM a running request ends, a stream is closed, the log is in the database; the next start continues", async () => {
  const { id } = await live("POST", "/v1/runs", request);
  const stream = await fetch(`${served.url}/v1/runs/${id}/events`, {
    headers: { ...authorized(), accept: "text/event-stream" },
  });
  expect(stream.headers.get("x-accel-buffering")).toBe("no");
  const reader = stream.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain("event: run.created");
  const closed = (async () => {
    while (!(await reader.read()).done);
  })().catch(() => {});
  const lines = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(`${JSON.stringify({ source: "Statute", text: "Lend tools." })}\n`));
      await new Promise((later) => setTimeout(later, 1000));
      controller.close();
    },
  });
  const corpus = await live("POST", "/v1/corpora", { name: "Statutes" });
  const upload = fetch(`${served.url}/v1/corpora/${corpus.id}/documents`, {
    method: "POST",
    headers: { ...authorized(), "content-type": "application/x-ndjson" },
    body: lines,
    duplex: "half",
  } as RequestInit);
  await new Promise((later) => setTimeout(later, 300));
  await served.stop();
  expect((await upload).status).toBe(202);
  await closed;
  expect(existsSync(join(served.state, "parley.sqlite-wal"))).toBe(false);
  await served.up();
  await until("the upload's document", async () => {
    const { counts } = await live("GET", `/v1/corpora/${corpus.id}`);
    return counts.ready_documents === 1;
  });
  await served.status(id, "input_required");
});

it("a copy that was taken while runs are active is a folder to serve from: runs, questions, keys and large contents are in it", async () => {
  const corpus = await live("POST", "/v1/corpora", { name: "Large" });
  const text = `A tool that was lent is returned. ${"Nobody lends ladders. ".repeat(5000)}`;
  const document = await live("POST", `/v1/corpora/${corpus.id}/documents`, { source: "Statute", text });
  const waiting = await live("POST", "/v1/runs", request);
  const { interactions } = await served.status(waiting.id, "input_required");
  const running = await live("POST", "/v1/runs", { ...request, options: { qa_rounds: 1 } });
  await until("a call", async () => (await served.callsOf(running.id)).length > 0);

  const copy = `${served.state}-copy`;
  const taken = await command(["backup", copy, "--data", served.state]);
  expect([taken.code, taken.stdout]).toEqual([0, expect.stringContaining("is a copy, with")]);
  expect((await command(["backup", copy, "--data", served.state])).stderr).toContain("exists: name a new folder");
  const { live_key } = JSON.parse(readFileSync(join(copy, "keys.json"), "utf8"));
  expect(live_key).toBe(served.live_key);
  await served.kill();
  rmSync(served.state, { recursive: true });
  served.state = copy;
  await served.up();

  await live("POST", `/v1/interactions/${interactions[0]}/answer`, { decision: "approve" });
  await served.status(waiting.id, "completed");
  await served.status(running.id, "completed");
  const content = await fetch(`${served.url}/v1/corpora/${corpus.id}/documents/${document.id}/content`, {
    headers: authorized(),
  });
  expect((await content.text()) === text).toBe(true);
});

it("the built folder has the operator's command, and on an older Node says which one it needs", async () => {
  const run = (args: string[]) =>
    promisify(execFile)(process.execPath, args, { env: { ...process.env, PARLEY_STATE: served.state } }).then(
      ({ stdout }) => stdout,
      ({ stderr }) => String(stderr),
    );
  expect(await run([join(built, "operator.mjs"), "--local", "tenants"])).toContain("local");
  const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.11.0"}})`;
  expect(await run(["--import", older, program])).toMatch(
    /^Parley needs Node 24 or later; this is Node 20\.11\.0 \(.*\)\.\n$/,
  );
});
