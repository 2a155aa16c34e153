import type { Analysis, AnalysisInput, ComparisonResult, Front } from "../rules/analysis-types";
import type { Measure } from "../rules/metrics/metric";
import { verdictIn } from "./plots/differences";
import { counted, dollars, figure, interval, signed, times, whole } from "./plots/numbers";
import { plottedMeasures } from "./plots/index";

/** Most comparisons that a sentence names. */
const MAX_NAMED = 3;

const code = (name: string): string => `\`${name}\``;

/** The findings of the experiment, in three sentences of Markdown: who is better, what stays open, what it costs. */
export function answerOf(input: AnalysisInput, analysis: Analysis): string {
  const [measure] = plottedMeasures(input, analysis);
  if (!measure) return "No trial has a score, so nothing can be said.";
  const shown = analysis.comparisons.filter((one) => one.measure === measure.name);
  const sentences = [decided(shown, measure, analysis), undecided(shown), price(shown, measure.name, analysis)];
  return sentences.filter((sentence) => sentence !== null).join(" ");
}

function decided(shown: readonly ComparisonResult[], measure: Measure, analysis: Analysis): string {
  const found = shown.filter(({ verdict }) => verdict !== "inconclusive");
  if (shown.length === 0) return alone(measure, analysis);
  if (found.length === 0) return `The data are inconclusive about ${code(measure.name)}: ${nothing(shown)}.`;
  const strongest = found
    .toSorted(
      (one, other) => one.p_adjusted - other.p_adjusted || Math.abs(other.difference) - Math.abs(one.difference),
    )
    .slice(0, MAX_NAMED);
  const named = strongest.map(
    (one) =>
      `${code(one.system)} is ${one.verdict} than ${code(one.baseline)}, by ${signed(one.difference)} ${interval(one.low, one.high)} over ${counted(one.n, "item")}${costs(one, analysis)}`,
  );
  const more =
    found.length > strongest.length ? `; ${found.length - strongest.length} more comparisons are decided` : "";
  return `In ${code(measure.name)}, ${named.join("; ")}${more}.`;
}

/** Without a comparison, the means. */
function alone({ name }: Measure, { results }: Analysis): string {
  const means = results
    .filter(({ measure }) => measure === name)
    .map(
      ({ variant, mean, low, high, n }) =>
        `${code(variant)} has ${figure(mean)} ${interval(low, high)} over ${counted(n, "item")}`,
    );
  return `In ${code(name)}, ${means.join(", ")}; nothing is compared.`;
}

const nothing = (shown: readonly ComparisonResult[]): string => {
  if (shown.every(({ differing }) => differing === 0))
    return `no item differs in ${shown.length === 1 ? "the comparison" : `any of ${shown.length} comparisons`}`;
  const widest = shown.toSorted((one, other) => Math.abs(other.difference) - Math.abs(one.difference))[0]!;
  const rest = shown.length > 1 ? `the largest of ${shown.length} differences, ` : "the difference, ";
  return `${rest}${code(widest.system)} minus ${code(widest.baseline)}, is ${signed(widest.difference)} ${interval(widest.low, widest.high)} over ${counted(widest.n, "item")}; ${verdictIn(widest)}`;
};

/** The cost of a system in multiples of its baseline's. */
function costs({ system, baseline }: ComparisonResult, { effort }: Analysis): string {
  const [one, other] = [system, baseline].map((name) => effort.find(({ variant }) => variant === name));
  if (!one || !other) return "";
  if (one.cost_usd !== null && other.cost_usd !== null && other.cost_usd > 0)
    return `, at ${times(one.cost_usd / other.cost_usd)} times the cost (${dollars(one.cost_usd)} against ${dollars(other.cost_usd)} a trial)`;
  return other.tokens > 0 ? `, with ${times(one.tokens / other.tokens)} times the tokens` : "";
}

/** How many items an undecided difference would need. */
function undecided(shown: readonly ComparisonResult[]): string | null {
  const open = shown.filter(({ verdict }) => verdict === "inconclusive");
  if (open.length === 0) return null;
  const sized = open.filter((one) => one.items_needed !== null);
  if (sized.length === 0) return null;
  const named = sized
    .toSorted((one, other) => one.items_needed! - other.items_needed!)
    .slice(0, MAX_NAMED)
    .map((one) => `about ${whole(one.items_needed!)} for ${code(one.system)} against ${code(one.baseline)}`);
  const left = open.length === shown.length ? "To decide" : "To decide what is open,";
  return `${left} a difference as large as the one seen would take more items, by estimate ${named.join(", ")}.`;
}

/** Costs of the variants; it says which are worth their cost only where every comparison is decided. */
function price(
  shown: readonly ComparisonResult[],
  measure: string,
  { fronts, effort, results }: Analysis,
): string | null {
  const front = fronts.find((one) => one.measure === measure);
  if (!front) {
    const [one] = effort;
    return one && results.length > 0
      ? `A trial takes ${whole(one.tokens)} tokens${one.cost_usd ? ` and costs ${dollars(one.cost_usd)}` : ""}.`
      : null;
  }
  const compared = new Set(shown.flatMap(({ system, baseline }) => [system, baseline]));
  const isDecided = ({ verdict }: ComparisonResult) => verdict !== "inconclusive";
  if (!shown.every(isDecided) || front.points.some(({ variant }) => !compared.has(variant))) return prices(front);
  const best = front.points.filter(({ on_front }) => on_front).toSorted((one, other) => one.cost - other.cost);
  const each = best.map(
    ({ variant, cost, score }) => `${code(variant)} (${figure(score)} for ${priceIn(front, cost)})`,
  );
  return best.length === 1
    ? `By the means, no other variant is as cheap and as good as ${each[0]!}.`
    : `By the means, no other variant is as cheap and as good as one of ${each.join(", ")}.`;
}

/** The prices alone: which scores differ is open. */
function prices(front: Front): string {
  const [cheapest, ...others] = front.points.toSorted((one, other) => one.cost - other.cost);
  const multiples = others.map(({ variant, cost }) =>
    cheapest!.cost > 0
      ? `${code(variant)} ${times(cost / cheapest!.cost)} times as much`
      : priceOf(front, variant, cost),
  );
  return `Whatever the scores are worth, the cheapest is ${priceOf(front, cheapest!.variant, cheapest!.cost)}; ${multiples.join(", ")}.`;
}

const priceOf = (front: Front, variant: string, cost: number): string => `${code(variant)} at ${priceIn(front, cost)}`;

const priceIn = ({ cost_of }: Front, cost: number): string =>
  cost_of === "cost_usd" ? `${dollars(cost)} a trial` : `${whole(cost)} tokens a trial`;
