import type { Estimated, Hypotheses } from "../../rules/analysis-types";
import type { Plot } from "../about";
import { drawLines } from "./lines";
import { figure, interval, linearScale, signed } from "./numbers";

type Within = NonNullable<Hypotheses["h3"]>["within"];

/** H3: accuracy after each round of a debate. @returns null when no debate tells its answers by round */
export function roundsPlot({ h3 }: Hypotheses): Plot | null {
  const within = h3?.within ?? [];
  if (within.length === 0) return null;
  const groups = [...Map.groupBy(within, ({ variant }) => variant)];
  const rounds = Math.max(...within.map(({ round }) => round));
  const alt = groups
    .map(
      ([variant, points]) =>
        `${variant}: ${points.map(({ round, mean }) => `round ${round} ${figure(mean)}`).join(", ")}.`,
    )
    .join(" ");
  return {
    name: "rounds",
    title: "Right answers after each round (H3)",
    alt,
    svg: drawLines({
      title: "Right answers after each round",
      subtitle:
        "Share of items whose answer after the round is right, with its 95 % interval. A debate that ended early keeps its last answer.",
      description: alt,
      across: "round",
      categories: Array.from({ length: rounds }, (_, index) => String(index + 1)),
      axis: "share of right answers",
      scale: linearScale(
        within.flatMap(({ mean, low, high }) => [mean, low, high]),
        [0, 1],
      ),
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
