/** Who may do what at /a2a: keys, scopes, tenants, modes, bounds, rates, and requests that are not of the protocol. */
import { createExecutionContext } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeServices } from "#cloudflare/compose";
import { newId } from "#core/ids";
import { postA2a, userMessage } from "../support/a2a-client";
import { addKey, bindings, call, type Client, makeTenant } from "../support/parley";
import { rowsOfTenant } from "./walk";
import { furnish, type World } from "./world";

const send = ((input: RequestInfo, init?: RequestInit) =>
  (exports as any).default.fetch(new Request(input, init))) as typeof fetch;
const url = "http://parley.test";
const post = (key: string, method: string, params: object = {}, headers: Record<string, string> = {}) =>
  postA2a({ url, key, fetch: send }, method, params, headers);

/** A word of the owner's input, and so of its run's artifacts. */
const MARK = "marmalade";

const answering = ({ run, int }: World, about: object = {}) =>
  userMessage([{ data: { interaction_id: int, decision: "approve" } }], { taskId: run, ...about });

/** Methods that take the id of a task. */
const BY_ID: Record<string, (ids: World & { config: string }) => object> = {
  SendMessage: (ids) => answering(ids),
  SendStreamingMessage: (ids) => answering(ids),
  GetTask: ({ run }) => ({ id: run, historyLength: 10 }),
  CancelTask: ({ run }) => ({ id: run }),
  SubscribeToTask: ({ run }) => ({ id: run }),
  CreateTaskPushNotificationConfig: ({ run }) => ({ taskId: run, url: "https://example.com/hook" }),
  GetTaskPushNotificationConfig: ({ run, config }) => ({ taskId: run, id: config }),
  ListTaskPushNotificationConfigs: ({ run }) => ({ taskId: run }),
  DeleteTaskPushNotificationConfig: ({ run, config }) => ({ taskId: run, id: config }),
};

