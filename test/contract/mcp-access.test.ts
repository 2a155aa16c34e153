/** Who may do what at /mcp: keys, scopes, tenants, modes, bounds, rates, and requests that are not of the protocol. */
import { createExecutionContext } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeServices } from "#cloudflare/compose";
import { addKey, bindings, call, type Client, makeTenant } from "../support/parley";
import { connectMcp, KNOWS_TASKS, modern, postMcp } from "../support/mcp-client";
import { rowsOfTenant } from "./walk";
import { furnish, type World } from "./world";

const send = ((input: RequestInfo, init?: RequestInit) =>
  (exports as any).default.fetch(new Request(input, init))) as typeof fetch;
const url = "http://parley.test";
const post = (key: string, method: string, params: object = {}, headers: Record<string, string> = {}) =>
  postMcp(
    { url, key, fetch: send },
    modern(method, params, { ...KNOWS_TASKS, elicitation: { form: {}, url: {} } }),
    headers,
  );
const use = (key: string, name: string, args: object) => post(key, "tools/call", { name, arguments: args });

/** Arguments of each tool that takes an id, and what a key finds that may not see it. */
const BY_ID: Record<string, (ids: World) => Record<string, unknown>> = {
  get_run: ({ run }) => ({ run_id: run }),
  list_questions: ({ run }) => ({ run_id: run }),
  answer_question: ({ int }) => ({ interaction_id: int, answer: { decision: "approve" } }),
  cancel_run: ({ run }) => ({ run_id: run }),
  retry_run: ({ run }) => ({ run_id: run }),
  search_corpus: ({ cor }) => ({ corpus_id: cor, query: "text" }),
};
/** Methods that take an id. */
const METHODS: Record<string, (ids: World) => object> = {
  "tasks/get": ({ run }) => ({ taskId: run }),
  "tasks/cancel": ({ run }) => ({ taskId: run }),
  "tasks/update": ({ run, int }) => ({
    taskId: run,
    inputResponses: { [int]: { action: "accept", content: { decision: "approve" } } },
  }),
};
const RESOURCES: ((ids: World) => string)[] = [
  ({ run }) => `parley://runs/${run}`,
  ({ run }) => `parley://runs/${run}/artifacts`,
  ({ run, art }) => `parley://runs/${run}/artifacts/${art}`,
];

/** A word of the owner's input, and so of its run's artifacts. */
const MARK = "marmalade";

