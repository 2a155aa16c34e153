import { z } from "zod";
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageFunctionToolCall,
} from "openai/resources/chat/completions";
import { thinkingOf } from "./extract";
import { quote } from "./provider-errors";
import { sendRequest } from "./send-request";
import { LlmError, type Usage } from "./types";
import { guessedUsage, reportedUsageSchema, unreportedUsage, pricedUsage } from "./usage";
import type { Target } from "./target";

export type ChatMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: ChatCompletionMessageFunctionToolCall[] }
  | { role: "tool"; content: string; tool_call_id: string };

/** A tool call that a model requests. */
export interface RequestedToolCall {
  id: string;
  name: string;
  /** JSON, as the model wrote it. */
  arguments: string;
}

export interface ChatRequest {
  messages: ChatMessage[];
  /** By the names that the model accepts. */
  parameters: Record<string, number>;
  response_format?: ChatCompletionCreateParamsNonStreaming["response_format"];
  tools?: ChatCompletionFunctionTool[];
  /** Absent: the model chooses. */
  tool_choice?: "none";
  labels: { run: string; step: string };
  timeout_ms: number;
}

export interface ChatResponse {
  /** May be empty. */
  text: string;
  tool_calls: RequestedToolCall[];
  /** `length` when the answer was cut off. */
  finish_reason: string | null;
  /** Output tokens that went into hidden reasoning, as far as the server tells; 0: none. */
  reasoning_tokens: number;
  usage: Usage;
}

const toolCallSchema = z
  .object({
    id: z.string().min(1).nullish(),
    // Some servers parse the model's arguments.
    function: z.object({
      name: z.string(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    }),
  })
  .transform(({ id, function: { name, arguments: given } }) => ({
    id: id ?? null,
    name,
    arguments: typeof given === "string" ? given : JSON.stringify(given ?? {}),
  }));

/** The parts of a chat completion that are read. */
const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          // The text of the reasoning, where a server sends it apart; its name differs.
          reasoning_content: z.string().nullish().catch(null),
          reasoning: z.string().nullish().catch(null),
          tool_calls: z.array(toolCallSchema).nullish(),
        }),
      }),
    )
    .min(1),
  usage: reportedUsageSchema.nullish().catch(null),
});

/**
 * Makes one chat completion request, without retries.
 * @throws LlmError with the usage of this request: `provider_*`, or `output_refused`
 */
export async function chat(target: Target, request: ChatRequest): Promise<ChatResponse> {
  const { messages, parameters, response_format, tools, tool_choice } = request;
  const sent = { model: target.model, messages, ...parameters, response_format, tools, tool_choice };
  const body: unknown = await sendRequest(target, request, (options) =>
    target.client.chat.completions.create(sent, options),
  );
  const parsed = completionSchema.safeParse(body);
  if (!parsed.success) {
    const bodyText = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
    throw new LlmError(
      "provider_unavailable",
      `${target.label} answered, but not with a chat completion: ${quote(bodyText, target)}`,
      { retryable: true, usage: unreportedUsage(1, target.price) },
    );
  }
  const { message, finish_reason } = parsed.data.choices[0]!;
  const text = message.content ?? "";
  const tool_calls = (message.tool_calls ?? []).map((call, at) => ({ ...call, id: call.id ?? `call_${at + 1}` }));
  const output = text + tool_calls.map((call) => call.name + call.arguments).join("");
  const usage = pricedUsage(parsed.data.usage ?? guessedUsage(promptOf(request), output), target.price);
  if (message.refusal || finish_reason === "content_filter") {
    const why = message.refusal ? `: ${quote(message.refusal, target)}` : "; the provider's content filter stopped it.";
    throw new LlmError("output_refused", `${target.label} refused to answer${why}`, { retryable: false, usage });
  }
  const reasoning = message.reasoning_content ?? message.reasoning ?? thinkingOf(text);
  const reasoning_tokens =
    parsed.data.usage?.completion_tokens_details?.reasoning_tokens ?? guessedUsage([], reasoning).completion_tokens;
  return { text, tool_calls, finish_reason: finish_reason ?? null, reasoning_tokens, usage };
}

/** All text of a request that the model reads. */
export const promptOf = ({ messages, tools = [], response_format }: ChatRequest): string[] => [
  ...messages.flatMap((message) => [
    message.content ?? "",
    ...("tool_calls" in message && message.tool_calls ? [JSON.stringify(message.tool_calls)] : []),
  ]),
  ...tools.map((tool) => JSON.stringify(tool)),
  ...(response_format ? [JSON.stringify(response_format)] : []),
];
