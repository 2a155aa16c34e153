/** Counts of a tenant, as JSON and in the Prometheus text format. */
import { beforeAll, expect, it } from "vitest";
import { bindings, call, type Client, makeTenant, openInteraction, runWithStatus, start } from "../support/parley";
import { api } from "./api";

let client: Client;
let completed: string;
beforeAll(async () => {
  client = await makeTenant();
  const other = await makeTenant();
  await start(other.test, { options: { qa_rounds: 0 } });
  const options = { qa_rounds: 0 };
  completed = await start(client.test, {
    options,
    webhook: { url: "http://127.0.0.1:9/deaf", events: ["run.completed"] },
  });
  await runWithStatus(client.test, completed, "completed");
  await openInteraction(
    client.test,
    await start(client.test, { options: { reviews: ["requirement_draft"], ...options } }),
  );
});

const metrics = (headers: Record<string, string> = {}) => api("GET", "/v1/metrics", { key: client.test, headers });

it("counts the tenant's runs by workflow, mode and status, with their usage, and no other tenant's", async () => {
  const { body } = await metrics();
  const { usage } = (await call("GET", `/v1/runs/${completed}`, { key: client.test })).body;
  expect(body.runs).toEqual([
    { workflow: "requirements", mode: "test", status: "completed", runs: 1, ...usage },
    expect.objectContaining({ workflow: "requirements", mode: "test", status: "input_required", runs: 1 }),
  ]);
  expect(body).toMatchObject({ open_interactions: 1, stalled_runs: 0, oldest_queued_since: null });
});

it("counts deliveries that are pending and that have failed", async () => {
  expect((await metrics()).body.webhook_deliveries).toEqual({ pending: 1, failed: 0 });
  await bindings.DB.prepare("UPDATE deliveries SET status = 'failed', next_attempt_at = NULL WHERE run_id = ?")
    .bind(completed)
    .run();
  expect((await metrics()).body.webhook_deliveries).toEqual({ pending: 0, failed: 1 });
});

it("shows since when the longest queued run waits", async () => {
  const client2 = await makeTenant();
  const { body } = await call("POST", "/v1/runs", {
    key: client2.test,
    body: { workflow: "requirements", input: { idea: "x" } },
  });
  await runWithStatus(client2.test, body.id, "completed");
  const since = Date.UTC(2026, 0, 1);
  await bindings.DB.prepare("UPDATE runs SET phase = 'queued', finished_at = NULL, heartbeat_at = ? WHERE id = ?")
    .bind(since, body.id)
    .run();
  const counted = (await api("GET", "/v1/metrics", { key: client2.test })).body;
  expect(counted.oldest_queued_since).toBe("2026-01-01T00:00:00.000Z");
  await call("POST", `/v1/runs/${body.id}/cancel`, { key: client2.test });
});

it("are text for a client that accepts text/plain", async () => {
  const scraper = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1";
  const reply = await metrics({ accept: scraper });
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const { usage } = (await call("GET", `/v1/runs/${completed}`, { key: client.test })).body;
  const labels = 'workflow="requirements",mode="test",status="completed"';
  for (const line of [
    "# TYPE parley_runs gauge",
    `parley_runs{${labels}} 1`,
    `parley_llm_calls{${labels}} ${usage.llm_calls}`,
    `parley_tokens{${labels},kind="input"} ${usage.input_tokens}`,
    "parley_open_interactions 1",
  ]) {
    expect(reply.body.split("\n")).toContain(line);
  }
  for (const line of reply.body.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) parley_\w+ .+|parley_\w+(\{\w+="\w+"(,\w+="\w+")*\})? [\d.e+-]+)$/);
});

it("are JSON for a client that accepts anything", async () => {
  for (const accept of ["*/*", "application/json", "text/html"]) {
    expect((await metrics({ accept })).headers.get("content-type"), accept).toBe("application/json");
  }
});
