import { z } from "zod";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { thinkingOf } from "./extract";
import { refusedAnswer, unreadableAnswer } from "./provider-errors";
import { type Message, type ModelReply, type ModelRequest, outputOf, promptOf } from "./request";
import { sendRequest } from "./send-request";
import type { Target } from "./target";
import { count, guessedTokens, pricedUsage, type ReportedUsage } from "./usage";

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

/** Text, or parts of text, as some servers send it. */
const contentSchema = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().nullish() }))
    .transform((parts) => parts.map(({ text }) => text ?? "").join("")),
]);

const usageSchema = z
  .object({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
    completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish().catch(null),
  })
  .transform(
    ({ prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details }): ReportedUsage => ({
      input_tokens: prompt_tokens,
      cached_input_tokens: prompt_tokens_details?.cached_tokens ?? 0,
      output_tokens: completion_tokens,
      reasoning_tokens: completion_tokens_details?.reasoning_tokens ?? null,
    }),
  );

/** The parts of a chat completion that are read. */
const completionSchema = z.object({
  model: z.string().nullish().catch(null),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: contentSchema.nullish(),
          refusal: z.string().nullish(),
          // The text of the reasoning, where a server sends it apart; its name differs.
          reasoning_content: z.string().nullish().catch(null),
          reasoning: z.string().nullish().catch(null),
          tool_calls: z.array(toolCallSchema).nullish(),
        }),
      }),
    )
    .min(1),
  usage: usageSchema.nullish().catch(null),
});

/**
 * Makes one request to the Chat Completions API, without retries.
 * @throws LlmError with the usage of this request: `provider_*`, or `output_refused`
 */
export async function chat(target: Target, request: ModelRequest): Promise<ModelReply> {
  const { messages, parameters, format, tools, tool_choice } = request;
  const sent = {
    model: target.model,
    messages: messages.map(asMessage),
    ...parameters,
    response_format:
      format?.type === "json_schema"
        ? ({ type: "json_schema", json_schema: { name: format.name, strict: true, schema: format.schema } } as const)
        : format,
    tools: tools?.map((declared) => ({ type: "function" as const, function: declared })),
    tool_choice,
  };
  const body: unknown = await sendRequest(target, request, (options) =>
    target.client.chat.completions.create(sent, options),
  );
  const parsed = completionSchema.safeParse(body);
  if (!parsed.success) throw unreadableAnswer("chat", body, target, request.timeout_ms);
  const { message, finish_reason } = parsed.data.choices[0]!;
  const text = message.content ?? "";
  const tool_calls = (message.tool_calls ?? []).map((call, at) => ({ ...call, id: call.id ?? `call_${at + 1}` }));
  const thinking = message.reasoning_content ?? message.reasoning ?? thinkingOf(text);
  const usage = pricedUsage(parsed.data.usage ?? null, target.price, {
    prompt: promptOf(request),
    output: outputOf({ text, tool_calls }) + (message.reasoning_content ?? message.reasoning ?? ""),
    reasoning_tokens: guessedTokens([thinking]),
  });
  if (message.refusal || finish_reason === "content_filter") throw refusedAnswer(message.refusal, usage, target);
  return {
    text,
    tool_calls,
    items: [],
    truncated: finish_reason === "length",
    response_model: parsed.data.model ?? null,
    usage,
  };
}

function asMessage(message: Message): ChatCompletionMessageParam {
  if (message.role !== "assistant") return message;
  const { content, tool_calls } = message;
  return {
    role: "assistant",
    content,
    ...(tool_calls && {
      tool_calls: tool_calls.map(({ id, name, arguments: given }) => ({
        id,
        type: "function",
        function: { name, arguments: given },
      })),
    }),
  };
}
