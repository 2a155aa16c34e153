import { number, table } from "./markdown.mjs";

/** The table "what a run costs": acts, calls and tokens by action, from a run's manifest and its usage. */
export function costTable({ usage_by_action }, total) {
  const row = (name, acts, { llm_calls, input_tokens, cached_input_tokens, output_tokens }) => [
    name,
    acts,
    number(llm_calls),
    number(input_tokens),
    number(cached_input_tokens),
    number(output_tokens),
  ];
  return table(
    ["Action", "Acts:", "Calls:", "Tokens in:", "of these cached:", "Tokens out:"],
    [
      ...usage_by_action.map(({ action, acts, usage }) => row(`\`${action}\``, number(acts), usage)),
      row("**The run**", number(usage_by_action.reduce((sum, { acts }) => sum + acts, 0)), total),
    ],
  );
}
