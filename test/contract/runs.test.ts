/** Creating, listing, reading and deleting runs, and every invalid request. */
import { beforeAll, describe, expect, it, test } from "vitest";
import { workflows } from "#workflows/index";
import { type Client, hookUrl, makeTenant, runWithStatus, start } from "../support/parley";
import { api, refusal, startBody } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const create = (body: object, key = client.test) => api("POST", "/v1/runs", { key, body });
/** Waits for a person after few model calls. */
const WAITING = { options: { human_stakeholder: true } };

describe("POST /v1/runs", () => {
  it("answers with the run, every default filled in, and its Location", async () => {
    const reply = await create(startBody({ metadata: { ticket: "A-1" } }));
    expect(reply.status).toBe(201);
    expect(reply.headers.get("location")).toBe(`/v1/runs/${reply.body.id}`);
    expect(reply.body).toMatchObject({
      workflow: "requirements",
      mode: "test",
      input: { idea: "A library that lends tools to neighbours" },
      options: workflows.requirements.options.parse({}),
      limits: { max_llm_calls: null, max_tokens: null, max_cost_usd: null, timeout: null },
      metadata: { ticket: "A-1" },
      webhook: null,
      test: null,
      output: null,
      error: null,
      interactions: [],
    });
    expect(Object.keys(reply.body.models.roles)).toEqual(workflows.requirements.roles.map((role) => role.name));
  });

  test.each([
    [{ workflow: "waterfall", input: { requirement: "Plan a week." } }, ["clarification_questions"]],
    [{ workflow: "waterfall", input: { requirement: "Plan a week." }, options: { clarification: "infer" } }, []],
    [
      startBody({ options: { human_stakeholder: true, reviews: ["requirement_draft"] } }),
      ["requirement_question", "requirement_draft"],
    ],
    [startBody(), []],
  ])("says where %j may wait for a person", async (body, asks_about) => {
    const reply = await create(body);
    expect(reply.body.asks_about).toEqual(asks_about);
    expect((await api("GET", `/v1/runs/${reply.body.id}`, { key: client.test })).body.asks_about).toEqual(asks_about);
  });

  it("ends with an output that fits the workflow's schema, documents with their text", async () => {
    const id = await start(client.test, {});
    await runWithStatus(client.test, id, "completed");
    const { body } = await api("GET", `/v1/runs/${id}`, { key: client.test });
    const output = workflows.requirements.output.parse(body.output) as { draft: { text: string; media_type: string } };
    expect(output.draft).toMatchObject({ media_type: "text/markdown", text: expect.stringMatching(/\S/) });
    const listed = (await api("GET", "/v1/runs?status=completed", { key: client.test })).body.data.find(
      (run: { id: string }) => run.id === id,
    );
    expect(listed.output.draft).toEqual({ artifact_id: body.output.draft.artifact_id, kind: body.output.draft.kind });
  });

  const errors: [what: string, more: object, code: string, ...paths: string[]][] = [
    ["an unknown workflow", { workflow: "waterfalls" }, "unknown_workflow", "workflow"],
    ["a workflow named like a property of objects", { workflow: "constructor" }, "unknown_workflow", "workflow"],
    ["no workflow", { workflow: undefined }, "validation_failed", "workflow"],
    ["a workflow that is no name", { workflow: 7 }, "validation_failed", "workflow"],
    ["no input", { input: undefined }, "validation_failed", "input"],
    ["an empty idea", { input: { idea: "" } }, "validation_failed", "input.idea"],
    ["a blank idea", { input: { idea: "  \n" } }, "validation_failed", "input.idea"],
    ["an idea of 200 KB", { input: { idea: "x".repeat(200_000) } }, "validation_failed", "input.idea"],
    ["no idea", { input: {} }, "validation_failed", "input.idea"],
    ["an unknown option", { options: { qa_round: 1 } }, "validation_failed", "options.qa_round"],
    ["an option out of its range", { options: { qa_rounds: 11 } }, "validation_failed", "options.qa_rounds"],
    [
      "options that contradict each other",
      { options: { model_kind: "custom" } },
      "validation_failed",
      "options.metamodel",
    ],
    ["a model without provider", { models: { default: "one" } }, "validation_failed", "models.default"],
    ["an unknown role", { models: { roles: { clown: "openai/x" } } }, "validation_failed", "models.roles.clown"],
    [
      "an unknown model parameter",
      { models: { roles: { checker: { heat: 1 } } } },
      "validation_failed",
      "models.roles.checker.heat",
    ],
    ["a limit of nothing", { limits: { max_llm_calls: 0 } }, "validation_failed", "limits.max_llm_calls"],
    ["a timeout without unit", { limits: { timeout: "10" } }, "validation_failed", "limits.timeout"],
    ["a timeout beyond a year", { limits: { timeout: "400d" } }, "validation_failed", "limits.timeout"],
    ["a webhook without URL", { webhook: {} }, "validation_failed", "webhook.url"],
    ["a webhook of an unknown scheme", { webhook: { url: "ftp://example.com" } }, "url_refused", "webhook.url"],
    [
      "a webhook for unknown events",
      { webhook: { url: "https://example.com", events: ["run.done"] } },
      "validation_failed",
      "webhook.events.0",
    ],
    [
      "a short webhook secret",
      { webhook: { url: "https://example.com", secret: "whsec_YQ==" } },
      "validation_failed",
      "webhook.secret",
    ],
    ["metadata with odd keys", { metadata: { "a b": "c" } }, "validation_failed", "metadata.a b"],
    ["metadata that is no text", { metadata: { a: 1 } }, "validation_failed", "metadata.a"],
    [
      "too much metadata",
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, "v"])) },
      "validation_failed",
      "metadata",
    ],
    [
      "a script for an unknown action",
      { test: { script: { dance: ["accept"] } } },
      "validation_failed",
      "test.script.dance",
    ],
    ["an unknown fieldError", { test: { faults: { llm: ["explode"] } } }, "validation_failed", "test.faults.llm.0"],
    ["a latency beyond a minute", { test: { latency_ms: 60_001 } }, "validation_failed", "test.latency_ms"],
  ];
  test.each(errors)("refuses %s", async (_, more, code, ...paths) => {
    expect(await create(startBody(more))).toMatchObject(refusal(422, code, ...paths));
  });

  it("lists the valid names for an unknown workflow, provider, role or outcome", async () => {
    expect((await create(startBody({ workflow: "x" }))).body.detail).toContain("requirements");
    const unknown = await create(startBody({ models: { default: "acme/one" } }), client.live);
    expect(unknown).toMatchObject(refusal(422, "unknown_provider", "models.default"));
    expect(unknown.body.detail).toContain("openai");
    const [action] = workflows.requirements.actions;
    const reply = await create(startBody({ test: { script: { [action!.name]: ["sing"] } } }));
    expect(reply).toMatchObject(refusal(422, "validation_failed", `test.script.${action!.name}.0`));
    expect(reply.body.errors[0].message).toContain(action!.outcomes[0]);
  });

  it("reports all other errors of a request with an unknown workflow", async () => {
    const more = { input: undefined, limits: { max_tokens: 0 }, webhook: {}, colour: "red" };
    for (const workflow of ["waterfalls", undefined]) {
      const reply = await create(startBody({ ...more, workflow }));
      const paths = ["workflow", "input", "limits.max_tokens", "webhook.url", "colour"];
      expect(reply).toMatchObject(refusal(422, "validation_failed", ...paths));
      expect(reply.body.errors).toHaveLength(paths.length);
    }
  });

  it("reports every error of every part at once", async () => {
    const more = {
      input: { idea: "" },
      options: { qa_rounds: -1, nonsense: true },
      models: { default: "acme" },
      limits: { max_tokens: 0.5 },
      webhook: { url: "mailto:me" },
      colour: "red",
    };
    const paths = [
      "input.idea",
      "options.qa_rounds",
      "options.nonsense",
      "models.default",
      "limits.max_tokens",
      "webhook.url",
      "colour",
    ];
    const reply = await create(startBody(more));
    expect(reply).toMatchObject(refusal(422, "validation_failed", ...paths));
    expect(reply.body.errors).toHaveLength(paths.length + 1); // a blank idea is too short, and blank
  });

  it("refuses a limit in dollars for a model without a price, and names the model", async () => {
    const reply = await create(startBody({ limits: { max_cost_usd: 1 } }), client.live);
    expect(reply).toMatchObject(refusal(422, "validation_failed", "limits.max_cost_usd"));
    expect(reply.body.errors[0].message).toContain("openai/test-model");
    expect((await create(startBody({ ...WAITING, limits: { max_cost_usd: 1 } }))).status).toBe(201);
  });

  it("takes any model for a run of a test key, which asks none", async () => {
    const models = { default: "acme/one", roles: { checker: "nobody/x" }, embedding: "acme/vectors" };
    const { body } = await create(startBody({ models, options: { strategy: "single_model" } }));
    expect(body.models).toMatchObject({ default: "acme/one", roles: { checker: { model: "nobody/x" } } });
    await runWithStatus(client.test, body.id, "completed");
  });

  it("refuses settings of the mock model for a live key", async () => {
    expect(await create(startBody({ test: {} }), client.live)).toMatchObject(refusal(422, "validation_failed", "test"));
  });

  it("shows the webhook's secret once, ours or the caller's, and its default events", async () => {
    const url = hookUrl("contract");
    const made = await create(startBody({ ...WAITING, webhook: { url } }));
    expect(made.body.webhook).toEqual({
      id: expect.stringMatching(/^whe_/),
      url,
      events: ["run.input_required", "run.completed", "run.failed", "run.canceled"],
      status: "enabled",
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { body } = await api("GET", `/v1/runs/${made.body.id}`, { key: client.test });
    const { secret: _, ...shown } = made.body.webhook;
    expect(body.webhook).toEqual(shown);

    const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    const own = await create(startBody({ ...WAITING, webhook: { url, events: ["run.failed"], secret } }));
    expect(own.body.webhook).toMatchObject({ url, events: ["run.failed"], secret });
    const listed = await api("GET", "/v1/runs?limit=100", { key: client.test });
    expect(JSON.stringify(listed.body)).not.toContain("whsec_");
  });

  it("keeps an input that is too large for a row", async () => {
    const input = {
      idea: "x",
      background: "ä".repeat(20_000),
      stakeholders: Array.from({ length: 8 }, (_, n) => ({ name: `S${n}`, profile: "€".repeat(2000) })),
    };
    const { body } = await create(startBody({ ...WAITING, input }));
    expect(body.input).toEqual(input);
    expect((await api("GET", `/v1/runs/${body.id}`, { key: client.test })).body.input).toEqual(input);
  });
});

