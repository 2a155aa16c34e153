import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The endpoint's response to one request: content, or a failure. */
export interface Answer {
  content?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  finish_reason?: string;
  delay_ms?: number;
  /** Reported in its usage; 20 by default. */
  output_tokens?: number;
}

/** The receiver's response to one webhook: a status, at once or after a delay. */
export type HookAnswer = number | { status: number; delay_ms: number; headers?: Record<string, string> };

/** One request to the endpoint. */
export interface SeenCall {
  run: string;
  step: string;
  started_at: number;
  ended_at: number | null;
  status: number | null;
  authorization: string | null;
  request: {
    model: string;
    messages: { role: string; content: string }[];
    response_format?: { type: string };
    [parameter: string]: unknown;
  };
}

/** Concurrent calls of one model: the limit, the present number, the highest number seen, and the refusals. */
export interface Crowd {
  most: number;
  retry_after: number | null;
  now: number;
  seen: number;
  refused: number;
}

const UNSUPPORTED = (name: string) => `Unsupported parameter: '${name}' is not supported with this model.`;

const completion = (model: string, { content, finish_reason = "stop", output_tokens = 20 }: Answer) => ({
  id: "chatcmpl-test",
  object: "chat.completion",
  created: 0,
  model,
  choices: [{ index: 0, finish_reason, message: { role: "assistant", content } }],
  usage: {
    prompt_tokens: 100,
    completion_tokens: output_tokens,
    total_tokens: 100 + output_tokens,
    prompt_tokens_details: { cached_tokens: 40 },
  },
});

/** An answer of the Responses API by a model that reasons; eight of its output tokens are hidden. */
const reasonedResponse = (model: string, { content, output_tokens = 20 }: Answer) => ({
  id: "resp_test",
  object: "response",
  created_at: 0,
  status: "completed",
  model: `${model}-2026-10-26`,
  output: [
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", annotations: [], text: content }],
    },
  ],
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 8 },
    total_tokens: 100 + output_tokens,
  },
});

const NOBODY: Crowd = { most: Infinity, retry_after: null, now: 0, seen: 0, refused: 0 };

/** The models of `GET /listing/v1/models`. */
const LISTED = [
  { id: "test-model", object: "model", shutdown_date: null },
  { id: "other-model", object: "model", shutdown_date: "2026-12-11" },
];

