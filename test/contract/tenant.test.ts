/** A tenant reads its own record, exports its data, and starts its deletion. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  addKey,
  artifactsOf,
  bindings,
  call,
  type Client,
  eventsOf,
  hookUrl,
  makeTenant,
  openInteraction,
  runWithStatus,
  start,
  until,
} from "../support/parley";
import { newAgent } from "./agent";
import { datasetsOf, item } from "./dataset";
import { api, refusal } from "./api";

describe("GET /v1/tenant", () => {
  it("shows the tenant of any key", async () => {
    const { tenant } = await makeTenant();
    const reply = await api("GET", "/v1/tenant", { key: await addKey(tenant, "live", ["runs:read"]) });
    expect(reply).toMatchObject({ status: 200, body: { object: "tenant", id: tenant, name: "test" } });
  });
});

/** The last one is stored in R2. */
const LAWS = ["Ladders are lent for a week.", "Saws are lent for a day.", "ü".repeat(40_000)];

const ITEMS = ["a", "b", "c"].map((id) => item(id));

describe("GET /v1/export", () => {
  let client: Client;
  let completed: string;
  let waiting: string;
  let agent: { id: string };
  let corpus: { id: string };
  let dataset: string;
  let text: string;
  let lines: { type: string; data: any }[];
  const exported = async (query = "") => {
    const reply = await api("GET", `/v1/export${query}`, { key: client.test });
    expect(reply.headers.get("content-type")).toBe("application/x-ndjson");
    text = String(reply.body);
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; data: any });
  };
  const of = (type: string) => lines.filter((line) => line.type === type).map(({ data }) => data);

  beforeAll(async () => {
    client = await makeTenant();
    await start((await makeTenant()).test, { options: { qa_rounds: 0 } });
    const headers = { Authorization: "Bearer mcp-hush-hush" };
    const mcp_servers = [{ name: "warehouse", url: "https://mcp.example.com/mcp", headers }];
    agent = (await call("POST", "/v1/agents", { key: client.test, body: newAgent({ mcp_servers }) })).body;
    const stakeholders = Array.from({ length: 8 }, (_, n) => ({ name: `S${n}`, profile: "€".repeat(2000) }));
    completed = await start(client.test, {
      options: { strategy: "single_model" },
      input: { idea: "x", background: "ä".repeat(20_000), stakeholders },
      webhook: {
        url: hookUrl("exported"),
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        events: ["run.completed"],
      },
    });
    await runWithStatus(client.test, completed, "completed");
    const post = async (path: string, body: object) => (await call("POST", path, { key: client.test, body })).body;
    const endpoint = await post("/v1/webhook-endpoints", { url: hookUrl("exported") });
    await post(`/v1/webhook-endpoints/${endpoint.id}/ping`, {});
    corpus = await post("/v1/corpora", { name: "Statutes" });
    for (const law of LAWS) await post(`/v1/corpora/${corpus.id}/documents`, { source: "A law", text: law });
    dataset = await datasetsOf(client.test).closed(ITEMS);
    waiting = await start(client.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
    await openInteraction(client.test, waiting);
    await until("the delivery", async () =>
      bindings.DB.prepare("SELECT 1 FROM deliveries WHERE run_id = ? AND status = 'delivered'").bind(completed).first(),
    );
    lines = await exported();
  });

  it("begins with the tenant and ends with an `end` line", () => {
    expect(lines[0]).toMatchObject({ type: "tenant", data: { id: client.tenant } });
    expect(lines.at(-1)).toEqual({ type: "end", data: {} });
  });

  it("has every run, artifact with content, interaction and event as their own paths show them", async () => {
    expect(of("run").map(({ id }) => id)).toEqual([completed, waiting]);
    for (const run of [completed, waiting]) {
      const listed = await artifactsOf(client.test, run);
      const artifacts = of("artifact").filter((artifact) => artifact.run_id === run);
      expect(artifacts.map(({ content: _, ...artifact }) => artifact)).toEqual(listed);
      for (const artifact of artifacts) {
        const { body } = await call("GET", `/v1/runs/${run}/artifacts/${artifact.id}`, { key: client.test });
        expect(artifact).toEqual(body);
      }
      expect(of("event").filter((event) => event.run_id === run)).toEqual(await eventsOf(client.test, run));
    }
    const { data } = (await call("GET", `/v1/interactions?run_id=${waiting}`, { key: client.test })).body;
    expect(of("interaction")).toEqual([{ ...data[0], callback_url: null }]);
    const [{ input }] = of("run");
    expect(input.background).toBe("ä".repeat(20_000));
  });

  it("has agents, keys, endpoints and deliveries without their secrets", () => {
    expect(of("agent")).toMatchObject([{ id: agent.id }]);
    expect(of("key").map(({ mode }) => mode)).toEqual(["test"]);
    expect(of("webhook_endpoint")).toMatchObject([
      { run_id: completed, url: hookUrl("exported") },
      { run_id: null, url: hookUrl("exported") },
    ]);
    const delivered = { status: "delivered", attempts: [{ attempt: 1, response: { status: 200 }, error: null }] };
    expect(of("delivery")).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ run_id: null, type: "webhook.ping" }),
        expect.objectContaining({ run_id: completed, type: "run.completed" }),
      ]),
    );
    expect(of("delivery").find(({ run_id }) => run_id === completed)).toMatchObject(delivered);
    for (const secret of ["hush-hush", "whsec_", client.test, client.live, "/v1/callbacks/", '"hash"', "sealed"])
      expect(text, secret).not.toContain(secret);
  });

  it("has corpora and the texts of their documents", async () => {
    expect(of("corpus").map(({ id }) => id)).toEqual([corpus.id]);
    const { data } = (await call("GET", `/v1/corpora/${corpus.id}/documents`, { key: client.test })).body;
    const documents = of("document");
    expect(documents.map(({ id }) => id)).toEqual(data.map(({ id }: { id: string }) => id).toReversed());
    expect(documents.map((document) => document.text)).toEqual(LAWS);
  });

  it("has data sets and their items", async () => {
    expect(of("dataset")).toEqual([(await call("GET", `/v1/datasets/${dataset}`, { key: client.test })).body]);
    expect(of("dataset_item")).toEqual(ITEMS.map((one) => ({ dataset_id: dataset, item: one })));
  });

  it("continues after an item", async () => {
    const positions = await bindings.DB.prepare(
      "SELECT position FROM dataset_items WHERE dataset_id = ? ORDER BY position",
    )
      .bind(dataset)
      .all<{ position: number }>();
    const rest = await exported(`?after=${dataset}.${positions.results[0]!.position}`);
    expect(rest.filter(({ type }) => type === "dataset_item").map(({ data }) => data.item)).toEqual(ITEMS.slice(1));
    for (const type of ["tenant", "corpus", "dataset"]) expect(rest.map((line) => line.type)).not.toContain(type);
    expect(rest.filter(({ type }) => type === "run")).toHaveLength(2);
    const whole = await exported(`?after=${dataset}.`);
    expect(whole.filter(({ type }) => type === "dataset_item")).toHaveLength(ITEMS.length);
  });

  it("continues after a document", async () => {
    const [first, ...others] = of("document");
    const rest = await exported(`?after=${corpus.id}.${first.id}`);
    expect(rest.filter(({ type }) => type === "document").map(({ data }) => data.id)).toEqual(
      others.map(({ id }) => id),
    );
    expect(rest.map(({ type }) => type)).not.toContain("corpus");
    expect(rest.filter(({ type }) => type === "run")).toHaveLength(2);
  });

  it("refuses an invalid position", async () => {
    for (const after of ["1", "run_1", corpus.id, `${completed}x`])
      expect(await api("GET", `/v1/export?after=${after}`, { key: client.test })).toMatchObject(
        refusal(400, "invalid_query", "after"),
      );
  });

  it("continues after a run", async () => {
    const rest = await exported(`?after=${completed}`);
    expect(rest.filter(({ type }) => type === "run").map(({ data }) => data.id)).toEqual([waiting]);
    expect(rest.map(({ type }) => type)).not.toContain("tenant");
    expect(rest.at(-1)!.type).toBe("end");
  });
});

