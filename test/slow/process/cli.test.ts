/** The command line, as a process of its own, against the served Worker. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Parley } from "../../../clients/typescript/src/index";
import { Served, until } from "../../support/served";

const ROOT = join(import.meta.dirname, "../../..");
const CLI = join(ROOT, "clients/typescript/dist/cli/main.js");
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const PLAIN = { workflow: "plain", input: { task: "Say yes" } } as const;

const folder = mkdtempSync(join(tmpdir(), "parley-cli-"));
let served: Served;
let parley: Parley;
let key: string;
beforeAll(async () => {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(ROOT, "clients/typescript")]);
  served = await Served.start();
  const wanted = { name: "cli", mode: "test", scopes: ["admin"] };
  ({ key } = await served.api("POST", "/v1/keys", served.live_key, wanted));
  parley = new Parley({ apiKey: key, baseURL: served.url });
}, 300_000);
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

const launch = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, PARLEY_API_KEY: key, PARLEY_BASE_URL: served.url },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Runs a command to its end. */
async function cli(...args: string[]) {
  const child = launch(...args);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), ended]);
  return { code, stdout, stderr };
}

/** Settled once `listen` has its endpoint. */
async function listening(child: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: child.stderr! })) if (line.startsWith("Listening.")) return;
  throw new Error("The command has ended.");
}

const fileWith = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

it("starts a run, shows its progress, and exits by how it ended", async () => {
  const input = JSON.stringify(PLAIN.input);
  const done = await cli("runs", "create", "plain", "--input", input, "--wait", "--metadata", "by=cli");
  expect(done).toMatchObject({ code: 0, stderr: expect.stringMatching(/completed: 1 model calls/) });
  expect(JSON.parse(done.stdout)).toMatchObject({ answer: expect.anything() });

  const [run] = (await parley.runs.list({ metadata: { by: "cli" } }).page()).data;
  expect(run!.metadata).toEqual({ by: "cli" });
  const wrong = await cli("runs", "create", "plain", "--input", input, "--metadata", "cli");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--metadata cli: write name=value.") });

  const quiet = await cli("runs", "create", "plain", "--input", input);
  expect(quiet.stdout.trim()).toMatch(/^run_/);

  const { id } = await parley.runs.create({ ...PLAIN, limits: { max_tokens: 1 } });
  const failed = await cli("runs", "watch", id, "--json");
  expect(failed.code).toBe(1);
  const lines = failed.stdout.trim().split("\n");
  expect(JSON.parse(lines[0]!).type).toBe("run.created");
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ id, status: "failed", error: { code: "budget_exceeded" } });
  expect((await cli("runs", "retry", id, "--wait")).code).toBe(1);
});

it("lists questions and answers them", async () => {
  const run = await parley.runs.create({
    workflow: "requirements",
    input: { idea: "A library that lends tools" },
    options: { reviews: ["requirement_draft"], qa_rounds: 0 },
  });
  await served.status(run.id, "input_required", key);
  const [question] = JSON.parse((await cli("questions", "--run", run.id, "--json")).stdout);
  expect(question).toMatchObject({ run_id: run.id, kind: "feedback" });
  const answer = await cli("questions", "answer", question.id, "--answer", '{"decision":"approve"}');
  expect(JSON.parse(answer.stdout)).toMatchObject({ id: question.id, status: "answered" });
  expect((await cli("runs", "watch", run.id)).code).toBe(0);

  const [artifact] = await parley.artifacts.list(run.id).all();
  const out = join(folder, "artifact");
  expect((await cli("artifacts", "get", run.id, artifact!.id, "--out", out)).code).toBe(0);
  expect(readFileSync(out, "utf8")).toBe(await parley.artifacts.text(run.id, artifact!.id));
});