describe("GET /v1/runs", () => {
  let lister: Client;
  const ids: string[] = [];
  beforeAll(async () => {
    lister = await makeTenant();
    for (const n of [0, 1, 2])
      ids.unshift(await start(lister.test, { ...WAITING, metadata: { n: String(n), "team.name": "blue" } }));
    await Promise.all(ids.map((id) => runWithStatus(lister.test, id, "input_required")));
  });
  const list = async (query: string) => {
    const reply = await api("GET", `/v1/runs?${query}`, { key: lister.test });
    expect(reply.status).toBe(200);
    return reply.body as {
      data: { id: string; created_at: string; interactions: string[] }[];
      next_cursor: string | null;
    };
  };
  const idsOf = async (query: string) => (await list(query)).data.map((run) => run.id);

  it("pages, newest first, without gap or repetition", async () => {
    const first = await list("limit=2");
    expect(first.data.map((run) => run.id)).toEqual(ids.slice(0, 2));
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ data: [{ id: ids[2] }], next_cursor: null });
  });

  it("shows each run's open interactions", async () => {
    for (const run of (await list("")).data) expect(run.interactions).toHaveLength(1);
  });

  it("filters by workflow, status, metadata and time", async () => {
    expect(await idsOf("workflow=requirements&status=input_required")).toEqual(ids);
    expect(await idsOf("workflow=debate")).toEqual([]);
    expect(await idsOf("status=failed")).toEqual([]);
    expect(await idsOf("metadata[n]=1")).toEqual([ids[1]]);
    expect(await idsOf("metadata[n]=1&metadata[team.name]=blue")).toEqual([ids[1]]);
    expect(await idsOf("metadata[n]=1&metadata[team.name]=red")).toEqual([]);
    const most = Array.from({ length: 16 }, (_, n) => `metadata[k${n}]=v`).join("&");
    expect(await idsOf(`${most}&workflow=requirements&status=failed&created_after=2026-01-01T00:00:00Z`)).toEqual([]);
    const middle = (await list("")).data[1]!.created_at;
    expect(await idsOf(`created_after=${middle}`)).toEqual([ids[0]]);
    expect(await idsOf(`created_before=${middle}`)).toEqual([ids[2]]);
    expect(await idsOf(`created_before=${encodeURIComponent(middle.replace("Z", "+00:00"))}`)).toEqual([ids[2]]);
  });

  const wrong: [query: string, path: string][] = [
    ["status=done", "status"],
    ["created_after=yesterday", "created_after"],
    ["created_before=2026-11-21", "created_before"],
    ["metadata=a", "metadata"],
    ["metadata[a%20b]=c", "metadata[a b]"],
    ["metadata[]=c", "metadata[]"],
    ["metadata[__proto__]=c", "metadata[__proto__]"],
    [Array.from({ length: 17 }, (_, n) => `metadata[k${n}]=v`).join("&"), "metadata"],
    ["colour=red", "colour"],
  ];
  test.each(wrong)("refuses ?%s", async (query, path) => {
    expect(await api("GET", `/v1/runs?${query}`, { key: lister.test })).toMatchObject(
      refusal(400, "invalid_query", path),
    );
  });

  it("shows the runs of the key's mode", async () => {
    expect((await api("GET", "/v1/runs", { key: lister.live })).body.data).toEqual([]);
  });
});

