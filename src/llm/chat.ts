import { z } from "zod";
import { OpenAIError, APIError } from "openai";
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { providerError, quote } from "./provider-errors";
import type { Target } from "./targets";
import { LlmError, type Usage } from "./types";
import { guessedUsage, reportedUsageSchema, unreportedUsage, usageOf } from "./usage";

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface ChatRequest {
  messages: ChatMessage[];
  /** Under the names that the model accepts. */
  parameters: Record<string, number>;
  response_format?: ChatCompletionCreateParamsNonStreaming["response_format"];
  labels: { run: string; act: string };
  timeout_ms: number;
}

export interface ChatAnswer {
  /** May be empty. */
  text: string;
  /** `length` when it was cut off. */
  finish_reason: string | null;
  usage: Usage;
}

/** A chat completion, as far as it is read. */
const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: reportedUsageSchema.nullish().catch(null),
});

/**
 * One request, tried once.
 * @throws LlmError with the usage of this request: `provider_*`, or `output_refused`
 */
export async function chat(target: Target, request: ChatRequest): Promise<ChatAnswer> {
  const body = await post(target, request);
  const parsed = completionSchema.safeParse(body);
  if (!parsed.success) {
    const shown = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
    throw new LlmError(
      "provider_unavailable",
      `${target.label} answered, but not with a chat completion: ${quote(shown, target)}`,
      {
        retryable: true,
        usage: unreportedUsage(1, target.price),
      },
    );
  }
  const { message, finish_reason } = parsed.data.choices[0]!;
  const text = message.content ?? "";
  const prompt = request.messages.map(({ content }) => content);
  const usage = usageOf(parsed.data.usage ?? guessedUsage(prompt, text), target.price);
  if (message.refusal || finish_reason === "content_filter") {
    const said = message.refusal
      ? `: ${quote(message.refusal, target)}`
      : "; the provider's content filter stopped it.";
    throw new LlmError("output_refused", `${target.label} refused to answer${said}`, { retryable: false, usage });
  }
  return { text, finish_reason: finish_reason ?? null, usage };
}

async function post(target: Target, request: ChatRequest): Promise<unknown> {
  const { messages, parameters, response_format, labels, timeout_ms } = request;
  try {
    return await target.client.chat.completions.create(
      {
        model: target.model,
        messages: messages satisfies ChatCompletionMessageParam[],
        ...parameters,
        response_format,
      },
      {
        timeout: timeout_ms,
        headers: { "x-parley-run": headerValue(labels.run), "x-parley-act": headerValue(labels.act) },
      },
    );
  } catch (error) {
    // The SDK's complaints about how it is used are ours to mend, not the provider's.
    if (error instanceof OpenAIError && !(error instanceof APIError)) throw error;
    throw providerError(error, target, timeout_ms);
  }
}

/** Headers are ASCII; names of acts need not be. */
const headerValue = (text: string) => text.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeURIComponent);
