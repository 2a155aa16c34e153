import type { AnalysedVariant, Estimated, Hypotheses } from "../../rules/analysis-types";
import type { Measure } from "../../rules/metrics/metric";
import type { Plot } from "../about";
import { drawLines } from "./lines";
import { slug } from "./means";
import { extent, figure, interval, linearScale, signed } from "./numbers";

type Within = NonNullable<Hypotheses["h3"]>["within"];

/** H3: accuracy after each round of a debate. @returns null when no debate tells its answers by round */
export function roundsPlot({ h3 }: Pick<Hypotheses, "h3">, mark = ""): Plot | null {
  const within = h3?.within ?? [];
  if (within.length === 0) return null;
  const groups = [...Map.groupBy(within, ({ variant }) => variant)];
  const rounds = Math.max(...within.map(({ round }) => round));
  const shares = groups
    .map(
      ([variant, points]) =>
        `${variant}: ${points.map(({ round, mean }) => `round ${round} ${figure(mean)}`).join(", ")}.`,
    )
    .join(" ");
  const alt = `${mark}${shares}`;
  return {
    name: "rounds",
    title: "Right answers after each round (H3)",
    alt,
    svg: drawLines({
      title: "Right answers after each round",
      subtitle: `${mark}Share of items whose answer after the round is right, with its 95 % interval. A debate that ended early keeps its last answer.`,
      description: alt,
      across: "round",
      categories: Array.from({ length: rounds }, (_, index) => String(index + 1)),
      axis: "share of right answers",
      scale: linearScale(extent(within), [0, 1]),
      series: groups.map(([name, points]) => ({
        name,
        points: points.map(({ round, mean, low, high }) => ({ at: round - 1, mean, low, high })),
      })),
      reference: null,
    }),
    table: {
      head: ["Variant", "Round", "Items", "Right", "95 % interval", "Gain over the round before"],
      rows: rowsOf(within),
    },
  };
}

const gainIn = (gain: Estimated | null): string =>
  gain ? `${signed(gain.mean)} ${interval(gain.low, gain.high)}` : "";

const rowsOf = (within: Within): string[][] =>
  within.map(({ variant, round, n, mean, low, high, gain }) => [
    variant,
    String(round),
    String(n),
    figure(mean),
    interval(low, high),
    gainIn(gain),
  ]);

/** H3: a measure by the rounds of the variants; those that are alike otherwise make a line. @returns null when no two rounds differ */
export function acrossPlot(
  { h3 }: Pick<Hypotheses, "h3">,
  variants: readonly AnalysedVariant[],
  { name, range }: Measure,
  mark = "",
): Plot | null {
  const points = (h3?.across ?? []).filter(({ measure }) => measure === name);
  const places = [...new Set(points.map(({ rounds }) => rounds))].toSorted((one, other) => one - other);
  if (places.length < 2) return null;
  const of = new Map(variants.map((variant) => [variant.name, likeness(variant)]));
  const groups = [...Map.groupBy(points, ({ variant }) => of.get(variant)!).values()];
  const alt = `${mark}${points.map(({ variant, rounds, mean }) => `${variant}, ${rounds} rounds: ${figure(mean)}.`).join(" ")}`;
  return {
    name: `rounds-${slug(name)}`,
    title: `By number of rounds: ${name} (H3)`,
    alt,
    svg: drawLines({
      title: `${name} by number of rounds`,
      subtitle: `${mark}Mean over items with its 95 % interval. Variants that differ in their rounds alone make a line.`,
      description: alt,
      across: "rounds",
      categories: places.map(String),
      axis: name,
      scale: linearScale(extent(points), range),
      series: groups.map((group) => ({
        name: group.map(({ variant }) => variant).join(", "),
        points: group.map(({ rounds, mean, low, high }) => ({ at: places.indexOf(rounds), mean, low, high })),
      })),
      reference: null,
    }),
    table: {
      head: ["Variant", "Rounds", "Items", "Mean", "95 % interval"],
      rows: points.map(({ variant, rounds, n, mean, low, high }) => [
        variant,
        String(rounds),
        String(n),
        figure(mean),
        interval(low, high),
      ]),
    },
  };
}

/** What a variant is besides its rounds. */
const likeness = ({ workflow, profile, model, options: { rounds: _, ...options } }: AnalysedVariant): string =>
  JSON.stringify([
    workflow,
    profile,
    model,
    Object.entries(options).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