describe("GET /v1/runs?order=updated", () => {
  it("lists those that changed last first, each page behind the one before, beside every filter", async () => {
    const { test: key } = await makeTenant();
    const get = async (query: string) => (await api("GET", `/v1/runs?order=updated${query}`, { key })).body;
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await start(key, { ...WAITING, metadata: { shelf: `s${n % 2}` } }));
    for (const id of ids) await runWithStatus(key, id, "input_required");
    await api("POST", `/v1/runs/${ids[1]}/cancel`, { key });
    await api("POST", `/v1/runs/${ids[0]}/cancel`, { key });
    const { data, next_cursor } = await get("&limit=3");
    const rest = await get(`&limit=3&cursor=${next_cursor}`);
    const found = [...data, ...rest.data].map(({ id }: { id: string }) => id);
    expect([found.slice(0, 2), found.toSorted(), rest.next_cursor]).toEqual([[ids[0], ids[1]], ids, null]);
    const idsOf = async (query: string) => (await get(query)).data.map(({ id }: { id: string }) => id);
    expect(await idsOf("&status=canceled")).toEqual([ids[0], ids[1]]);
    expect(await idsOf("&metadata[shelf]=s1&status=canceled")).toEqual([ids[1]]);
    expect(await idsOf("&workflow=debate")).toEqual([]);
  });

  it("takes no cursor of another order, and orders no children", async () => {
    const cursor = (await api("GET", "/v1/runs?limit=1", { key: client.test })).body.next_cursor;
    expect(await api("GET", `/v1/runs?order=updated&cursor=${cursor}`, { key: client.test })).toMatchObject(
      refusal(400, "invalid_cursor"),
    );
    const id = await start(client.test, {});
    expect(await api("GET", `/v1/runs?order=updated&parent_id=${id}`, { key: client.test })).toMatchObject({
      status: 400,
      body: { code: "invalid_query" },
    });
  });
});

