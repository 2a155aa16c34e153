import { z } from "zod";
import type { Price, RequestEstimate, Usage } from "./types";

type TokenCounts = Omit<Usage, "llm_calls" | "cost_usd">;

/** Output tokens reserved for a request without a bound, and its bound where tokens or cost are limited. */
export const UNBOUNDED_OUTPUT = 16_384;

/** Most output tokens that a provider's queue expects of a request: few answers come near their bound, and the queue learns the true number. */
const EXPECTED_OUTPUT = 4096;

/** A count of tokens in a provider's usage. */
export const count = z.number().int().nonnegative();

/** What a provider reports of one request. Reasoning is a part of the output. */
export interface ReportedUsage {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  /** null: the provider does not say. */
  reasoning_tokens: number | null;
}

function costOf(
  price: Price,
  { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens }: TokenCounts,
): number {
  const { input, cached_input = input, output, reasoning = output } = price;
  const micros =
    (input_tokens - cached_input_tokens) * input +
    cached_input_tokens * cached_input +
    (output_tokens - reasoning_tokens) * output +
    reasoning_tokens * reasoning;
  return micros / 1_000_000;
}

/** Usage of `llm_calls` requests that reported none: failed ones, or no request yet. */
export const unreportedUsage = (llm_calls: number, price: Price | null): Usage => ({
  llm_calls,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: price ? 0 : null,
});

/**
 * Usage of one answered request. `cost_usd` is null without a price.
 * @param reported null: the server reports none, so it is guessed from the texts
 */
export function pricedUsage(
  reported: ReportedUsage | null,
  price: Price | null,
  { prompt, output, reasoning_tokens }: { prompt: readonly string[]; output: string; reasoning_tokens: number },
): Usage {
  const counted = reported ?? {
    input_tokens: guessedTokens(prompt),
    cached_input_tokens: 0,
    output_tokens: guessedTokens([output]),
    reasoning_tokens: null,
  };
  const tokens = {
    input_tokens: counted.input_tokens,
    cached_input_tokens: Math.min(counted.cached_input_tokens, counted.input_tokens),
    output_tokens: counted.output_tokens,
    reasoning_tokens: Math.min(counted.reasoning_tokens ?? reasoning_tokens, counted.output_tokens),
  };
  return { llm_calls: 1, ...tokens, cost_usd: price && costOf(price, tokens) };
}

/** A guess at four characters per token, for a server that reports no usage. */
export const guessedTokens = (texts: readonly string[]): number =>
  Math.ceil(texts.reduce((length, text) => length + text.length, 0) / 4);

/** Usage before the first request. */
export const NO_USAGE: Usage = unreportedUsage(0, null);

/** The one rule for sums of usage: the cost is the sum of known costs, and null only if no cost is known. */
export const addUsage = (left: Usage, right: Usage): Usage => ({
  llm_calls: left.llm_calls + right.llm_calls,
  input_tokens: left.input_tokens + right.input_tokens,
  cached_input_tokens: left.cached_input_tokens + right.cached_input_tokens,
  output_tokens: left.output_tokens + right.output_tokens,
  reasoning_tokens: left.reasoning_tokens + right.reasoning_tokens,
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
  const tokens = { input_tokens: input, cached_input_tokens: 0, output_tokens: output };
  // Reasoning may cost more than the rest of the output, and all of the output may be reasoning.
  const isDearer = price?.reasoning !== undefined && price.reasoning > price.output;
  return {
    calls: 1,
    tokens: input + output,
    cost_usd: price && costOf(price, { ...tokens, reasoning_tokens: isDearer ? output : 0 }),
  };
}
