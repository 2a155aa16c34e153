import type { Analysis } from "../../rules/analysis-types";
import type { Plot } from "../about";
import { drawLines } from "./lines";
import { extent, figure, interval, linearScale } from "./numbers";

const MEASURE = /^precision_at\.(\d+|all)$/u;

/** N of a measure of precision at N; null: it is another one. `Infinity`: all. */
export const precisionAt = (measure: string): number | null => {
  const [, at] = MEASURE.exec(measure) ?? [];
  return at === undefined ? null : at === "all" ? Infinity : Number(at);
};

const nameOf = (at: number): string => (at === Infinity ? "all" : String(at));

/** Precision at N: share of the N best ideas that are the variant's. @returns null when no variant has it */
export function precisionPlot({ results }: Pick<Analysis, "results">, mark = ""): Plot | null {
  const found = results.flatMap((result) => {
    const at = precisionAt(result.measure);
    return at === null ? [] : [{ ...result, at }];
  });
  if (found.length === 0) return null;
  const places = [...new Set(found.map(({ at }) => at))].toSorted((one, other) => one - other);
  const groups = [...Map.groupBy(found, ({ variant }) => variant)].map(
    ([variant, points]) => [variant, points.toSorted((one, other) => one.at - other.at)] as const,
  );
  const shares = groups
    .map(
      ([variant, points]) =>
        `${variant}: ${points.map(({ at, mean }) => `${figure(mean)} at ${nameOf(at)}`).join(", ")}.`,
    )
    .join(" ");
  const alt = `${mark}${shares}`;
  return {
    name: "precision-at",
    title: "Precision at N",
    alt,
    svg: drawLines({
      title: "Precision at N",
      subtitle: `${mark}Share of the N best ideas that are of the first configuration, with its 95 % interval over topics.`,
      description: alt,
      across: "N best ideas",
      categories: places.map(nameOf),
      axis: "precision",
      scale: linearScale([0.5, ...extent(found)], [0, 1]),
      series: groups.map(([name, points]) => ({
        name,
        points: points.map(({ at, mean, low, high }) => ({ at: places.indexOf(at), mean, low, high })),
      })),
      reference: { value: 0.5, words: "dashed line: 0.5, both configurations are equal" },
    }),
    table: {
      head: ["Variant", ...places.map((at) => `At ${nameOf(at)}`)],
      rows: groups.map(([variant, points]) => [
        variant,
        ...places.map((at) => {
          const point = points.find((one) => one.at === at);
          return point ? `${figure(point.mean)} ${interval(point.low, point.high)}` : "";
        }),
      ]),
    },
  };
}
