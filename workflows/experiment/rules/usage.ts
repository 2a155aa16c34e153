import type { TrialResult } from "./trials";

type Usage = TrialResult["usage"];

const sum = (values: readonly number[]): number => values.reduce((before, value) => before + value, 0);

/** The usage of trials together; its cost is null where no trial has a known one. */
function total(usages: readonly Usage[]): Usage {
  // Trials of experiments that began before reasoning was counted have no such count.
  const of = (part: Exclude<keyof Usage, "cost_usd">) => sum(usages.map((usage) => usage[part] ?? 0));
  const costs = usages.flatMap(({ cost_usd }) => cost_usd ?? []);
  return {
    llm_calls: of("llm_calls"),
    input_tokens: of("input_tokens"),
    cached_input_tokens: of("cached_input_tokens"),
    output_tokens: of("output_tokens"),
    reasoning_tokens: of("reasoning_tokens"),
    cost_usd: costs.length > 0 ? sum(costs) : null,
  };
}

/** What the trials of each variant used: those that this run paid, and those that earlier experiments paid. */
export const usageByVariant = (
  variants: readonly { name: string }[],
  results: readonly TrialResult[],
): { variant: string; paid: Usage; reused: Usage }[] =>
  variants.map(({ name }) => {
    const own = results.filter(({ variant }) => variant === name);
    const usages = (reused: boolean) => own.filter((one) => one.reused === reused).map(({ usage }) => usage);
    return { variant: name, paid: total(usages(false)), reused: total(usages(true)) };
  });