describe("what one key made", () => {
  let owner: Client;
  let ids: World & { config: string };
  let strangers: { another_tenant: string; the_other_mode: string };
  let before: Awaited<ReturnType<typeof rowsOfTenant>>;
  beforeAll(async () => {
    owner = await makeTenant();
    const world = await furnish(owner, `A library that lends ${MARK}`);
    const made = await post(owner.test, "CreateTaskPushNotificationConfig", {
      taskId: world.run,
      url: `https://example.com/${MARK}`,
    });
    ids = { ...world, config: made.result.id };
    strangers = { another_tenant: (await makeTenant()).test, the_other_mode: owner.live };
    before = await rowsOfTenant(owner.tenant);
  });
  const WHO = ["another_tenant", "the_other_mode"] as const;

  it.each(WHO.flatMap((who) => Object.keys(BY_ID).map((method) => [who, method] as const)))(
    "%s does not find with %s",
    async (who, method) => {
      const reply = await post(strangers[who], method, BY_ID[method]!(ids));
      expect(reply).toMatchObject({ status: 200, error: { code: -32001, data: [{ reason: "TASK_NOT_FOUND" }] } });
      const unknown = newId("run");
      const made_up = await post(strangers[who], method, BY_ID[method]!({ ...ids, run: unknown }));
      expect(JSON.parse(JSON.stringify(made_up.error).replaceAll(unknown, ids.run))).toEqual(reply.error);
      expect(JSON.stringify(reply)).not.toContain(MARK);
    },
  );

  it.each(WHO)("%s lists none of it, not by its context either", async (who) => {
    for (const params of [{}, { contextId: ids.run }])
      expect((await post(strangers[who], "ListTasks", params)).result).toMatchObject({ tasks: [], totalSize: 0 });
  });

  it("does not change by a task of one's own beside a question or a config of another's", async () => {
    const other = await makeTenant();
    const { run } = await furnish(other);
    const params = answering({ ...ids, run });
    expect(await post(other.test, "GetTaskPushNotificationConfig", { taskId: run, id: ids.config })).toMatchObject({
      error: { code: -32001 },
    });
    expect(
      (await post(other.test, "DeleteTaskPushNotificationConfig", { taskId: run, id: ids.config })).result,
    ).toEqual({});
    expect((await post(other.test, "SendMessage", params)).error).toMatchObject({ code: -32602 });
  });

  it("has not changed, and its owner finds it", async () => {
    expect(await rowsOfTenant(owner.tenant)).toEqual(before);
    expect((await post(owner.test, "GetTask", { id: ids.run })).result).toMatchObject({
      id: ids.run,
      status: { state: "TASK_STATE_INPUT_REQUIRED" },
    });
    const { configs } = (await post(owner.test, "ListTaskPushNotificationConfigs", { taskId: ids.run })).result;
    expect(configs).toMatchObject([{ id: ids.config }]);
  });

  it("a key that reads only starts, answers and cancels nothing, and sees no address of the answer page", async () => {
    const reader = await addKey(owner.tenant, "test", ["runs:read"]);
    const start = userMessage([{ data: { workflow: "requirements", input: { idea: "A kiosk" } } }]);
    for (const [method, params] of [
      ["SendMessage", start],
      ["SendMessage", answering(ids)],
      ["SendStreamingMessage", answering(ids)],
      ["CancelTask", { id: ids.run }],
    ] as const) {
      const reply = await post(reader, method, params);
      expect(reply, method).toMatchObject({ status: 403, error: { data: [{ metadata: { code: "missing_scope" } }] } });
    }
    const { result } = await post(reader, "GetTask", { id: ids.run });
    expect(JSON.stringify(result)).not.toContain("/v1/callbacks/");
    expect(JSON.stringify((await post(owner.test, "GetTask", { id: ids.run })).result)).toContain("/v1/callbacks/");
  });

  it("a key that is bound to a workflow has its skill only", async () => {
    const reply = await call("POST", "/v1/keys", {
      key: owner.live,
      body: { name: "bound", mode: "test", scopes: ["runs:read", "runs:write"], workflows: ["debate"] },
    });
    const bound = reply.body.key;
    expect((await post(bound, "GetExtendedAgentCard")).result.skills).toMatchObject([{ id: "debate" }]);
    const params = userMessage([{ data: { workflow: "requirements", input: { idea: "A kiosk" } } }]);
    expect(await post(bound, "SendMessage", params)).toMatchObject({
      status: 403,
      error: { data: [{ metadata: { code: "workflow_not_allowed" } }] },
    });
    const read = await post(bound, "GetTask", { id: ids.run });
    expect(read.error).toBeDefined();
    expect(JSON.stringify(read)).not.toContain(MARK);
    expect((await post(bound, "ListTasks")).result.tasks).toEqual([]);
  });
});

