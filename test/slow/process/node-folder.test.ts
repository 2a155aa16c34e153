/** `npm run serve` on a folder from which something is missing, or whose disk refuses writes for a while. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync, chmodSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keysOfState } from "../../../scripts/lib/local-keys.ts";
import { buildHost } from "../../../scripts/serve/build.ts";
import { Served, until } from "../../support/served";

const scratch = mkdtempSync(join(tmpdir(), "parley-folder-"));
let program: string;
let served: Served;
beforeAll(async () => {
  program = await buildHost();
  served = await Served.start({ NUDGE_AFTER_MS: "2000" }, "node");
});
afterAll(async () => {
  await served.close();
  rmSync(scratch, { recursive: true });
});

const request = {
  workflow: "requirements",
  input: { idea: "A library that lends tools", stakeholders: [{ name: "Anna", profile: "lends tools" }] },
  options: { qa_rounds: 1 },
};

interface Started {
  ready: boolean;
  stderr: string;
  child: ChildProcess;
}

/** Starts the program until it is ready or has ended. */
function start(data: string, env: Record<string, string> = {}, args: string[] = [], uid?: number): Promise<Started> {
  const child = spawn(process.execPath, [program, "--data", data, "--port", "0", ...args], {
    env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
    uid,
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  return new Promise((done) => {
    child.stdout.once("data", () => done({ ready: true, stderr, child }));
    child.once("close", () => done({ ready: false, stderr, child }));
  });
}

const startAndStop = async (...given: Parameters<typeof start>) => {
  const { ready, child, stderr } = await start(...given);
  if (ready) await stop(child);
  return { ready, stderr };
};

const stop = (child: ChildProcess) =>
  new Promise((ended) => {
    child.once("close", ended);
    child.kill("SIGTERM");
  });

describe("a start", () => {
  /** A folder that was served, with a large content in its bucket. */
  const whole = join(scratch, "whole");
  beforeAll(async () => {
    const corpus = await served.api("POST", "/v1/corpora", served.live_key, { name: "Large" });
    const text = `A tool that was lent is returned. ${"Nobody lends ladders. ".repeat(5000)}`;
    await served.api("POST", `/v1/corpora/${corpus.id}/documents`, served.live_key, { source: "Statute", text });
    await served.stop();
    cpSync(served.state, whole, { recursive: true });
    await served.up();
  });
  let count = 0;
  const copy = () => {
    const folder = join(scratch, `copy-${count++}`);
    cpSync(whole, folder, { recursive: true });
    return folder;
  };
  const secret = "s".repeat(40);

  it("continues a whole folder, and a first start that was interrupted", async () => {
    expect(await startAndStop(copy())).toEqual({ ready: true, stderr: "" });
    const begun = join(scratch, "begun");
    cpSync(join(whole, "keys.json"), join(begun, "keys.json"));
    writeFileSync(join(begun, "parley.sqlite"), "");
    expect((await startAndStop(begun)).ready).toBe(true);
  });

  it.each<[string, (folder: string) => void, RegExp[]]>([
    [
      "the database is missing",
      (folder) => rmSync(join(folder, "parley.sqlite")),
      [/parley\.sqlite is missing or empty/, /Restore/],
    ],
    [
      "the database is empty",
      (folder) => truncateSync(join(folder, "parley.sqlite")),
      [/parley\.sqlite is missing or empty/, /Restore/],
    ],
    [
      "the database is damaged",
      (folder) => writeFileSync(join(folder, "parley.sqlite"), "no database at all".repeat(1000)),
      [/parley\.sqlite is damaged/, /restore a backup/],
    ],
    ["keys.json is missing", (folder) => rmSync(join(folder, "keys.json")), [/keys\.json is missing/, /Put back/]],
    [
      "keys.json is empty",
      (folder) => truncateSync(join(folder, "keys.json")),
      [/keys\.json is empty or damaged/, /backup/],
    ],
    [
      "keys.json is of another folder",
      (folder) => {
        rmSync(join(folder, "keys.json"));
        keysOfState(join(folder, "keys.json"));
      },
      [/keys\.json belongs to another database/, /Put back/],
    ],
    [
      "the bucket is missing",
      (folder) => rmSync(join(folder, "bucket"), { recursive: true }),
      [/bucket is missing/, /Restore/],
    ],
    [
      "a newer version has served it",
      (folder) => {
        const database = new DatabaseSync(join(folder, "parley.sqlite"));
        database.exec("INSERT INTO d1_migrations (name) VALUES ('9000_later.sql')");
        database.close();
      },
      [/newer version/, /9000_later\.sql/],
    ],
  ])("is refused, with the file and the remedy, when %s", async (_, damage, wanted) => {
    const folder = copy();
    damage(folder);
    const { ready, stderr } = await startAndStop(folder);
    expect(ready).toBe(false);
    for (const part of wanted) expect(stderr).toMatch(part);
    expect(stderr).toContain(folder);
    expect(stderr.trim().split("\n").length).toBe(1);
  });

  it("makes new keys for a lost keys.json when PARLEY_SECRET is set", async () => {
    const folder = copy();
    rmSync(join(folder, "keys.json"));
    expect((await startAndStop(folder, { PARLEY_SECRET: secret })).ready).toBe(true);
    expect((await startAndStop(folder)).ready).toBe(true);
  });

  it("names a folder that it cannot write", async () => {
    const folder = join(scratch, "read-only");
    cpSync(whole, folder, { recursive: true });
    chmodSync(scratch, 0o755);
    chmodSync(folder, 0o555);
    const { ready, stderr } = await startAndStop(folder, {}, [], process.getuid!() === 0 ? 65_534 : undefined);
    chmodSync(folder, 0o755);
    expect([ready, stderr]).toEqual([
      false,
      expect.stringMatching(/read-only cannot be read and written \(E\w+\)\. .*chown/),
    ]);
  });

  it("after a rotation, keys.json has the secrets in use, and a start without the variables uses them", async () => {
    const folder = copy();
    const rotated = { PARLEY_SECRET_2: secret, PARLEY_SECRET_UNTIL: "2099-01-31" };
    expect((await startAndStop(folder, rotated)).ready).toBe(true);
    const kept = keysOfState(join(folder, "keys.json"));
    expect(kept.secrets).toEqual({ PARLEY_SECRET: kept.secret, ...rotated });
    expect((await startAndStop(folder)).ready).toBe(true);
    expect(keysOfState(join(folder, "keys.json")).secrets).toEqual(kept.secrets);
  });

  it("on all addresses without PUBLIC_URL says that Host decides callback URLs", async () => {
    const folder = join(scratch, "public");
    expect((await startAndStop(folder, {}, ["--listen", "0.0.0.0"])).stderr).toContain("PUBLIC_URL is not set");
    const named = await startAndStop(folder, { PUBLIC_URL: "https://parley.example.org" }, ["--listen", "0.0.0.0"]);
    expect(named).toEqual({ ready: true, stderr: "" });
  });
});

const serverPid = () => Number(readFileSync(join(served.state, "server.pid"), "utf8"));
const limitFiles = (bytes: string) =>
  execFileSync("prlimit", ["--pid", String(serverPid()), `--fsize=${bytes}:unlimited`]);
const hasPrlimit = (() => {
  try {
    return execFileSync("prlimit", ["--version"]).length > 0;
  } catch {
    return false;
  }
})();
const log = () => readFileSync(join(served.state, "server.log"), "utf8").split("\n");

it.skipIf(!hasPrlimit)(
  "a disk that takes nothing for some seconds: requests get 503, health says so, no call is paid twice, no run fails, and the log stays short",
  async () => {
    await served.plan(await served.planFromMock(request, 150));
    const runs: string[] = [];
    for (let count = 0; count < 5; count++)
      runs.push((await served.api("POST", "/v1/runs", served.live_key, request)).id);
    await until("calls", async () => (await served.callsOf(runs[0]!)).length > 2);
    const before = log().length;
    limitFiles("0");
    try {
      await until("the health check to notice", async () => (await fetch(`${served.url}/healthz`)).status === 503);
      const statuses = new Set<number>();
      for (let count = 0; count < 20; count++) {
        statuses.add((await served.post("/v1/runs", served.live_key, request, {})).status);
        await sleep(200);
      }
      expect([...statuses]).toEqual([503]);
    } finally {
      limitFiles("unlimited");
    }
    const lines = log().slice(before);
    expect(lines.length).toBeLessThan(300);
    expect(lines.join("\n")).not.toContain("nothing handled it");
    await until("the health check to recover", async () => (await fetch(`${served.url}/healthz`)).ok);
    for (const id of runs) {
      await served.status(id, "completed");
      const steps = (await served.callsOf(id)).map(({ step }) => step);
      expect(steps.length).toBe(new Set(steps).size);
    }
  },
);

it("a copy that is served paused shows its runs and takes requests, and calls no model; served again it continues", async () => {
  await served.plan(await served.planFromMock(request, 300));
  const { id } = await served.api("POST", "/v1/runs", served.live_key, request);
  await until("a call", async () => (await served.callsOf(id)).length > 0);
  const whole = served.state;
  await served.stop();
  served.state = join(scratch, "restored");
  cpSync(whole, served.state, { recursive: true });
  await served.up(undefined, ["--paused"]);
  const calls = (await served.callsOf(id)).length;
  const later = await served.api("POST", "/v1/runs", served.live_key, request);
  await sleep(3000);
  expect((await served.callsOf(id)).length).toBe(calls);
  expect(await served.callsOf(later.id)).toEqual([]);
  expect((await served.api("GET", `/v1/runs/${id}`, served.live_key)).status).toBe("running");
  await served.stop();
  await served.up();
  for (const run of [id, later.id]) await served.status(run, "completed");
});

it("a damaged page in the database: requests that read it get 503, the health check says so, and the log names file and remedy", async () => {
  await served.api("POST", "/v1/corpora", served.live_key, { name: "Statutes" });
  const whole = served.state;
  await served.stop();
  served.state = join(scratch, "damaged");
  cpSync(whole, served.state, { recursive: true });
  const file = join(served.state, "parley.sqlite");
  const database = new DatabaseSync(file);
  const { root } = database.prepare("SELECT rootpage AS root FROM sqlite_schema WHERE name = 'corpora'").get()!;
  const { page_size: size } = database.prepare("PRAGMA page_size").get()!;
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0xff, (Number(root) - 1) * Number(size), Number(root) * Number(size));
  writeFileSync(file, bytes);
  await served.up();
  const headers = { authorization: `Bearer ${served.live_key}` };
  expect((await fetch(`${served.url}/v1/corpora`, { headers })).status).toBe(503);
  const health = await fetch(`${served.url}/healthz`);
  expect([health.status, await health.json()]).toMatchObject([503, { status: "unavailable", because: "database" }]);
  expect(log().join("\n")).toContain(`${file} is damaged`);
  await served.stop();
  served.state = whole;
  await served.up();
});

it("a client that disconnects within its request's body is no error", async () => {
  const before = log().length;
  for (const path of ["/v1/runs", "/v1/corpora/cor_x/documents", "/nowhere"])
    await new Promise<void>((gone) => {
      const { hostname, port } = new URL(served.url);
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
        );
        setTimeout(() => socket.resetAndDestroy(), 200);
      });
      socket.once("close", () => gone());
    });
  await sleep(500);
  const errors = log()
    .slice(before)
    .filter((line) => line.includes('"level":"error"') || line.includes("nothing handled it"));
  expect(errors).toEqual([]);
});

it("SIGTERM lets requests end that clients have sent before, and that the server has not read yet", async () => {
  const { hostname, port } = new URL(served.url);
  const body = JSON.stringify(request);
  const head = `POST /v1/runs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${served.test_key}\r\nContent-Type: application/json\r\n`;
  process.kill(serverPid(), "SIGSTOP");
  const answers = Array.from({ length: 12 }, async () => {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.on("data", (chunk) => (text += chunk)).on("error", () => {});
    const closed = new Promise((end) => socket.once("close", end));
    socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    await closed;
    return text.split("\r\n")[0];
  });
  await sleep(200);
  const stopped = served.stop();
  process.kill(serverPid(), "SIGCONT");
  expect(await Promise.all(answers)).toEqual(Array(12).fill("HTTP/1.1 201 Created"));
  await stopped;
  await served.up();
});
