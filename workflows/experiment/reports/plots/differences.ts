import { INK } from "#workflow-kit/picture";
import { parityOf } from "../../rules/comparisons";
import type { Analysis, ComparisonResult, Undecided, Verdict } from "../../rules/analysis-types";
import type { Measure } from "../../rules/metrics/metric";
import type { Plot } from "../about";
import { drawForest } from "./forest";
import { slug } from "./means";
import { extent, figure, interval, linearScale, signed, whole } from "./numbers";
import { GREEN, type Mark, RED } from "./paint";

const STYLE: Readonly<Record<Verdict, { mark: Mark; colour: string; words: string }>> = {
  better: { mark: "up", colour: GREEN, words: "better than the baseline" },
  worse: { mark: "down", colour: RED, words: "worse than the baseline" },
  inconclusive: { mark: "ring", colour: INK, words: "inconclusive" },
};

const BECAUSE: Readonly<Record<Undecided, string>> = {
  few_items_differ: "too few items differ",
  interval_holds_zero: "the interval holds 0",
  p_adjusted: "adjusted p of 0.05 or more",
};

export const verdictIn = ({ verdict, because }: Pick<ComparisonResult, "verdict" | "because">): string =>
  because === null ? verdict : `inconclusive (${BECAUSE[because]})`;

export const pIn = (p: number): string => (p < 0.001 ? "< 0.001" : p.toFixed(3));

export const COMPARISON_HEAD = [
  "System",
  "Baseline",
  "Items",
  "Differ",
  "Difference",
  "95 % interval",
  "p",
  "Adjusted p",
  "Verdict",
  "Items needed (estimate)",
];

/** Paired differences of all compared pairs by one measure. @returns null when none is compared */
export function differencesPlot(
  { comparisons }: Pick<Analysis, "comparisons">,
  measure: Measure,
  mark = "",
): Plot | null {
  const { name, higher_is_better, against } = measure;
  const shown = comparisons.filter((one) => one.measure === name);
  if (shown.length === 0) return null;
  const verdicts = (["better", "worse", "inconclusive"] as const).filter((verdict) =>
    shown.some((one) => one.verdict === verdict),
  );
  const side = higher_is_better ? "Right of 0 the first is better." : "Left of 0 the first is better.";
  const of =
    against === undefined
      ? "Mean difference over the items that both have"
      : `Mean score against ${against} minus ${figure(parityOf(measure)!)}, at which both are equal`;
  const alt = shown
    .map(
      (one) =>
        `${one.system} minus ${one.baseline}: ${signed(one.difference)} ${interval(one.low, one.high)}, ${verdictIn(one)}.`,
    )
    .join(" ");
  return {
    name: `differences-${slug(name)}`,
    title: `Paired differences: ${name}`,
    alt: `${mark}${of}. ${side} ${alt}`,
    svg: drawForest({
      title: `Differences in ${name}`,
      subtitle: `${mark}${of}, with its 95 % interval. ${side}`,
      description: `${mark}${of}. ${side} ${alt}`,
      axis: `difference in ${name}`,
      scale: linearScale([0, ...extent(shown.map(({ difference: mean, low, high }) => ({ mean, low, high })))]),
      rows: shown.map(({ system, baseline, difference, low, high, p_adjusted, verdict, because }) => ({
        label: `${system} \u2212 ${baseline}`,
        mean: difference,
        low,
        high,
        ...STYLE[verdict],
        words: `${signed(difference)} ${interval(low, high)}, adjusted p ${pIn(p_adjusted)}${because === "few_items_differ" ? `, ${BECAUSE[because]}` : ""}`,
      })),
      reference: 0,
      legend: verdicts.map((verdict) => STYLE[verdict]),
    }),
    table: {
      head: COMPARISON_HEAD,
      rows: shown.map(comparisonRow),
    },
  };
}

/** A comparison as a row under `COMPARISON_HEAD`. */
export const comparisonRow = (one: ComparisonResult): string[] => [
  one.system,
  one.baseline,
  String(one.n),
  String(one.differing),
  signed(one.difference),
  interval(one.low, one.high),
  pIn(one.p),
  pIn(one.p_adjusted),
  verdictIn(one),
  one.items_needed === null || one.because === null ? "" : `about ${whole(one.items_needed)}`,
];
