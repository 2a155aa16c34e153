import type { Manifest, Usage } from "../lib/sdk.ts";
import { number, table } from "./markdown.ts";

/** The table "what a run costs": steps, calls and tokens by action, from a run's manifest and its usage. */
export function costTable({ usage_by_action }: Pick<Manifest, "usage_by_action">, total: Usage) {
  const row = (
    name: string,
    steps: string,
    { llm_calls, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens }: Omit<Usage, "cost_usd">,
  ) => [
    name,
    steps,
    number(llm_calls),
    number(input_tokens),
    number(cached_input_tokens),
    number(output_tokens),
    number(reasoning_tokens),
  ];
  return table(
    ["Action", "Steps:", "Calls:", "Tokens in:", "of these cached:", "Tokens out:", "of these reasoning:"],
    [
      ...usage_by_action.map(({ action, steps, usage }) => row(`\`${action}\``, number(steps), usage)),
      row("**The run**", number(usage_by_action.reduce((sum, { steps }) => sum + steps, 0)), total),
    ],
  );
}
