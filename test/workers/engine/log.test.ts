/** The operator's log: every line names its run and tenant, and no line holds texts of people or models. */
import { createExecutionContext } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { createApp } from "#api/http/app";
import { configureLog } from "#core/log";
import {
  addKey,
  bindings,
  call,
  type Client,
  eventsOf,
  hookUrl,
  makeTenant,
  openInteraction,
  planFromMock,
  planHook,
  planModel,
  runWithStatus,
  start,
  until,
} from "../../support/parley";

let client: Client;
let lines: string[];
/** The first request and the first run of an isolate configure its log; tests do so afterwards. */
beforeAll(async () => {
  client = await makeTenant();
  await runWithStatus(client.test, await start(client.test, { options: { qa_rounds: 0 } }), "completed");
});
beforeEach(async () => {
  client = await makeTenant();
  lines = [];
  for (const level of ["debug", "info", "warn", "error", "log"] as const)
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
  configureLog({ level: "info", content: false, code_version: "0.1.0" });
});

const entries = () => lines.map((line) => JSON.parse(line) as Record<string, any>);
const about = (run: string) => entries().filter((entry) => entry.run_id === run);

/** Words of the caller's texts; the mock model repeats them in the answers of models. */
const IDEA = "A zeppelin ferry across Lake Constance";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

async function liveRun() {
  const options = { reviews: ["requirement_draft"], qa_rounds: 0 };
  const plan = await planFromMock(client, { input: { idea: IDEA }, options: { qa_rounds: 0 } });
  const [step, answers] = Object.entries(plan)[0]!;
  plan[step] = [{ status: 500, body: { error: { message: `cannot serve: ${IDEA}` } } }, ...answers];
  const models = await planModel(plan);
  const name = crypto.randomUUID();
  await planHook(name, [500, 200]);
  const webhook = { url: hookUrl(name), secret: SECRET, events: ["run.input_required", "run.completed"] };
  const id = await start(client.live, { input: { idea: IDEA }, options, models, webhook });
  const interaction = await openInteraction(client.live, id);
  const { body } = await call("GET", `/v1/interactions/${interaction.id}`, { key: client.live });
  const token = new URL(body.callback_url).pathname.split("/").at(-1)!;
  await call("GET", `/v1/callbacks/${token}`);
  await call("POST", `/v1/callbacks/${token}`, { body: { decision: "approve", comment: "Lake ferries are windy" } });
  await runWithStatus(client.live, id, "completed");
  return { id, token };
}

it("a run's logs hold no prompt text, key, callback token or webhook secret", async () => {
  configureLog({ level: "debug", content: false, code_version: "0.1.0" });
  const { id, token } = await liveRun();
  await until("the run's end is logged", async () => about(id).some((entry) => entry.message === "run completed"));
  const steps = about(id).filter((entry) => entry.message === "step answered");
  expect(steps.length).toBeGreaterThan(5);
  const log = lines.join("\n").toLowerCase();
  const hidden = [
    IDEA,
    "zeppelin",
    "windy",
    client.live,
    client.test,
    token,
    token.split(".").at(-1)!,
    SECRET,
    SECRET.slice(6),
  ];
  for (const text of [...hidden, "sk-test", bindings.PARLEY_SECRET as string])
    expect(log, text).not.toContain(text.toLowerCase());
});

it("a run's lines name the run, its tenant, the step and the version of the code", async () => {
  const { id } = await liveRun();
  await until("the run's end is logged", async () => about(id).some((entry) => entry.message === "run completed"));
  const own = about(id).filter((entry) => entry.message !== "request");
  for (const entry of own) {
    expect(entry).toMatchObject({ level: expect.any(String), tenant_id: client.tenant, code_version: "0.1.0" });
  }
  expect(own.map((entry) => entry.message)).toContain("run completed");
  // The rows of the run and of the artifact hold what these lines would say.
  expect(own.map((entry) => entry.message)).not.toContain("run started");
  expect(own.map((entry) => entry.message)).not.toContain("step answered");
  expect(own.find((entry) => entry.message === "an attempt failed")).toMatchObject({
    level: "warn",
    step: expect.stringContaining("/"),
    code: "provider_unavailable",
    attempt: 1,
  });
});

it("a request is one line, with the pattern of its path, its key and its request_id", async () => {
  const key = (await call("GET", "/v1/keys", { key: client.test })).body.data.find((one: any) => one.mode === "test");
  lines = [];
  const id = await start(client.test, { options: { qa_rounds: 0 } });
  const { headers } = await call("GET", `/v1/runs/${id}`, { key: client.test, headers: { "x-request-id": "mine-1" } });
  expect(headers.get("x-request-id")).toBe("mine-1");
  await call("GET", "/v1/callbacks/int_00000000000000000000000000.c2VjcmV0c2VjcmV0c2VjcmV0");
  await call("GET", "/v1/no-such-thing?key=hush");
  await call("GET", "/v1/keys", { key: await addKey(client.tenant, "test", ["runs:read"]) });
  const requests = entries().filter((entry) => entry.message === "request");
  expect(requests).toMatchObject([
    { method: "POST", route: "/v1/runs", status: 201, key_id: key.id, tenant_id: client.tenant, run_id: id },
    { method: "GET", route: "/v1/runs/:id", status: 200, key_id: key.id, run_id: id, request_id: "mine-1" },
    { method: "GET", route: "/v1/callbacks/:token", status: 404 },
    { method: "GET", route: null, status: 404 },
    { method: "GET", route: "/v1/keys", status: 403, key_id: expect.any(String), tenant_id: client.tenant },
  ]);
  for (const entry of requests) expect(entry).toMatchObject({ level: "info", ms: expect.any(Number) });
  expect(lines.join("\n")).not.toContain("hush");
});

it("LOG_CONTENT adds prompts and answers, but no secret", async () => {
  configureLog({ level: "debug", content: true, code_version: "0.1.0" });
  const { id, token } = await liveRun();
  const log = lines.join("\n");
  expect(about(id).find((entry) => entry.message === "step answered")?.content.user).toContain(IDEA);
  for (const secret of [client.live, token, SECRET, "sk-test"]) expect(log, secret).not.toContain(secret);
});

it("an internal error is logged, and its caller sees only the request_id", async () => {
  const broken = {
    prepare: () => ({
      bind: () => ({ first: () => Promise.reject(new Error("D1_ERROR: no such table: vault: SQLITE_ERROR")) }),
    }),
  };
  const request = new Request("http://parley.test/v1/runs", { headers: { authorization: `Bearer ${client.test}` } });
  const env = { ...bindings, DB: broken } as unknown as Env;
  const reply = await createApp<Env>(composeServices).fetch(request, env, createExecutionContext());
  const { request_id, ...body } = (await reply.json()) as Record<string, unknown>;
  expect(reply.status).toBe(500);
  expect(body).toMatchObject({ code: "internal_error" });
  expect(JSON.stringify(body)).not.toContain("vault");
  expect(entries().find((entry) => entry.request_id === request_id && entry.level === "error")).toMatchObject({
    message: "request failed",
    route: "/v1/runs",
    error: { name: "Error", message: "D1_ERROR: no such table: vault: SQLITE_ERROR" },
  });
});

it("the event log is not the log: events hold no content either", async () => {
  const { id } = await liveRun();
  expect(JSON.stringify(await eventsOf(client.live, id))).not.toMatch(/zeppelin/i);
});
