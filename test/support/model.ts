import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the endpoint does to one request: answer with content, or fail. */
export interface Answer {
  content?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  finish_reason?: string;
  delay_ms?: number;
}

/** One request that the endpoint saw. */
export interface SeenCall {
  run: string;
  act: string;
  started_at: number;
  ended_at: number | null;
  status: number | null;
  request: { model: string; messages: { role: string; content: string }[]; response_format?: { type: string } };
}

/** How many ask one model at once. */
export interface Crowd {
  most: number;
  retry_after: number | null;
  now: number;
  seen: number;
  refused: number;
}

const NOBODY: Crowd = { most: Infinity, retry_after: null, now: 0, seen: 0, refused: 0 };

/** One webhook that the receiver saw. */
export interface SeenHook {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

/**
 * An OpenAI-compatible endpoint and a webhook receiver, played for tests. Tests set it up over HTTP:
 * - `PUT /plan/<model>` with `{ "<act, or *>": Answer[] }`: answers to this model in order, the last one again and again;
 * - `GET /calls?run=` what was asked; `GET /hooks?path=` what was received;
 * - `PUT /crowd/<model>` with `{ most, retry_after? }`: beyond so many requests at once it answers 429; `GET` tells how many there were
 *   at most, and how many it refused;
 * - `PUT /hook-plan/<name>` with `number[]`: statuses with which `POST /hook/<name>` answers, the last one again and again.
 */
export async function startModel(): Promise<{ url: string; close: () => Promise<void> }> {
  const plans = new Map<string, Record<string, Answer[]>>();
  const crowds = new Map<string, Crowd>();
  const hookPlans = new Map<string, number[]>();
  const calls: SeenCall[] = [];
  const hooks: SeenHook[] = [];

  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, "http://localhost");
    const [, verb, name = ""] = url.pathname.split("/");
    const body = await text(request).catch(() => null);
    if (body === null) return; // who asked was killed
    if (url.pathname === "/v1/chat/completions") return chat(request, response, JSON.parse(body));
    if (verb === "plan") return void (plans.set(decodeURIComponent(name), JSON.parse(body)), json(response, 200, {}));
    if (verb === "crowd" && request.method === "PUT")
      return void (crowds.set(name, { ...NOBODY, ...JSON.parse(body) }), json(response, 200, {}));
    if (verb === "crowd") return json(response, 200, crowds.get(name) ?? NOBODY);
    if (verb === "calls")
      return json(
        response,
        200,
        calls.filter((call) => call.run === url.searchParams.get("run")),
      );
    if (verb === "hook-plan") return void (hookPlans.set(name, JSON.parse(body)), json(response, 200, {}));
    if (verb === "hooks")
      return json(
        response,
        200,
        hooks.filter((hook) => hook.path === url.searchParams.get("path")),
      );
    if (verb === "hook") {
      hooks.push({ path: url.pathname, headers: request.headers as Record<string, string>, body, at: Date.now() });
      const plan = hookPlans.get(name) ?? [200];
      return json(response, plan.length > 1 ? plan.shift()! : plan[0]!, {});
    }
    json(response, 404, { error: { message: "no such path" } });
  });

  async function chat(request: IncomingMessage, response: ServerResponse, body: SeenCall["request"]) {
    const run = String(request.headers["x-parley-run"]);
    const act = String(request.headers["x-parley-act"]);
    const call: SeenCall = { run, act, started_at: Date.now(), ended_at: null, status: null, request: body };
    calls.push(call);
    const crowd = crowds.get(body.model);
    if (crowd && crowd.now >= crowd.most) {
      crowd.refused++;
      Object.assign(call, { ended_at: Date.now(), status: 429 });
      const headers = { "retry-after": String(crowd.retry_after) };
      const told = crowd.retry_after === null ? undefined : headers;
      return json(response, 429, { error: { message: "too many at once" } }, told);
    }
    if (crowd) crowd.seen = Math.max(crowd.seen, ++crowd.now);
    const plan = plans.get(body.model) ?? {};
    const answers = plan[act] ??
      plan["*"] ?? [{ status: 400, body: { error: { message: `nothing planned for ${act}` } } }];
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    await new Promise((resolve) => setTimeout(resolve, answer.delay_ms ?? 0));
    if (crowd) crowd.now--;
    call.ended_at = Date.now();
    call.status = answer.status ?? 200;
    if (answer.content === undefined)
      return json(response, call.status, answer.body ?? { error: { message: "planned" } }, answer.headers);
    json(response, call.status, {
      id: "chatcmpl-test",
      object: "chat.completion",
      created: 0,
      model: body.model,
      choices: [
        {
          index: 0,
          finish_reason: answer.finish_reason ?? "stop",
          message: { role: "assistant", content: answer.content },
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 40 },
      },
    });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

async function text(request: IncomingMessage): Promise<string> {
  let all = "";
  for await (const chunk of request) all += chunk;
  return all;
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