/** One received webhook. */
export interface SeenHook {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

/**
 * A fake OpenAI-compatible endpoint and webhook receiver. Tests control it over HTTP:
 * - `PUT /plan/<model>` with `{ "<step, or *>": Answer[] }`: the model's answers in order; the last one is repeated;
 * - a step of embedding without a plan gets vectors in which texts with the same words are near each other;
 * - `GET /calls?run=` returns the calls; `GET /hooks?path=` returns the received webhooks;
 * - `PUT /paper-plan/<name>` with `Answer[]`: the answers of `/papers/…`, a fake source of papers, to queries that contain the name;
 * - `PUT /crowd/<model>` with `{ most, retry_after? }`: more concurrent requests get a 429; `GET` returns the highest number and the
 *   refusals;
 * - `PUT /hook-plan/<name>` with `HookAnswer[]`: the responses of `POST /hook/<name>` in order; the last one is repeated.
 */
export async function startModel(): Promise<{ url: string; close: () => Promise<void> }> {
  const plans = new Map<string, Record<string, Answer[]>>();
  const paperPlans = new Map<string, Answer[]>();
  const crowds = new Map<string, Crowd>();
  const hookPlans = new Map<string, HookAnswer[]>();
  const calls: SeenCall[] = [];
  const hooks: SeenHook[] = [];

  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, "http://localhost");
    const [, verb, name = ""] = url.pathname.split("/");
    const body = await text(request).catch(() => null);
    if (body === null) return; // the caller was killed
    if (url.pathname === "/v1/chat/completions") return chat(request, response, JSON.parse(body), completion);
    if (url.pathname === "/reasoning/v1/responses") {
      const { input, ...asked } = JSON.parse(body);
      const refused = ["temperature", "top_p"].find((parameter) => parameter in asked);
      if (refused) return json(response, 400, { error: { message: UNSUPPORTED(refused), param: refused } });
      return chat(request, response, { ...asked, messages: input }, reasonedResponse);
    }
    if (url.pathname === "/listing/v1/models") return json(response, 200, { object: "list", data: LISTED });
    if (url.pathname === "/v1/embeddings") return embeddings(request, response, JSON.parse(body));
    if (verb === "plan") return void (plans.set(decodeURIComponent(name), JSON.parse(body)), json(response, 200, {}));
    if (verb === "paper-plan") return void (paperPlans.set(name, JSON.parse(body)), json(response, 200, {}));
    if (verb === "papers") return papers(response, decodeURIComponent(request.url!));
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
      const answer = plan.length > 1 ? plan.shift()! : plan[0]!;
      if (typeof answer === "number") return json(response, answer, {});
      await new Promise((resolve) => setTimeout(resolve, answer.delay_ms));
      return json(response, answer.status, {}, answer.headers);
    }
    json(response, 404, { error: { message: "no such path" } });
  });

  async function chat(
    request: IncomingMessage,
    response: ServerResponse,
    body: SeenCall["request"],
    form: (model: string, answer: Answer) => object,
  ) {
    const run = String(request.headers["x-parley-run"]);
    const step = String(request.headers["x-parley-step"]);
    const call: SeenCall = {
      run,
      step,
      started_at: Date.now(),
      ended_at: null,
      status: null,
      authorization: request.headers.authorization ?? null,
      request: body,
    };
    calls.push(call);
    const crowd = crowds.get(body.model);
    if (crowd && crowd.now >= crowd.most) {
      crowd.refused++;
      Object.assign(call, { ended_at: Date.now(), status: 429 });
      const headers = { "retry-after": String(crowd.retry_after) };
      const sentHeaders = crowd.retry_after === null ? undefined : headers;
      return json(response, 429, { error: { message: "too many at once" } }, sentHeaders);
    }
    if (crowd) crowd.seen = Math.max(crowd.seen, ++crowd.now);
    const plan = plans.get(body.model) ?? {};
    const answers = plan[step] ??
      plan["*"] ?? [{ status: 400, body: { error: { message: `nothing planned for ${step}` } } }];
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    await new Promise((resolve) => setTimeout(resolve, answer.delay_ms ?? 0));
    if (crowd) crowd.now--;
    call.ended_at = Date.now();
    call.status = answer.status ?? 200;
    if (answer.content === undefined)
      return json(response, call.status, answer.body ?? { error: { message: "planned" } }, answer.headers);
    json(response, call.status, form(body.model, answer));
  }

  async function papers(response: ServerResponse, asked: string) {
    const plan = [...paperPlans].find(([name]) => asked.includes(name))?.[1] ?? [{ status: 404 }];
    const answer = plan.length > 1 ? plan.shift()! : plan[0]!;
    await new Promise((resolve) => setTimeout(resolve, answer.delay_ms ?? 0));
    if (answer.content !== undefined) return void response.end(answer.content);
    json(response, answer.status ?? 200, answer.body ?? {}, answer.headers);
  }

  async function embeddings(
    request: IncomingMessage,
    response: ServerResponse,
    body: { model: string; input: string[] },
  ) {
    const run = String(request.headers["x-parley-run"]);
    const step = String(request.headers["x-parley-step"]);
    const seen = { model: body.model, messages: body.input.map((content) => ({ role: "user", content })) };
    const call: SeenCall = {
      run,
      step,
      started_at: Date.now(),
      ended_at: null,
      status: null,
      authorization: request.headers.authorization ?? null,
      request: seen,
    };
    calls.push(call);
    const answers = plans.get(body.model)?.[step] ?? [{}];
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    await new Promise((resolve) => setTimeout(resolve, answer.delay_ms ?? 0));
    call.ended_at = Date.now();
    call.status = answer.status ?? 200;
    if (call.status !== 200)
      return json(response, call.status, answer.body ?? { error: { message: "planned" } }, answer.headers);
    json(response, 200, {
      object: "list",
      model: body.model,
      data: body.input.map((input, index) => ({ object: "embedding", index, embedding: vectorOf(input) })),
      usage: { prompt_tokens: 10, total_tokens: 10 },
    });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

/** A vector of hashed word counts: texts with the same words are near each other. */
function vectorOf(input: string): number[] {
  const vector = Array.from({ length: 64 }, () => 0.01);
  for (const word of input.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.codePointAt(0)!) % 4093;
    vector[hash % 64]! += 1;
  }
  return vector;
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
