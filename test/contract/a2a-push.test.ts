/** Push notification configs of A2A tasks: webhooks with the task's updates, whose credentials are never shown. */
import { exports } from "cloudflare:workers";
import { StreamResponse, TaskState } from "@a2a-js/sdk";
import { beforeEach, expect, it } from "vitest";
import { newId } from "#core/ids";
import { connectA2a, messageOf, postA2a, text, userMessage } from "../support/a2a-client";
import {
  bindings,
  call,
  type Client,
  hooksOf,
  hookUrl,
  makeTenant,
  runWithStatus,
  start,
  until,
} from "../support/parley";
import { openInteraction } from "../support/parley";

const send = ((input: RequestInfo, init?: RequestInit) =>
  (exports as any).default.fetch(new Request(input, init))) as typeof fetch;
const url = "http://parley.test";

let tenant: Client;
let name: string;
let run: string;
let post: (method: string, params?: object, key?: string) => ReturnType<typeof postA2a>;
beforeEach(async () => {
  tenant = await makeTenant();
  name = newId("whe").toLowerCase();
  run = await start(tenant.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  post = (method, params, key = tenant.test) => postA2a({ url, key, fetch: send }, method, params);
});

const CREDENTIALS = "receiver-secret-1";
const TOKEN = "receiver-token-1";
const config = (more: object = {}) => ({
  taskId: run,
  url: hookUrl(name),
  token: TOKEN,
  authentication: { scheme: "Bearer", credentials: CREDENTIALS },
  ...more,
});
const heard = async () => (await hooksOf(name)).map(({ body }) => StreamResponse.fromJSON(JSON.parse(body)).payload!);

it("tells of the task's states and artifacts with the credentials of the receiver, which no log shows", async () => {
  await openInteraction(tenant.test, run);
  const client = await connectA2a({ url, key: tenant.test, fetch: send });
  const made = await client.createTaskPushNotificationConfig({ tenant: "", id: "", ...config() });
  expect(made).toMatchObject({ taskId: run, url: hookUrl(name), token: "" });
  await client.sendMessage(messageOf([text("approve")], { taskId: run }));
  const ended = await until("the last notification", async () => {
    const all = await heard();
    return all.some(({ value }) => (value as any).status?.state === TaskState.TASK_STATE_COMPLETED) && all;
  });
  expect(ended.every(({ value }) => (value as any).taskId === run)).toBe(true);
  expect(ended.map(({ $case }) => $case)).toContain("artifactUpdate");
  const artifact = ended.find(({ $case }) => $case === "artifactUpdate")!.value as any;
  const link = artifact.artifact.parts[0].content.value;
  expect((await send(link, { headers: { authorization: `Bearer ${tenant.test}` } })).status).toBe(200);
  const [first] = await hooksOf(name);
  expect(first!.headers).toMatchObject({
    authorization: `Bearer ${CREDENTIALS}`,
    "x-a2a-notification-token": TOKEN,
    "content-type": "application/a2a+json",
    "webhook-signature": expect.stringMatching(/^v1,/),
  });
  const log = (await call("GET", `/v1/webhook-endpoints/${made.id}/deliveries`, { key: tenant.test })).body;
  expect(log.data[0].attempts[0].request.headers.authorization).toBe("(not shown)");
  const rows = await bindings.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(made.id).first();
  const shown = [log, rows, (await call("GET", `/v1/webhook-endpoints/${made.id}`, { key: tenant.test })).body];
  for (const secret of [CREDENTIALS, TOKEN]) expect(JSON.stringify(shown)).not.toContain(secret);
});

it("asks by a notification what the task asks, and a log without the right to answer hides the page's address", async () => {
  const params = userMessage([
    {
      data: {
        workflow: "requirements",
        input: { idea: "A kiosk" },
        options: { reviews: ["requirement_draft"], qa_rounds: 0 },
        test: { latency_ms: 1000 }, // it asks after its configuration is stored
      },
    },
  ]);
  const wanted = { url: hookUrl(name) };
  const { task } = (
    await post("SendMessage", {
      ...params,
      configuration: { returnImmediately: true, taskPushNotificationConfig: wanted },
    })
  ).result;
  await runWithStatus(tenant.test, task.id, "input_required");
  const asked: any = await until("the question", async () =>
    (await hooksOf(name)).map(({ body }) => JSON.parse(body)).find(({ statusUpdate }) => statusUpdate?.status.message),
  );
  const { contextId, status } = asked.statusUpdate;
  expect(contextId).toBe(task.contextId);
  expect(status).toMatchObject({
    state: "TASK_STATE_INPUT_REQUIRED",
    message: { role: "ROLE_AGENT", taskId: task.id },
  });
  const { interaction_id } = status.message.parts[1].data;
  expect(JSON.stringify(asked)).toContain("/v1/callbacks/");
  const { configs } = (await post("ListTaskPushNotificationConfigs", { taskId: task.id })).result;
  expect(configs).toMatchObject([{ taskId: task.id, url: hookUrl(name) }]);
  const keys = (
    await call("POST", "/v1/keys", { key: tenant.live, body: { name: "r", mode: "test", scopes: ["runs:read"] } })
  ).body;
  const log = await call("GET", `/v1/webhook-endpoints/${configs[0].id}/deliveries`, { key: keys.key });
  expect(JSON.stringify(log.body)).toContain(interaction_id);
  expect(JSON.stringify(log.body)).not.toContain("/v1/callbacks/");
  expect((await call("GET", `/v1/runs/${task.id}`, { key: tenant.test })).body.webhook).toBeNull();
});

it("are read, listed and deleted by their task, and deleting again changes nothing", async () => {
  const { id } = (await post("CreateTaskPushNotificationConfig", config())).result;
  expect((await post("GetTaskPushNotificationConfig", { taskId: run, id })).result).toEqual({
    id,
    taskId: run,
    url: hookUrl(name),
  });
  const list = async () => (await post("ListTaskPushNotificationConfigs", { taskId: run })).result;
  expect(await list()).toMatchObject({ configs: [{ id }], nextPageToken: "" });
  const other = await start(tenant.test, {});
  expect((await post("GetTaskPushNotificationConfig", { taskId: other, id })).error).toMatchObject({ code: -32001 });
  expect((await post("DeleteTaskPushNotificationConfig", { taskId: other, id })).result).toEqual({});
  expect((await list()).configs).toHaveLength(1);
  for (let n = 0; n < 2; n++)
    expect((await post("DeleteTaskPushNotificationConfig", { taskId: run, id })).result).toEqual({});
  expect((await list()).configs).toEqual([]);
});

it("are of the owner alone, at most ten, and only to addresses that may be called", async () => {
  const { id } = (await post("CreateTaskPushNotificationConfig", config())).result;
  for (const key of [(await makeTenant()).test, tenant.live]) {
    for (const [method, params] of [
      ["CreateTaskPushNotificationConfig", config()],
      ["GetTaskPushNotificationConfig", { taskId: run, id }],
      ["ListTaskPushNotificationConfigs", { taskId: run }],
      ["DeleteTaskPushNotificationConfig", { taskId: run, id }],
    ] as const)
      expect((await post(method, params, key)).error, method).toMatchObject({ code: -32001 });
  }
  const refused = await post("CreateTaskPushNotificationConfig", config({ url: "ftp://example.com" }));
  expect(refused.error).toMatchObject({ code: -32602, data: [{ metadata: { code: "url_refused" } }, {}] });
  const split = config({ token: "a\r\nb: c" });
  expect((await post("CreateTaskPushNotificationConfig", split)).error).toMatchObject({ code: -32602 });
  for (let n = 1; n < 10; n++) await post("CreateTaskPushNotificationConfig", config());
  expect((await post("CreateTaskPushNotificationConfig", config())).error).toMatchObject({ code: -32602 });
  expect((await post("ListTaskPushNotificationConfigs", { taskId: run })).result.configs).toHaveLength(10);
});