describe("what one key made", () => {
  let owner: Client;
  let ids: World;
  let strangers: { another_tenant: string; the_other_mode: string };
  let before: Awaited<ReturnType<typeof rowsOfTenant>>;
  beforeAll(async () => {
    owner = await makeTenant();
    ids = await furnish(owner, `A library that lends ${MARK}`);
    strangers = { another_tenant: (await makeTenant()).test, the_other_mode: owner.live };
    before = await rowsOfTenant(owner.tenant);
  });
  const WHO = ["another_tenant", "the_other_mode"] as const;

  it("the walk covers every tool", async () => {
    const { tools } = (await post(owner.test, "tools/list")).result;
    const names = tools.map(({ name }: { name: string }) => name).filter((name: string) => !name.startsWith("start_"));
    expect(Object.keys(BY_ID)).toEqual(names);
  });

  it.each(WHO.flatMap((who) => Object.keys(BY_ID).map((tool) => [who, tool] as const)))(
    "%s does not find with %s",
    async (who, tool) => {
      const reply = await use(strangers[who], tool, BY_ID[tool]!(ids));
      expect(reply.result).toMatchObject({ isError: true, structuredContent: { status: 404, code: "not_found" } });
      expect(JSON.stringify(reply)).not.toContain(MARK);
    },
  );

  it.each(WHO)("%s finds nothing as a client of before 2026 either", async (who) => {
    const client = await connectMcp({ url, key: strangers[who], fetch: send, era: "legacy" });
    for (const [name, args] of Object.entries(BY_ID)) {
      const result = await client.callTool({ name, arguments: args(ids) });
      expect(result, name).toMatchObject({ isError: true, structuredContent: { status: 404, code: "not_found" } });
    }
    for (const make of RESOURCES)
      await expect(client.readResource({ uri: make(ids) })).rejects.toThrow(/no such resource/);
  });

  it.each(WHO.flatMap((who) => Object.keys(METHODS).map((method) => [who, method] as const)))(
    "%s does not find with %s",
    async (who, method) => {
      const reply = await post(strangers[who], method, METHODS[method]!(ids));
      expect(reply).toMatchObject({ status: 200, error: { code: -32602, data: { code: "not_found" } } });
      expect(JSON.stringify(reply)).not.toContain(MARK);
    },
  );

  it.each(WHO)("%s reads no resource of it, and lists none", async (who) => {
    for (const uri of RESOURCES.map((make) => make(ids))) {
      expect((await post(strangers[who], "resources/read", { uri })).error, uri).toMatchObject({ code: -32602 });
    }
    expect((await post(strangers[who], "resources/list")).result.resources).toEqual([]);
    expect((await use(strangers[who], "list_questions", {})).result.structuredContent).toEqual({ questions: [] });
  });

  it("nothing of it has changed, and its owner finds it", async () => {
    expect(await rowsOfTenant(owner.tenant)).toEqual(before);
    for (const uri of RESOURCES.map((make) => make(ids)))
      expect((await post(owner.test, "resources/read", { uri })).result.contents).toMatchObject([{ uri }]);
    expect((await post(owner.test, "tasks/get", { taskId: ids.run })).result).toMatchObject({
      status: "input_required",
    });
  });

  it("a key that reads only starts, answers, cancels and retries nothing, and sees no address of the answer page", async () => {
    const reader = await addKey(owner.tenant, "test", ["runs:read"]);
    const refused = { isError: true, structuredContent: { code: "missing_scope" } };
    const { tools } = (await post(reader, "tools/list")).result;
    for (const { name, annotations } of tools.filter((tool: any) => !tool.annotations.readOnlyHint)) {
      const args = BY_ID[name]?.(ids) ?? { input: { idea: "A kiosk" } };
      expect((await use(reader, name, args)).result, name).toMatchObject(refused);
      expect(annotations.readOnlyHint).toBe(false);
    }
    for (const method of ["tasks/cancel", "tasks/update"])
      expect((await post(reader, method, METHODS[method]!(ids))).error.data).toMatchObject({ code: "missing_scope" });
    const { inputRequests } = (await post(reader, "tasks/get", { taskId: ids.run })).result;
    expect(JSON.stringify(inputRequests)).not.toContain("/v1/callbacks/");
    const { data } = (await call("GET", "/v1/audit?limit=100", { key: owner.test })).body;
    expect(data.filter(({ outcome }: any) => outcome === "refused").map(({ action }: any) => action)).toEqual(
      expect.arrayContaining(["createRun", "answerInteraction", "cancelRun", "retryRun"]),
    );
    expect((await call("GET", `/v1/runs/${ids.run}`, { key: owner.test })).body.status).toBe("input_required");
  });

  it("a key that is bound to a workflow has its tool and prompt only", async () => {
    const reply = await call("POST", "/v1/keys", {
      key: owner.live,
      body: { name: "bound", mode: "test", scopes: ["runs:read", "runs:write"], workflows: ["debate"] },
    });
    const bound = reply.body.key;
    const { tools } = (await post(bound, "tools/list")).result;
    expect(tools.map(({ name }: any) => name).filter((name: string) => name.startsWith("start_"))).toEqual([
      "start_debate",
    ]);
    expect((await post(bound, "prompts/list")).result.prompts).toMatchObject([{ name: "debate" }]);
    const started = await use(bound, "start_requirements", { input: { idea: "A kiosk" } });
    expect(started.result).toMatchObject({ isError: true, structuredContent: { code: "workflow_not_allowed" } });
    const read = await use(bound, "get_run", { run_id: ids.run });
    expect(read.result).toMatchObject({ isError: true });
    expect(JSON.stringify(read)).not.toContain(MARK);
  });
});

it("a key of idempotency with a space is refused by its field, as the schema says", async () => {
  const { test: key } = await makeTenant();
  for (const { name, inputSchema } of (await post(key, "tools/list")).result.tools) {
    const { idempotency_key } = inputSchema.properties;
    if (!idempotency_key) continue;
    expect(idempotency_key, name).toMatchObject({ pattern: "^[!-~]+$", maxLength: 255 });
    const { result } = await use(key, name, { idempotency_key: "two words" });
    expect(result, name).toMatchObject({ isError: true, structuredContent: { code: "validation_failed" } });
    expect(result.content[0].text).toContain("idempotency_key");
  }
});