describe("DELETE /v1/runs/{id}", () => {
  it("removes a run that has ended, with all its data", async () => {
    const id = await start(client.test, {});
    await runWithStatus(client.test, id, "completed");
    const { data } = (await api("GET", `/v1/runs/${id}/artifacts`, { key: client.test })).body;
    expect((await api("DELETE", `/v1/runs/${id}`, { key: client.test })).status).toBe(204);
    for (const path of [
      "",
      "/artifacts",
      `/artifacts/${data[0].id}`,
      `/artifacts/${data[0].id}/content`,
      "/events",
      "/manifest",
    ]) {
      expect(await api("GET", `/v1/runs/${id}${path}`, { key: client.test }), path).toMatchObject(
        refusal(404, "not_found"),
      );
    }
    expect(await api("DELETE", `/v1/runs/${id}`, { key: client.test })).toMatchObject(refusal(404, "not_found"));
  });

  it("refuses while the run is alive", async () => {
    const id = await start(client.test, WAITING);
    expect(await api("DELETE", `/v1/runs/${id}`, { key: client.test })).toMatchObject(refusal(409, "wrong_state"));
    await runWithStatus(client.test, id, "input_required");
    expect(await api("DELETE", `/v1/runs/${id}`, { key: client.test })).toMatchObject(refusal(409, "wrong_state"));
  });
});
