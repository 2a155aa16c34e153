import { z } from "zod";
import type { ResponseCreateParamsNonStreaming, ResponseInputItem } from "openai/resources/responses/responses";
import { refusedAnswer, statedError, unreadableAnswer } from "./provider-errors";
import { type Message, type ModelReply, type ModelRequest, outputOf, promptOf } from "./request";
import { sendRequest } from "./send-request";
import type { Target } from "./target";
import { count, pricedUsage, type ReportedUsage } from "./usage";

const partSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output_text"), text: z.string() }),
  z.object({ type: z.literal("refusal"), refusal: z.string() }),
]);

const itemSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message"), content: z.array(partSchema) }),
  z.object({
    type: z.literal("function_call"),
    call_id: z.string().min(1),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal("reasoning"), encrypted_content: z.string().nullish() }),
]);

const usageSchema = z
  .object({
    input_tokens: count,
    output_tokens: count,
    input_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
    output_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish(),
  })
  .transform(({ input_tokens, output_tokens, input_tokens_details, output_tokens_details }): ReportedUsage => ({
    input_tokens,
    cached_input_tokens: input_tokens_details?.cached_tokens ?? 0,
    output_tokens,
    reasoning_tokens: output_tokens_details?.reasoning_tokens ?? null,
  }));

/** The parts of a response that are read. */
const responseSchema = z.object({
  model: z.string().nullish().catch(null),
  status: z.enum(["completed", "incomplete", "failed", "cancelled"]).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  // Items of other kinds, such as a server's own tools, hold nothing that was asked for.
  output: z.array(z.union([itemSchema, z.looseObject({ type: z.string() }).transform(() => null)])),
  usage: usageSchema.nullish().catch(null),
});

/**
 * Makes one request to the Responses API, without retries. Nothing is stored at the provider (`store: false`), so hidden reasoning comes back
 * encrypted, and is passed on with the results of tools.
 * @throws LlmError with the usage of this request: `provider_*`, or `output_refused`
 */
export async function respond(target: Target, request: ModelRequest): Promise<ModelReply> {
  const body: unknown = await sendRequest(target, request, (options) =>
    target.client.responses.create(bodyOf(target.model, request), options),
  );
  const parsed = responseSchema.safeParse(body);
  if (!parsed.success) throw unreadableAnswer("responses", body, target, request.timeout_ms);
  const { status, incomplete_details, error, model } = parsed.data;
  const usageOf = (text: string, tool_calls: ModelReply["tool_calls"]) =>
    pricedUsage(parsed.data.usage ?? null, target.price, {
      prompt: promptOf(request),
      output: outputOf({ text, tool_calls }),
      reasoning_tokens: 0,
    });
  if (status === "failed" || error) throw statedError(error ?? {}, target, request.timeout_ms, usageOf("", []));
  const items = parsed.data.output.filter((item) => item !== null);
  const parts = items.flatMap((item) => (item.type === "message" ? item.content : []));
  const text = parts.map((part) => (part.type === "output_text" ? part.text : "")).join("");
  const refusal = parts.find((part) => part.type === "refusal")?.refusal;
  const tool_calls = items.flatMap((item) =>
    item.type === "function_call" ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
  );
  const usage = usageOf(text, tool_calls);
  const reason = status === "incomplete" ? (incomplete_details?.reason ?? "max_output_tokens") : null;
  if (refusal !== undefined || reason === "content_filter") throw refusedAnswer(refusal, usage, target);
  return {
    text,
    tool_calls,
    items: items.some((item) => item.type === "reasoning" && item.encrypted_content) ? rawOutputOf(body) : [],
    truncated: reason !== null,
    response_model: model ?? null,
    usage,
  };
}

/** The output of a response that was parsed, unchanged. */
const rawOutputOf = (body: unknown): object[] => (body as { output: object[] }).output;

function bodyOf(model: string, request: ModelRequest): ResponseCreateParamsNonStreaming {
  const { messages, parameters, format, tools, tool_choice, wants_reasoning } = request;
  const { "reasoning.effort": effort, "text.verbosity": verbosity, ...plain } = parameters;
  const text = {
    ...(format && { format: format.type === "json_schema" ? { ...format, strict: true } : format }),
    ...(verbosity !== undefined && { verbosity }),
  };
  return {
    model,
    input: messages.flatMap(asItems),
    ...plain,
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(Object.keys(text).length > 0 && { text }),
    ...(tools && { tools: tools.map((declared) => ({ type: "function" as const, strict: false, ...declared })) }),
    ...(tool_choice && { tool_choice }),
    ...(wants_reasoning && { include: ["reasoning.encrypted_content"] }),
    store: false,
  } as ResponseCreateParamsNonStreaming;
}

function asItems(message: Message): ResponseInputItem[] {
  if (message.role === "tool")
    return [{ type: "function_call_output", call_id: message.tool_call_id, output: message.content }];
  if (message.role !== "assistant") return [{ role: message.role, content: message.content }];
  const { content, tool_calls = [], items = [] } = message;
  if (items.length > 0) return items as ResponseInputItem[];
  return [
    ...(content ? [{ role: "assistant" as const, content }] : []),
    ...tool_calls.map(({ id, name, arguments: given }) => ({
      type: "function_call" as const,
      call_id: id,
      name,
      arguments: given,
    })),
  ];
}
