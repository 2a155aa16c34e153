import type { Analysis, Front } from "../../rules/analysis-types";
import type { Measure } from "../../rules/metrics/metric";
import type { Plot } from "../about";
import { slug } from "./means";
import { dollars, extent, figure, interval, linearScale, logScale, type Scale, whole } from "./numbers";
import { drawScatter } from "./scatter";

/** From this ratio of the largest cost to the smallest, costs stand on a logarithmic scale. */
const LOGARITHMIC = 8;

/** Score against cost. @returns null when there is nothing to compare */
export function frontPlot(
  { fronts, results }: Pick<Analysis, "fronts" | "results">,
  measure: Measure,
  mark = "",
): Plot | null {
  const front = fronts.find((one) => one.measure === measure.name);
  if (!front) return null;
  const { name, range, higher_is_better } = measure;
  const costIn = front.cost_of === "cost_usd" ? dollars : whole;
  const unit = front.cost_of === "cost_usd" ? "cost of a trial, US dollars" : "tokens of a trial";
  const interval_of = new Map(
    results.filter((one) => one.measure === name).map(({ variant, low, high }) => [variant, { low, high }]),
  );
  const points = front.points.map(({ variant, cost, score, on_front }) => ({
    name: variant,
    x: cost,
    y: score,
    ...interval_of.get(variant)!,
    on_front,
  }));
  const best = points.filter(({ on_front }) => on_front).map((point) => point.name);
  const alt = `${mark}On the Pareto front: ${best.join(", ")}. ${points.map((point) => `${point.name}: ${figure(point.y)} at ${costIn(point.x)}.`).join(" ")}`;
  return {
    name: `cost-${slug(name)}`,
    title: `Score against cost: ${name}`,
    alt,
    svg: drawScatter({
      title: `${name} against ${front.cost_of === "cost_usd" ? "cost" : "tokens"}`,
      subtitle: `${mark}Mean of a trial, with the 95 % interval of the score. ${higher_is_better ? "Top left is best." : "Bottom left is best."}`,
      description: alt,
      across: { scale: costScale(front, costIn), title: unit },
      up: {
        scale: linearScale(extent(points.map(({ y: mean, low, high }) => ({ mean, low, high }))), range),
        title: name,
      },
      higher_is_better,
      points,
    }),
    table: {
      head: [
        "Variant",
        "Mean",
        "95 % interval",
        front.cost_of === "cost_usd" ? "Cost of a trial" : "Tokens of a trial",
        "Pareto front",
      ],
      rows: points.map((point) => [
        point.name,
        figure(point.y),
        interval(point.low, point.high),
        costIn(point.x),
        point.on_front ? "yes" : "no",
      ]),
    },
  };
}

function costScale({ points }: Front, label: (cost: number) => string): Scale {
  const costs = points.map(({ cost }) => cost);
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  if (least > 0 && most / least >= LOGARITHMIC) return logScale(costs, label);
  return { ...linearScale(least < most / 2 ? [0, ...costs] : costs, [0, null]), label };
}
