/** For each POST of the document, requests that succeed, and how to count their effects. */
import { all, bindings, call, type Client, hookUrl, start, until } from "../support/parley";
import { newAgent } from "./agent";
import { startBody } from "./api";
import { item, linesOf } from "./dataset";
import { askEverything, callbackPath, waitingRun } from "./questions";

export interface PostRequest {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Absent: the path itself is the capability. */
  key?: string | undefined;
  /** Counts the effects of the request. */
  count(): Promise<number>;
}

const NDJSON = { "content-type": "application/x-ndjson" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** By operation and by what is sent, of a tenant of its own. */
export function postRequests(client: Client): Record<string, Record<string, () => Promise<PostRequest>>> {
  const made = async (path: string, body: object) =>
    (await call("POST", path, { key: client.test, body })).body.id as string;
  const listed = (path: string) => async () => (await all(client.test, path)).length;
  const rows = (sql: string, id: string) => async () =>
    (await bindings.DB.prepare(sql).bind(id).first<{ n: number }>())!.n;
  const eventsOfType = (run: string, type: string) => async () =>
    (await all(client.test, `/v1/runs/${run}/events`)).filter((event) => event.type === type).length;

  const slow = () => start(client.test, { test: { latency_ms: 60_000 } });
  const corpus = () => made("/v1/corpora", { name: "Statutes" });
  const dataset = () => made("/v1/datasets", { name: "Sums", workflow: "waterfall" });
  const endpoint = () => made("/v1/webhook-endpoints", { url: hookUrl("idempotent") });
  const polled = () => made("/v1/webhook-endpoints", { delivery: "poll" });
  const leases = (id: string) =>
    rows("SELECT COALESCE(SUM(attempts), 0) AS n FROM deliveries WHERE endpoint_id = ?", id);
  const uploads = (id: string) => rows("SELECT COUNT(*) AS n FROM uploads WHERE corpus_id = ?", id);
  const attempts = (id: string) => rows("SELECT COUNT(*) AS n FROM deliveries WHERE endpoint_id = ?", id);

  return {
    createRun: {
      run: async () => ({ path: "/v1/runs", body: startBody(), key: client.test, count: listed("/v1/runs") }),
    },
    estimateRun: {
      run: async () => ({
        path: "/v1/runs/estimate",
        body: startBody(),
        key: client.test,
        count: async () => 0,
      }),
    },
    cancelRun: {
      run: async () => {
        const id = await slow();
        return { path: `/v1/runs/${id}/cancel`, key: client.test, count: eventsOfType(id, "run.canceled") };
      },
    },
    pauseRun: {
      run: async () => {
        const id = await slow();
        return { path: `/v1/runs/${id}/pause`, key: client.test, count: eventsOfType(id, "run.paused") };
      },
    },
    resumeRun: {
      run: async () => {
        const id = await slow();
        await call("POST", `/v1/runs/${id}/pause`, { key: client.test });
        return { path: `/v1/runs/${id}/resume`, key: client.test, count: eventsOfType(id, "run.resumed") };
      },
    },
    retryRun: {
      run: async () => {
        const id = await slow();
        await call("POST", `/v1/runs/${id}/cancel`, { key: client.test });
        return { path: `/v1/runs/${id}/retry`, body: {}, key: client.test, count: eventsOfType(id, "run.retried") };
      },
    },
    answerInteraction: {
      interaction: async () => {
        const run = await waitingRun(client);
        const id = await askEverything(run);
        const body = { answers: { q1: "a", q2: 1 } };
        return {
          path: `/v1/interactions/${id}/answer`,
          body,
          key: client.test,
          count: eventsOfType(run, "run.input_received"),
        };
      },
    },
    extendInteraction: {
      interaction: async () => {
        const run = await waitingRun(client);
        const id = await askEverything(run);
        const body = { expires_at: new Date(Date.now() + 86_400_000).toISOString() };
        const count = eventsOfType(run, "run.input_extended");
        return { path: `/v1/interactions/${id}/extend`, body, key: client.test, count };
      },
    },
    reassignInteraction: {
      interaction: async () => {
        const run = await waitingRun(client);
        const id = await askEverything(run);
        const count = eventsOfType(run, "run.input_reassigned");
        return { path: `/v1/interactions/${id}/reassign`, body: { name: "Ada" }, key: client.test, count };
      },
    },
    withdrawInteraction: {
      interaction: async () => {
        const run = await waitingRun(client);
        const id = await askEverything(run);
        const count = eventsOfType(run, "run.input_withdrawn");
        return { path: `/v1/interactions/${id}/withdraw`, key: client.test, count };
      },
    },
    answerCallback: {
      "as JSON": async () => {
        const run = await waitingRun(client);
        const path = await callbackPath(client, await askEverything(run));
        return { path, body: { answers: { q1: "a", q2: 1 } }, count: eventsOfType(run, "run.input_received") };
      },
      "as a form": async () => {
        const run = await waitingRun(client);
        const path = await callbackPath(client, await askEverything(run));
        return { path, body: "q1=a&q2=1", headers: FORM, count: eventsOfType(run, "run.input_received") };
      },
      "as a form, for a page": async () => {
        const run = await waitingRun(client);
        const path = await callbackPath(client, await askEverything(run));
        const headers = { ...FORM, accept: "text/html" };
        return { path, body: "q1=a&q2=1", headers, count: eventsOfType(run, "run.input_received") };
      },
    },
    createAgent: {
      agent: async () => ({ path: "/v1/agents", body: newAgent(), key: client.test, count: listed("/v1/agents") }),
    },
    createTemplate: {
      template: async () => ({
        path: "/v1/templates",
        body: { name: "One", request: startBody() },
        key: client.test,
        count: listed("/v1/templates"),
      }),
    },
    startTemplate: {
      run: async () => {
        const id = await made("/v1/templates", { name: "One", request: startBody() });
        return { path: `/v1/templates/${id}/runs`, body: {}, key: client.test, count: listed("/v1/runs") };
      },
    },
    createSchedule: {
      schedule: async () => {
        const template_id = await made("/v1/templates", { name: "One", request: startBody() });
        const body = { name: "Yearly", template_id, cron: "0 0 1 1 *" };
        return { path: "/v1/schedules", body, key: client.test, count: listed("/v1/schedules") };
      },
    },
    triggerSchedule: {
      run: async () => {
        const template_id = await made("/v1/templates", { name: "One", request: startBody() });
        const id = await made("/v1/schedules", { name: "Yearly", template_id, cron: "0 0 1 1 *" });
        return { path: `/v1/schedules/${id}/trigger`, key: client.test, count: listed("/v1/runs") };
      },
    },
    createCorpus: {
      corpus: async () => ({
        path: "/v1/corpora",
        body: { name: "One" },
        key: client.test,
        count: listed("/v1/corpora"),
      }),
    },
    addDocuments: {
      "one document": async () => {
        const path = `/v1/corpora/${await corpus()}/documents`;
        return { path, body: { source: "A law", text: "A rule." }, key: client.test, count: listed(path) };
      },
      "an upload": async () => {
        const id = await corpus();
        const body = `${JSON.stringify({ source: "A law", text: "A rule." })}\n`;
        return { path: `/v1/corpora/${id}/documents`, body, headers: NDJSON, key: client.test, count: uploads(id) };
      },
    },
    searchCorpus: {
      query: async () => {
        const path = `/v1/corpora/${await corpus()}`;
        await call("POST", `${path}/documents`, { key: client.test, body: { source: "A law", text: "A rule." } });
        await until("it is ready", async () => (await call("GET", path, { key: client.test })).body.status === "ready");
        return { path: `${path}/search`, body: { query: "rule" }, key: client.test, count: async () => 0 };
      },
    },
    createDataset: {
      "data set": async () => ({
        path: "/v1/datasets",
        body: { name: "One", workflow: "waterfall" },
        key: client.test,
        count: listed("/v1/datasets"),
      }),
    },
    addItems: {
      "an upload": async () => {
        const path = `/v1/datasets/${await dataset()}/items`;
        return { path, body: linesOf([item("a")]), headers: NDJSON, key: client.test, count: listed(path) };
      },
    },
    closeDataset: {
      "data set": async () => {
        const path = `/v1/datasets/${await dataset()}`;
        await call("POST", `${path}/items`, { key: client.test, body: linesOf([item("a")]), headers: NDJSON });
        const count = async () => ((await call("GET", path, { key: client.test })).body.status === "closed" ? 1 : 0);
        return { path: `${path}/close`, key: client.test, count };
      },
    },
    createKey: {
      key: async () => ({
        path: "/v1/keys",
        body: { name: "one", mode: "test" },
        key: client.test,
        count: listed("/v1/keys"),
      }),
    },
    rollKey: {
      key: async () => ({
        path: `/v1/keys/${await made("/v1/keys", { name: "one", mode: "test" })}/roll`,
        body: { overlap_seconds: 60 },
        key: client.test,
        count: listed("/v1/keys"),
      }),
    },
    createWebhookEndpoint: {
      endpoint: async () => ({
        path: "/v1/webhook-endpoints",
        body: { url: hookUrl("idempotent") },
        key: client.test,
        count: listed("/v1/webhook-endpoints"),
      }),
    },
    rotateWebhookSecret: {
      secret: async () => {
        const id = await endpoint();
        const secrets = async () =>
          (await bindings.DB.prepare("SELECT secret, previous_secret FROM webhook_endpoints WHERE id = ?")
            .bind(id)
            .first<{ secret: string; previous_secret: string | null }>())!;
        const original = (await secrets()).secret;
        // Only the first rotation makes the original secret the previous one.
        const count = async () => {
          const { secret, previous_secret } = await secrets();
          return secret === original ? 0 : previous_secret === original ? 1 : 2;
        };
        return { path: `/v1/webhook-endpoints/${id}/rotate-secret`, key: client.test, count };
      },
    },
    pingWebhookEndpoint: {
      ping: async () => {
        const id = await endpoint();
        return { path: `/v1/webhook-endpoints/${id}/ping`, key: client.test, count: attempts(id) };
      },
    },
    leaseDeliveries: {
      lease: async () => {
        const id = await polled();
        await made(`/v1/webhook-endpoints/${id}/ping`, {});
        return { path: `/v1/webhook-endpoints/${id}/lease`, body: {}, key: client.test, count: leases(id) };
      },
    },
    acknowledgeDeliveries: {
      acknowledgement: async () => {
        const id = await polled();
        const ping = await made(`/v1/webhook-endpoints/${id}/ping`, {});
        const count = rows("SELECT COUNT(*) AS n FROM deliveries WHERE endpoint_id = ? AND status = 'delivered'", id);
        const body = { deliveries: [ping] };
        return { path: `/v1/webhook-endpoints/${id}/acknowledge`, body, key: client.test, count };
      },
    },
    redeliver: {
      delivery: async () => {
        const id = await endpoint();
        const ping = await made(`/v1/webhook-endpoints/${id}/ping`, {});
        const delivery = () => call("GET", `/v1/deliveries/${ping}`, { key: client.test });
        const delivered = (times: number) =>
          until("it is delivered", async () => (await delivery()).body.attempts?.length >= times);
        await delivered(1);
        // A second redelivery would be a third attempt.
        const count = async () => {
          await delivered(2);
          await new Promise((resolve) => setTimeout(resolve, 300));
          return (await delivery()).body.attempts.length;
        };
        return { path: `/v1/deliveries/${ping}/redeliver`, key: client.test, count };
      },
    },
  };
}
