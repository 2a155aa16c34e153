/** The operator's metrics: of all tenants, by a token of their own. */
import { beforeAll, expect, it, vi } from "vitest";
import { bindings, call, type Client, makeTenant, runWithStatus, start } from "../support/parley";
import { METRICS_TOKEN } from "../support/variables";

/** Whether the process that answers is the whole deployment; in workerd there are isolates. */
const isWhole = navigator.userAgent !== "Cloudflare-Workers";

let clients: Client[];
beforeAll(async () => {
  clients = [await makeTenant(), await makeTenant()];
  for (const { test } of clients) {
    const webhook = { url: "http://127.0.0.1:9/deaf", events: ["run.completed"] };
    await runWithStatus(test, await start(test, { options: { qa_rounds: 0 }, webhook }), "completed");
  }
});

const scrape = (token?: string) => call("GET", "/metrics", token === undefined ? {} : { key: token });
const samples = async () => (await scrape(METRICS_TOKEN)).body as string;
const valueOf = (text: string, name: string, ...labels: string[]): number =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);

it("need the operator's token, and no tenant's key opens them", async () => {
  expect((await scrape()).status).toBe(401);
  expect((await scrape(`${METRICS_TOKEN}x`)).status).toBe(401);
  expect((await scrape(clients[0]!.live)).status).toBe(401);
  const reply = await scrape(METRICS_TOKEN);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
});

it("count what all tenants have stored, without ids", async () => {
  // Other tests write rows of their own into the same database: only what the triggers count is the same for all.
  const completed = async () =>
    (await bindings.DB.prepare(
      "SELECT SUM(runs) AS runs FROM ended_runs WHERE workflow = 'requirements' AND mode = 'test' AND phase = 'completed'",
    ).first<number>("runs"))!;
  const before = await completed();
  const text = await samples();
  const counted = valueOf(text, "parley_runs", 'workflow="requirements"', 'mode="test"', 'status="completed"');
  expect(counted).toBeGreaterThanOrEqual(Math.max(before, 2));
  expect(counted).toBeLessThanOrEqual(await completed());
  expect(text).not.toMatch(/ten_|run_0/);
  const samplesIn = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(samplesIn.filter((line) => !/^\w+(\{.*\})? -?\d[\d.e+-]*$/.test(line))).toEqual([]);
});

it.runIf(isWhole)("count requests, model calls, ended runs and deliveries as they happen", async () => {
  const counts = (text: string) => ({
    requests: valueOf(text, "parley_http_request_duration_seconds_count", 'resource="runs"', 'status="201"'),
    calls: valueOf(text, "parley_model_call_duration_seconds_count", 'provider="mock"', 'outcome="ok"'),
    failures: valueOf(text, "parley_model_call_duration_seconds_count", 'outcome="provider_rate_limited"'),
    ended: valueOf(text, "parley_run_duration_seconds_count", 'workflow="requirements"', 'status="completed"'),
    deliveries: valueOf(text, "parley_webhook_attempt_duration_seconds_count", 'kind="http"', 'outcome="pending"'),
  });
  const before = counts(await samples());
  const key = clients[0]!.test;
  const webhook = { url: "http://127.0.0.1:9/deaf", events: ["run.completed"] };
  const test = { faults: { llm: ["rate_limited"] } };
  await runWithStatus(key, await start(key, { options: { qa_rounds: 0 }, webhook, test }), "completed");
  await expect
    .poll(async () => {
      const after = counts(await samples());
      return Object.entries(after).every(([name, count]) => count > before[name as keyof typeof before]);
    })
    .toBe(true);
});

it.runIf(isWhole)("count maintenance passes", async () => {
  const name = "parley_maintenance_pass_duration_seconds_count";
  const passesOf = (text: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
  const before = passesOf(await samples());
  await start(clients[0]!.test, { options: { qa_rounds: 0 } });
  await expect.poll(async () => passesOf(await samples())).toBeGreaterThan(before);
});

it.runIf(isWhole)("the log line of a failed model call says when, which provider and what it answered", async () => {
  const warn = vi.spyOn(console, "warn");
  const key = clients[0]!.test;
  const id = await start(key, { options: { qa_rounds: 0 }, test: { faults: { llm: ["rate_limited"] } } });
  await runWithStatus(key, id, "completed");
  const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
  warn.mockRestore();
  expect(lines.find(({ run_id, message }) => run_id === id && message === "an attempt failed")).toMatchObject({
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    provider: "openai",
    status: 429,
    code: "provider_rate_limited",
  });
});
