import type { Analysis } from "../../rules/analysis-types";
import type { Measure } from "../../rules/metrics/metric";
import type { Plot } from "../about";
import { drawForest } from "./forest";
import { counted, extent, figure, interval, linearScale } from "./numbers";
import { BLUE } from "./paint";

/** Means of all variants by one measure, with intervals. @returns null when no variant has the measure */
export function meansPlot(
  { results }: Pick<Analysis, "results">,
  { name, range, higher_is_better }: Measure,
  mark = "",
): Plot | null {
  const shown = results.filter(({ measure }) => measure === name);
  if (shown.length === 0) return null;
  const better = higher_is_better ? "Higher is better." : "Lower is better.";
  const alt = `${mark}${better} ${shown.map(({ variant, mean, low, high, n }) => `${variant}: ${figure(mean)} ${interval(low, high)}, ${counted(n, "item")}.`).join(" ")}`;
  return {
    name: `means-${slug(name)}`,
    title: `Means: ${name}`,
    alt,
    svg: drawForest({
      title: `Mean ${name}`,
      subtitle: `${mark}Mean over items with its 95 % interval. ${better}`,
      description: alt,
      axis: name,
      scale: linearScale(extent(shown), range),
      rows: shown.map(({ variant, mean, low, high, n }) => ({
        label: variant,
        mean,
        low,
        high,
        mark: "disc",
        colour: BLUE,
        words: `${figure(mean)} ${interval(low, high)}, n ${n}`,
      })),
      reference: null,
      legend: [],
    }),
    table: {
      head: ["Variant", "Items", "Mean", "95 % interval", "Failed, counted as worst", "Without a value"],
      rows: shown.map(({ variant, n, mean, low, high, failed, without_value }) => [
        variant,
        String(n),
        figure(mean),
        interval(low, high),
        String(failed),
        String(without_value),
      ]),
    },
  };
}

/** A name for a document: letters, digits and `-`. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/gu, "");
