import { env, exports } from "cloudflare:workers";
import type { Answer, Crowd, HookAnswer, SeenCall, SeenHook } from "./model";
import { reportOf } from "./report";
import { newId } from "#core/ids";
import { makeKey } from "#services/keys/make-key";
import type { Scope } from "#core/vocabulary";

export const bindings = env as unknown as Env & {
  TEST_MODEL_URL: string;
  TEST_MCP_URL: string;
  TEST_MODERN_MCP_URL: string;
};

export interface Client {
  tenant: string;
  test: string;
  live: string;
}

/** A client of the API: a new tenant with a test key and a live key. */
export async function makeTenant(scopes: Scope[] = ["runs:read", "runs:write", "admin"]): Promise<Client> {
  const tenant = newId("ten");
  await bindings.DB.prepare("INSERT INTO tenants (id, name, created_at) VALUES (?, 'test', ?)")
    .bind(tenant, Date.now())
    .run();
  return { tenant, test: await addKey(tenant, "test", scopes), live: await addKey(tenant, "live", scopes) };
}

export async function addKey(tenant: string, mode: "test" | "live", scopes: Scope[]): Promise<string> {
  const key = makeKey(mode);
  await bindings.DB.prepare(
    "INSERT INTO keys (id, tenant_id, name, mode, hash, hint, scopes, created_at) VALUES (?, ?, 'test', ?, ?, ?, ?, ?)",
  )
    .bind(newId("key"), tenant, mode, key.hash, key.hint, JSON.stringify(scopes), Date.now())
    .run();
  return key.text;
}

export interface Reply {
  status: number;
  headers: Headers;
  body: any;
}

/** One request to the Worker. `body` is sent as JSON unless it is a string. */
export async function call(
  method: string,
  path: string,
  options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { key, body, headers } = options;
  const response = await (exports as any).default.fetch(`http://parley.test${path}`, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    redirect: "manual",
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text && /[/+]json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text,
  };
}

/** Polls until `find` finds something. @param state what the message of a failure adds */
export async function until<T>(
  what: string,
  find: () => Promise<T | null | undefined | false>,
  ms = 120_000,
  state: () => Promise<string> = async () => "",
): Promise<T> {
  for (const end = Date.now() + ms; ;) {
    const found = await find();
    if (found) return found;
    if (Date.now() > end) throw new Error(`It did not come to this in ${ms} ms: ${what}\n${await state()}`.trim());
    // A look costs some milliseconds of CPU: at 25 ms between looks a quarter of the CPU went into them.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits until a run has one of these statuses, and returns it. */
export async function runWithStatus(key: string, id: string, ...statuses: string[]): Promise<any> {
  let last: any;
  const find = async () => {
    last = (await call("GET", `/v1/runs/${id}`, { key })).body;
    return statuses.includes(last.status) && last;
  };
  const state = async () =>
    `it is ${last?.status}: ${JSON.stringify(last?.error ?? last?.stage)}\n${await reportOf(id)}`;
  return until(`run ${statuses.join(" or ")}`, find, undefined, state);
}

export async function start(key: string, body: object): Promise<string> {
  const reply = await call("POST", "/v1/runs", {
    key,
    body: { workflow: "requirements", input: { idea: "A library that lends tools to neighbours" }, ...body },
  });
  if (reply.status !== 201) throw new Error(`POST /v1/runs: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body.id;
}

/** All pages of a list. */
export async function all(key: string, path: string): Promise<any[]> {
  const rows: any[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const url: string = `${path}${path.includes("?") ? "&" : "?"}limit=100${cursor ? `&cursor=${cursor}` : ""}`;
    const { body } = await call("GET", url, { key });
    rows.push(...body.data);
    cursor = body.next_cursor;
  }
  return rows;
}

export const artifactsOf = (key: string, run: string) => all(key, `/v1/runs/${run}/artifacts`);
export const eventsOf = (key: string, run: string) => all(key, `/v1/runs/${run}/events`);

export async function openInteraction(key: string, run: string): Promise<any> {
  return until(
    "an open interaction",
    async () => (await call("GET", `/v1/interactions?run_id=${run}&status=open`, { key })).body.data[0],
  );
}

// The fake model endpoint and webhook receiver of global-setup.ts

const world = (path: string, init?: RequestInit) =>
  fetch(`${bindings.TEST_MODEL_URL}${path}`, init).then((response) => response.json() as Promise<any>);

/** Plans the answers of a new model for one test; returns the `models` of a run that uses it. @param provider of vitest.config.ts */
export async function planModel(plan: Record<string, Answer[]>, provider = "openai"): Promise<{ default: string }> {
  const name = newId("art").toLowerCase();
  await world(`/plan/${name}`, { method: "PUT", body: JSON.stringify(plan) });
  return { default: `${provider}/${name}` };
}

/** Changes the answers of a planned model from now on. */
export const replan = (models: { default: string }, plan: Record<string, Answer[]>) =>
  world(`/plan/${modelOf(models)}`, { method: "PUT", body: JSON.stringify(plan) });

/** Makes a planned model answer 429 to calls beyond `most` at the same time. */
export const crowd = (models: { default: string }, limit: { most: number; retry_after?: number }) =>
  world(`/crowd/${modelOf(models)}`, { method: "PUT", body: JSON.stringify(limit) });
export const crowdOf = (models: { default: string }): Promise<Crowd> => world(`/crowd/${modelOf(models)}`);
const modelOf = (models: { default: string }) => models.default.slice(models.default.indexOf("/") + 1);

/** Plans the answers of the source of papers to queries that contain a name. */
export const planPapers = (name: string, answers: Answer[]) =>
  world(`/paper-plan/${name}`, { method: "PUT", body: JSON.stringify(answers) });

export const callsOf = (run: string): Promise<SeenCall[]> => world(`/calls?run=${run}`);
export const planHook = (name: string, answers: HookAnswer[]) =>
  world(`/hook-plan/${name}`, { method: "PUT", body: JSON.stringify(answers) });
export const hooksOf = (name: string): Promise<SeenHook[]> => world(`/hooks?path=/hook/${name}`);
/** The traces that the collector at `hookUrl(name)` received. */
export const tracesOf = (name: string): Promise<SeenHook[]> => world(`/hooks?path=/hook/${name}/v1/traces`);
export const hookUrl = (name: string) => `${bindings.TEST_MODEL_URL}/hook/${name}`;

/**
 * Runs a mock run, and returns a plan that gives each step of a live run the same content. Tests may change the plan.
 * @param body of the request
 */
export async function planFromMock(client: Client, body: object): Promise<Record<string, Answer[]>> {
  const run = await start(client.test, body);
  await runWithStatus(client.test, run, "completed");
  const plan: Record<string, Answer[]> = {};
  for (const { id, step, kind, model } of await artifactsOf(client.test, run)) {
    if (model === null) continue;
    const { body: artifact } = await call("GET", `/v1/runs/${run}/artifacts/${id}`, { key: client.test });
    const content = kind === "agent_result" ? artifact.content.value : artifact.content;
    plan[step] = [{ content: typeof content === "string" ? content : JSON.stringify(content) }];
  }
  return plan;
}
