import type { LlmFault } from "#core/vocabulary";
import { hasOpenFence } from "../code-fences";
import type { ModelCall } from "../types";
import { guessedTokens } from "../usage";

/** Name of the model of test mode in artifacts and runs. */
export const MOCK_MODEL = "mock";

type MockBehavior = NonNullable<ModelCall<unknown>["mock"]>;

/** The parts of a request's body that are read. */
interface RequestBody {
  messages: { content: string }[];
  response_format?: unknown;
}

/**
 * A chat-completions endpoint in the form of a `fetch`: it answers each request after `latency_ms` with `mock.content()`, or with
 * the next fault. It is deterministic and makes no network requests.
 */
export function mockFetch(mock: MockBehavior): typeof fetch {
  // Called outside the fetch, where an error would look like a broken connection.
  const content = mock.content();
  return async (_input, init) => {
    const body = JSON.parse(String(init?.body)) as RequestBody;
    await delay(mock.latency_ms, init?.signal);
    return respond(mock.nextFault(), content, body);
  };
}

function respond(fault: LlmFault, content: string, body: RequestBody): Response {
  switch (fault) {
    case "ok":
      return completion(body, { content });
    case "rate_limited":
      return failure(429, "Mock: too many requests.", { "retry-after": "0" });
    case "server_error":
      return failure(500, "Mock: the server broke down.");
    case "timeout":
      // The error of an aborted request, without waiting for the real timeout.
      throw new DOMException("Mock: no answer came.", "AbortError");
    case "malformed":
      return completion(body, { content: body.response_format ? half(content) : brokenMarkdown(content) });
    case "truncated":
      return completion(body, { content: half(content) }, "length");
    case "refusal":
      return completion(body, { content: null, refusal: "Mock: I can't help with that." });
  }
}

/** Half of a JSON object is never valid JSON. */
const half = (content: string) => content.slice(0, Math.ceil(content.length / 2));

/** Ends inside a code block, which `markdownFormat` refuses; nearly any other text is valid Markdown. */
const brokenMarkdown = (content: string) =>
  hasOpenFence(half(content)) ? half(content) : `${half(content)}\n\n\`\`\`\n`;

function completion(
  body: RequestBody,
  message: { content: string | null; refusal?: string },
  finish_reason: "stop" | "length" = "stop",
): Response {
  const prompt_tokens = guessedTokens(body.messages.map(({ content }) => content));
  const completion_tokens = guessedTokens([message.content ?? ""]);
  return Response.json({
    id: "chatcmpl-mock",
    object: "chat.completion",
    created: 0,
    model: MOCK_MODEL,
    choices: [{ index: 0, finish_reason, message: { role: "assistant", ...message } }],
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  });
}

const failure = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { message } }, { status, headers });

/**
 * Waits, unless the request is aborted first. A wait of 0 is a timer too: locally Worker, D1 and Workflows are one thread, which reads its
 * connections only when nothing else is to do, and hundreds of mock runs would keep it busy for minutes.
 */
function delay(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
