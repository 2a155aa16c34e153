import type { Usage } from "#llm";

/** The usage columns of a row. */
export const usageOf = ({
  llm_calls,
  input_tokens,
  cached_input_tokens,
  output_tokens,
  reasoning_tokens,
  cost_usd,
}: Usage): Usage => ({
  llm_calls,
  input_tokens,
  cached_input_tokens,
  output_tokens,
  reasoning_tokens,
  cost_usd,
});