describe("a request", () => {
  let key: string;
  beforeAll(async () => {
    key = (await makeTenant()).test;
  });

  it("without a valid key is a 401", async () => {
    for (const headers of [{}, { authorization: "Bearer parley_test_none" }] as Record<string, string>[]) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...modern("tools/list") });
      const response = await send(`${url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toContain("Bearer");
      expect(await response.json()).toMatchObject({ code: "unauthenticated" });
    }
  });

  it("from a page of another origin is refused", async () => {
    const from = (origin: string) => postMcp({ url: origin, key, fetch: send }, modern("tools/list"), { origin });
    const foreign = { status: 403, code: "foreign_origin" };
    for (const origin of ["https://evil.example", "null"])
      expect(await post(key, "tools/list", {}, { origin })).toMatchObject(foreign);
    // The name of a page can lead to a server on this machine (DNS rebinding), but TLS would refuse it.
    for (const origin of ["http://evil.example", "http://localhost.evil.example", "http://127.0.0.1.evil.example"])
      expect(await from(origin), origin).toMatchObject(foreign);
    for (const origin of ["https://parley.example", "http://localhost:8787", "http://127.0.0.1:1", "http://[::1]:8787"])
      expect(await from(origin), origin).toMatchObject({ status: 200 });
  });

  it("with another method than POST is a 405", async () => {
    for (const method of ["GET", "DELETE"]) {
      const reply = await call(method, "/mcp", { key });
      expect(reply).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
      expect(reply.headers.get("Allow")).toBe("POST");
    }
  });

  it.each([
    ["headers that contradict the body", { "mcp-method": "tools/call" }, 400, -32020],
    ["a header of another version", { "mcp-protocol-version": "2025-11-25" }, 400, -32020],
  ])("with %s is refused", async (_, headers, status, code) => {
    expect(await post(key, "tools/list", {}, headers)).toMatchObject({ status, id: 1, error: { code } });
  });

  it.each(["tasks/get", "tasks/update", "tasks/cancel"])(
    "%s of a client that does not declare the tasks extension is told so",
    async (method) => {
      const reply = await postMcp({ url, key, fetch: send }, modern(method, { taskId: "run_x", inputResponses: {} }));
      const requiredCapabilities = KNOWS_TASKS;
      expect(reply).toMatchObject({ status: 400, error: { code: -32021, data: { requiredCapabilities } } });
    },
  );

  it("whose name is in another header than in its body is refused; a name in Base64 is read", async () => {
    const params = { name: "list_questions", arguments: {} };
    expect(await post(key, "tools/call", params, { "mcp-name": "cancel_run" })).toMatchObject({
      status: 400,
      error: { code: -32020 },
    });
    const name = `=?base64?${btoa("list_questions")}?=`;
    expect((await post(key, "tools/call", params, { "mcp-name": name })).result).toMatchObject({
      structuredContent: { questions: [] },
    });
  });

  const raw = async (body: unknown, headers: Record<string, string> = {}) =>
    call("POST", "/mcp", { key, body: typeof body === "string" ? body : JSON.stringify(body), headers });

  it("that is not of the protocol is an error of JSON-RPC", async () => {
    expect(await raw("{")).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
    for (const body of [[], [{ jsonrpc: "2.0", id: 1, method: "ping" }], { jsonrpc: "2.0", id: 1, result: {} }, 7])
      expect(await raw(body)).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
    for (const method of ["sampling/createMessage", "parley/dance", "constructor"])
      expect(await post(key, method), method).toMatchObject({ status: 404, error: { code: -32601 } });
    expect(await raw({ jsonrpc: "2.0", id: 1, method: "tasks/get" })).toMatchObject({
      status: 200,
      body: { error: { code: -32601 } },
    });
    expect(await raw({ jsonrpc: "2.0", method: "notifications/initialized" })).toMatchObject({ status: 202, body: "" });
  });

  it("of before 2026 is answered with JSON, whatever it accepts", async () => {
    for (const accept of ["application/json", "*/*"])
      expect(await raw({ jsonrpc: "2.0", id: 1, method: "prompts/list" }, { accept })).toMatchObject({
        status: 200,
        body: { id: 1, result: { prompts: expect.arrayContaining([]) } },
      });
  });

  it("of an unknown version is told the served ones", async () => {
    const { params } = modern("tools/list");
    params._meta["io.modelcontextprotocol/protocolVersion"] = "1900-01-01";
    const reply = await raw(
      { jsonrpc: "2.0", id: 1, method: "tools/list", params },
      { "mcp-protocol-version": "1900-01-01", "mcp-method": "tools/list" },
    );
    expect(reply).toMatchObject({ status: 400, body: { error: { code: -32022 } } });
    expect(reply.body).toMatchObject({ id: 1, error: { data: { requested: "1900-01-01" } } });
    expect(reply.body.error.data.supported).toEqual((await post(key, "server/discover")).result.supportedVersions);
    delete (params._meta as any)["io.modelcontextprotocol/clientCapabilities"];
    params._meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
    const incomplete = await raw(
      { jsonrpc: "2.0", id: 1, method: "tools/list", params },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
    );
    expect(incomplete).toMatchObject({ status: 400, body: { error: { code: -32602 } } });
  });
});

it("requests count against the key's rate, those of tools too, and a tool that is over it says when to call again", async () => {
  const { test: key } = await makeTenant();
  const app = createApp<Env>(composeServices);
  const limited = ((input: RequestInfo, init?: RequestInit) =>
    app.fetch(
      new Request(input, init),
      { ...bindings, RATE_LIMIT_PER_MINUTE: "4" } as unknown as Env,
      createExecutionContext(),
    )) as typeof fetch;
  const list = () =>
    postMcp({ url, key, fetch: limited }, modern("tools/call", { name: "list_questions", arguments: {} }));
  expect((await list()).result).toMatchObject({ structuredContent: { questions: [] } });
  await postMcp({ url, key, fetch: limited }, modern("tools/list"));
  const { result } = await list();
  expect(result).toMatchObject({ isError: true, structuredContent: { code: "rate_limited" } });
  expect(result.content[0].text).toMatch(/Repeat the call after \d+ seconds/);
  expect(await list()).toMatchObject({ status: 429, code: "rate_limited" });
});
