import { z } from "zod";
import type { RequestEstimate, Usage, Price } from "./types";

/** Output tokens reserved for a request without a bound, and its bound where tokens or cost are limited. */
export const UNBOUNDED_OUTPUT = 16_384;

/** Most output tokens that a provider's queue expects of a request: few answers come near their bound, and the queue learns the true number. */
const EXPECTED_OUTPUT = 4096;

const count = z.number().int().nonnegative();
/** The parts of a chat completion's `usage` that are read. */
export const reportedUsageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish().catch(null),
});
export type ReportedUsage = z.infer<typeof reportedUsageSchema>;

const cost = (price: Price, uncached: number, cached: number, output: number) =>
  (uncached * price.input + cached * (price.cached_input ?? price.input) + output * price.output) / 1_000_000;

/** Usage of `llm_calls` requests that reported none: failed ones, or no request yet. */
export const unreportedUsage = (llm_calls: number, price: Price | null): Usage => ({
  llm_calls,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  cost_usd: price ? 0 : null,
});

/** Usage of one answered request. `cost_usd` is null without a price. */
export function pricedUsage(reported: ReportedUsage, price: Price | null): Usage {
  const cached = Math.min(reported.prompt_tokens_details?.cached_tokens ?? 0, reported.prompt_tokens);
  return {
    llm_calls: 1,
    input_tokens: reported.prompt_tokens,
    cached_input_tokens: cached,
    output_tokens: reported.completion_tokens,
    cost_usd: price && cost(price, reported.prompt_tokens - cached, cached, reported.completion_tokens),
  };
}

/** Estimate at four characters per token, for a server that reports no usage. */
export const guessedUsage = (prompt: string[], answer: string): ReportedUsage => ({
  prompt_tokens: Math.ceil(prompt.join("").length / 4),
  completion_tokens: Math.ceil(answer.length / 4),
});

/** Usage before the first request. */
export const NO_USAGE: Usage = unreportedUsage(0, null);

/** The one rule for sums of usage: the cost is the sum of known costs, and null only if no cost is known. */
export const addUsage = (left: Usage, right: Usage): Usage => ({
  llm_calls: left.llm_calls + right.llm_calls,
  input_tokens: left.input_tokens + right.input_tokens,
  cached_input_tokens: left.cached_input_tokens + right.cached_input_tokens,
  output_tokens: left.output_tokens + right.output_tokens,
  cost_usd: left.cost_usd === null && right.cost_usd === null ? null : (left.cost_usd ?? 0) + (right.cost_usd ?? 0),
});

/** Upper estimate of a prompt's tokens: one for each two bytes. */
export const tokensOfPrompt = (prompt: string[]): number =>
  Math.ceil(prompt.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) / 2);

/** The tokens that a provider's queue expects of a request. @param input tokens of its prompt */
export const expectedTokens = (input: number, max_output_tokens: number = EXPECTED_OUTPUT): number =>
  input + Math.min(max_output_tokens, EXPECTED_OUTPUT);

/** Upper estimate of a request's usage: its prompt, plus the maximum of output. @param input tokens of its prompt */
export function estimateOf(input: number, max_output_tokens: number | undefined, price: Price | null): RequestEstimate {
  const output = max_output_tokens ?? UNBOUNDED_OUTPUT;
  return { calls: 1, tokens: input + output, cost_usd: price && cost(price, input, 0, output) };
}