it("uploads documents and items, starts an experiment, and exports everything", async () => {
  const documents = fileWith("laws.ndjson", '{"source":"A law","text":"A tenant pays rent."}\n{"source":"B"}\n');
  const corpus = await cli("corpora", "upload", documents, "--name", "Laws");
  expect(corpus.code).toBe(1);
  expect(JSON.parse(corpus.stdout)).toMatchObject({ added: 1, invalid: 1, errors: [{ line: 2 }] });

  const items = ["one", "two"]
    .map((id) => JSON.stringify({ id, input: PLAIN.input, gold: { text: ["yes"] } }))
    .join("\n");
  const dataset = await cli(
    "datasets",
    "upload",
    fileWith("items.ndjson", items),
    "--name",
    "Tasks",
    "--workflow",
    "plain",
  );
  const { id, status } = JSON.parse(dataset.stdout);
  expect(status).toBe("closed");

  const variants = [{ name: "plain", workflow: "plain", options: { form: "text" } }];
  const request = fileWith("experiment.json", JSON.stringify({ input: { dataset_id: id, variants } }));
  expect(await cli("experiment", request)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  const experiment = await cli("experiment", request, "--yes");
  expect(experiment).toMatchObject({ code: 0, stderr: expect.stringContaining("model calls") });

  const exported = await cli("export");
  expect(
    exported.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type),
  ).toContain("dataset_item");
});

it("manages keys", async () => {
  const made = JSON.parse((await cli("keys", "create", "CI", "--mode", "test", "--scope", "runs:read")).stdout);
  expect(made).toMatchObject({ name: "CI", scopes: ["runs:read"] });
  expect((await cli("keys", "list")).stdout).toContain(made.id);
  expect((await cli("keys", "revoke", made.id)).code).toBe(0);
});

it("exits with 2 when it is called wrongly, and with 1 when a request is refused", async () => {
  expect(await cli("runs", "crate")).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no command") });
  expect(await cli("runs")).toMatchObject({ code: 2, stderr: expect.stringContaining("runs create, runs list") });
  expect(await cli("runs", "create", "plain")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--input is missing\.\nUsage: parley runs create WORKFLOW /),
  });
  expect(await cli("runs", "list", "--limit", "few")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--limit takes a number, not few\.\nUsage: /),
  });
  expect((await cli("runs", "watch", "x", "--nope")).code).toBe(2);
  expect(await cli("runs", "get", "run_01KA9VR4T5M6N7P8Q9R0S1T2V3")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/404 not_found: .*\(request /),
  });
  expect(await cli("runs", "list", "--api-key", "parley_test_x")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("PARLEY_API_KEY"),
  });
  expect((await cli("--help")).stdout).toContain("listen --forward-to");
});

it("listen, killed ten times during 100 events, forwards each of them at least once, signed, with one id", async () => {
  const received: { id: string; event: string; delivery: string }[] = [];
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    const webhook = await parley.webhooks.unwrap(body, request.headers, SECRET).catch(() => undefined);
    if (webhook)
      received.push({
        id: String(request.headers["webhook-id"]),
        event: webhook.data.event.id,
        delivery: webhook.type,
      });
    response.writeHead(webhook ? 204 : 400).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => receiver.once("listening", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const events = ["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.completed"];
  const listen = (...types: string[]) =>
    launch(
      "listen",
      "--forward-to",
      url,
      "--secret",
      SECRET,
      "--lease",
      "2",
      ...types.flatMap((type) => ["--event", type]),
    );

  let listener = listen("run.failed");
  const kill = async (signal: "SIGKILL" | "SIGINT") => {
    const dead = new Promise((resolve) => listener.once("close", resolve));
    listener.kill(signal);
    await dead;
  };
  const subscribed = async () => (await parley.webhookEndpoints.list().all())[0]?.events ?? [];
  await until("the endpoint", async () => (await subscribed()).length > 0);
  await kill("SIGKILL");
  listener = listen(...events);
  await until("the events of the second start", async () => (await subscribed()).length === events.length);
  await kill("SIGKILL");
  const runs = await Promise.all(Array.from({ length: 20 }, () => parley.runs.createAndWait(PLAIN)));
  const expected = new Set<string>();
  for (const { id } of runs)
    for await (const event of parley.runs.listEvents(id)) if (events.includes(event.type)) expected.add(event.id);
  expect(expected.size).toBeGreaterThanOrEqual(100);

  const distinct = () => new Set(received.map(({ id }) => id)).size;
  for (let kills = 1; kills <= 10; kills++) {
    listener = listen(...events);
    await until(`reception ${kills * 9}`, async () => distinct() >= kills * 9);
    await kill("SIGKILL");
  }
  listener = listen(...events);
  await listening(listener); // before, SIGINT would end it as SIGKILL does
  await until("every event", async () => distinct() >= expected.size);
  await kill("SIGINT");
  receiver.close();

  expect(new Set(received.map(({ event }) => event))).toEqual(expected);
  expect(received.every(({ id, event }) => id === event)).toBe(true);
  expect(await parley.webhookEndpoints.list().all()).toEqual([]);
});