describe("a request", () => {
  let key: string;
  beforeAll(async () => {
    key = (await makeTenant()).test;
  });
  const raw = async (body: unknown, headers: Record<string, string> = {}, path = "/a2a") =>
    call("POST", path, {
      key,
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "a2a-version": "1.0", ...headers },
    });
  const rpc = (method: string, params?: unknown) => ({ jsonrpc: "2.0", id: "1", method, params });

  it("without a valid key is a 401, and the card needs none", async () => {
    for (const headers of [{}, { authorization: "Bearer parley_test_none" }] as Record<string, string>[]) {
      const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: "{}" };
      const response = await send(`${url}/a2a`, init);
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toContain("Bearer");
    }
    expect((await send(`${url}/.well-known/agent-card.json`)).status).toBe(200);
  });

  it("from a page of another origin is refused, and so is another method than POST", async () => {
    expect(await post(key, "ListTasks", {}, { origin: "https://evil.example" })).toMatchObject({ status: 403 });
    const reply = await call("GET", "/a2a", { key });
    expect(reply).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(reply.headers.get("Allow")).toBe("POST");
  });

  it("of another version is refused; a patch version and one in the query are read", async () => {
    for (const version of ["", "0.3", "1.1", "2.0"])
      expect(await post(key, "ListTasks", {}, { "a2a-version": version }), version).toMatchObject({
        status: 200,
        error: { code: -32009 },
      });
    expect((await post(key, "ListTasks", {}, { "a2a-version": "1.0.1" })).result).toMatchObject({ tasks: [] });
    const init = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const response = await send(`${url}/a2a?A2A-Version=1.0`, {
      method: "POST",
      headers: init,
      body: JSON.stringify(rpc("ListTasks")),
    });
    expect(await response.json()).toMatchObject({ result: { tasks: [] } });
  });

  it("that is not of the protocol is an error of JSON-RPC", async () => {
    expect(await raw("{")).toMatchObject({ body: { id: null, error: { code: -32700 } } });
    const malformed = [[], [rpc("ListTasks")], { id: 7 }, { ...rpc("ListTasks"), id: null }, 7, rpc("ListTasks", [])];
    for (const body of malformed)
      expect(await raw(body), JSON.stringify(body)).toMatchObject({ body: { error: { code: -32600 } } });
    expect((await raw({ id: 7 })).body.id).toBe(7);
    for (const method of ["message/send", "tasks/get", "constructor", "__proto__"])
      expect(await raw(rpc(method)), method).toMatchObject({ body: { id: "1", error: { code: -32601 } } });
  });

  it.each([
    ["SendMessage", {}],
    ["SendMessage", userMessage([])],
    ["SendMessage", userMessage([{ text: "Hello." }], { role: "ROLE_AGENT" })],
    ["SendMessage", userMessage([{ text: "Hello." }], { messageId: "" })],
    ["SendStreamingMessage", userMessage([{ text: "Hello." }], { taskId: 7 })],
    ["GetTask", {}],
    ["GetTask", { id: "" }],
    ["GetTask", { id: "run_x", historyLength: -1 }],
    ["SubscribeToTask", { name: "tasks/1" }],
    ["CancelTask", { id: 7 }],
    ["ListTasks", { pageSize: 0 }],
    ["ListTasks", { pageSize: 101 }],
    ["ListTasks", { status: "working" }],
    ["ListTasks", { pageToken: "elsewhere" }],
    ["ListTasks", { statusTimestampAfter: "yesterday" }],
    ["ListTasks", { tenant: "another" }],
  ])("%s with wrong parameters says so: %j", async (method, params) => {
    expect(await post(key, method, params)).toMatchObject({ status: 200, error: { code: -32602 } });
  });

  it.each([
    [{ url: "https://example.com/a.pdf" }],
    [{ raw: "aGk=", mediaType: "application/pdf" }],
    [{ data: 7 }],
    [{ data: [1] }],
    [{ text: "x", mediaType: "image/png" }],
    [{}],
  ])("with a part that no skill takes says so: %j", async (part) => {
    expect((await post(key, "SendMessage", userMessage([part]))).error).toMatchObject({ code: -32005 });
  });
});

it("requests count against the key's rate, and one that is over it is a 429 that says when to repeat", async () => {
  const { test: key } = await makeTenant();
  const app = createApp<Env>(composeServices);
  const limited = ((input: RequestInfo, init?: RequestInit) =>
    app.fetch(
      new Request(input, init),
      { ...bindings, RATE_LIMIT_PER_MINUTE: "3" } as unknown as Env,
      createExecutionContext(),
    )) as typeof fetch;
  const list = () => postA2a({ url, key, fetch: limited }, "ListTasks");
  expect((await list()).result).toMatchObject({ tasks: [] });
  const within = await list(); // its own request is the third, the one within it the fourth
  expect(within).toMatchObject({
    status: 429,
    error: { code: -32603, data: [{ metadata: { code: "rate_limited" } }] },
  });
  expect(within.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await list()).toMatchObject({ status: 429, code: "rate_limited" });
});
