import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createLlm, parseProviders, type Capabilities, type Llm, type ModelCall, type OutputFormat } from "#llm";

/** A request as the provider received it. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: { role: string; content: string; tool_calls?: unknown; tool_call_id?: string }[];
    /** In place of the messages in the Responses API. */
    input?: Record<string, unknown>[];
    response_format?: { type: string; json_schema?: { name: string; strict: boolean; schema: unknown } };
    [parameter: string]: unknown;
  };
}

/** The provider's response to one request. */
export type Reply = (response: ServerResponse, request: Received) => void;

export interface FakeProvider extends AsyncDisposable {
  base_url: string;
  /** All requests so far, oldest first. */
  received: Received[];
}

/** A provider on loopback that sends its replies in order; further requests get a 418. */
export async function fakeProvider(...replies: Reply[]): Promise<FakeProvider> {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    let raw = "";
    for await (const chunk of incoming) raw += chunk;
    const request: Received = { path: incoming.url ?? "", headers: incoming.headers, body: JSON.parse(raw || "null") };
    received.push(request);
    (replies[received.length - 1] ?? error(418, "No reply is left to run."))(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** A refusal in OpenAI's form. */
export const error = (
  status: number,
  message: string,
  headers: Record<string, string> = {},
  more: object = {},
): Reply => json(status, { error: { message, ...more } }, headers);

interface Parts {
  finish_reason?: string;
  refusal?: string;
  usage?: unknown;
}

export const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

/** A chat completion; an object becomes its JSON. */
export const answer = (content: unknown, { finish_reason = "stop", refusal, usage = USAGE }: Parts = {}): Reply =>
  json(200, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "small",
    choices: [
      {
        index: 0,
        finish_reason,
        message: {
          role: "assistant",
          content: typeof content === "object" && content ? JSON.stringify(content) : content,
          refusal,
        },
      },
    ],
    usage,
  });

/** A completion that calls tools: name and arguments of each; `said` is its text. */
export const toolCalls = (calls: [name: string, args: unknown][], said: string | null = null): Reply =>
  json(200, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "small",
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          content: said,
          tool_calls: calls.map(([name, args], at) => ({
            id: `call_${name}_${at}`,
            type: "function",
            function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
          })),
        },
      },
    ],
    usage: USAGE,
  });

/** Usage in the form of the Responses API. */
export const RESPONSE_USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 20 },
  total_tokens: 130,
};

/** A response of the Responses API with these output items. */
export const response = (output: unknown[], more: Record<string, unknown> = {}): Reply =>
  json(200, {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    error: null,
    incomplete_details: null,
    model: "small-2026-10-01",
    output,
    usage: RESPONSE_USAGE,
    ...more,
  });

/** An output item with the model's text; an object becomes its JSON. */
export const said = (content: unknown) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [
    { type: "output_text", annotations: [], text: typeof content === "string" ? content : JSON.stringify(content) },
  ],
});

export const KEY = "sk-very-secret-0123456789";

/** A capability memory in a map that tests can read. */
export function memory(): {
  kept: Map<string, Capabilities>;
  recall(model: string): Promise<unknown>;
  remember(model: string, found: Capabilities): Promise<void>;
} {
  const kept = new Map<string, Capabilities>();
  return {
    kept,
    recall: async (model) => kept.get(model) ?? null,
    remember: async (model, found) => void kept.set(model, found),
  };
}

/** The LLM layer over one provider, named `fake`. */
export function llmOver(
  provider: { base_url: string },
  models: Record<string, unknown> = {},
  remembers = memory(),
): Llm {
  const PROVIDERS = JSON.stringify({ fake: { base_url: provider.base_url, api_key: KEY, models } });
  return createLlm({ providers: parseProviders({ PROVIDERS }), memory: remembers });
}

/** A call of `fake/small` with this output format. */
export function callFor<T>(output: OutputFormat<T>, more: Partial<ModelCall<T>> = {}): ModelCall<T> {
  return {
    model: { model: "fake/small" },
    system: "You list relations.",
    user: "List them.",
    output,
    labels: { run: "run_1", step: "modeling/extract#actor" },
    timeout_ms: 5000,
    ...more,
  };
}