describe("an export that is longer than one answer", () => {
  it("names the position to continue at; nothing is missing or repeated", async () => {
    const client = await makeTenant();
    const id = await start(client.test, { options: { strategy: "single_model" } });
    await runWithStatus(client.test, id, "completed");
    // Copies of one run: only their number matters.
    const columns =
      "workflow, workflow_version, mode, input, options, models, limits, metadata, origin, asks_about, phase, heartbeat_at, created_at, updated_at";
    await bindings.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 150)
       INSERT INTO runs (id, tenant_id, ${columns}) SELECT substr(id, 1, 26) || printf('%04d', n), tenant_id, ${columns} FROM runs, n WHERE id = ?`,
    )
      .bind(id)
      .run();
    const runs: string[] = [];
    const ends: string[] = [];
    for (let query = ""; ends.at(-1) !== "end";) {
      const { body } = await api("GET", `/v1/export${query}`, { key: client.test });
      const lines = (body as string)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { type: string; data: any });
      runs.push(...lines.filter(({ type }) => type === "run").map(({ data }) => data.id as string));
      const last = lines.at(-1)!;
      ends.push(last.type);
      query = `?after=${last.data.after}`;
    }
    expect(ends.length).toBeGreaterThan(1);
    expect(ends.slice(0, -1).every((type) => type === "continue")).toBe(true);
    expect(runs).toHaveLength(151);
    expect(new Set(runs).size).toBe(151);
  });
});

describe("DELETE /v1/tenant", () => {
  it("needs the tenant's id, and does nothing without it", async () => {
    const client = await makeTenant();
    expect(await api("DELETE", "/v1/tenant", { key: client.live })).toMatchObject(
      refusal(400, "invalid_query", "confirm"),
    );
    const other = (await makeTenant()).tenant;
    for (const confirm of ["", "true", other]) {
      const reply = await api("DELETE", `/v1/tenant?confirm=${confirm}`, { key: client.live });
      expect(reply, confirm).toMatchObject(refusal(400, "invalid_query", "confirm"));
    }
    expect((await api("GET", "/v1/runs", { key: client.test })).status).toBe(200);
  });

  it("needs a live key, because it deletes live data", async () => {
    const client = await makeTenant();
    const path = `/v1/tenant?confirm=${client.tenant}`;
    expect(await api("DELETE", path, { key: client.test })).toMatchObject(refusal(409, "wrong_mode"));
    expect((await api("GET", "/v1/runs", { key: client.live })).status).toBe(200);
  });

  it("revokes all keys of the tenant at once, the caller's included", async () => {
    const client = await makeTenant();
    const reply = await api("DELETE", `/v1/tenant?confirm=${client.tenant}`, { key: client.live });
    expect(reply.status).toBe(202);
    for (const key of [client.test, client.live]) expect((await api("GET", "/v1/runs", { key })).status).toBe(401);
  });
});
