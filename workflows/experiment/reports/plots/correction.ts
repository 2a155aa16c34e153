import type { Correction, Estimated, Hypotheses, StratumResult } from "../../rules/analysis-types";
import type { Plot } from "../about";
import { drawForest, type ForestRow } from "./forest";
import { figure, interval, linearScale } from "./numbers";
import { GREEN, type Mark, RED } from "./paint";

const CORRECTED = { mark: "disc", colour: GREEN, words: "errors of the baseline that the debate corrects" } as const;
const BROKEN = { mark: "cross", colour: RED, words: "right answers of the baseline that the debate breaks" } as const;

interface Share {
  stratum: string;
  what: "corrected" | "broken";
  share: Estimated | null;
}

const sharesOf = ({ high, low, threshold }: Correction): Share[] => {
  const strata = [
    [`confidence ${figure(threshold)} or more`, high],
    [`confidence below ${figure(threshold)}`, low],
  ] as const satisfies readonly (readonly [string, StratumResult])[];
  return (["corrected", "broken"] as const).flatMap((what) =>
    strata.map(([stratum, result]) => ({ stratum, what, share: result[what] })),
  );
};

/** Most pairs in the drawing; the table has all. */
const MAX_PAIRS = 8;

/** H2: errors corrected against right answers broken, by the baseline's confidence. @returns null without a baseline that states one */
export function correctionPlot({ h2 }: Pick<Hypotheses, "h2">, mark = ""): Plot | null {
  const rows = (h2 ?? []).flatMap((one) =>
    sharesOf(one).map((share) => ({ ...share, pair: `${one.system} against ${one.baseline}` })),
  );
  const known = rows.filter((row): row is typeof row & { share: Estimated } => row.share !== null);
  if (known.length === 0) return null;
  const pairs = [...new Set(known.map(({ pair }) => pair))];
  const drawn = new Set(pairs.slice(0, MAX_PAIRS));
  const left = pairs.length > MAX_PAIRS ? ` The first ${MAX_PAIRS} of ${pairs.length} pairs are drawn.` : "";
  const shares = known
    .map(
      ({ pair, stratum, what, share: { mean, low, high } }) =>
        `${pair}, ${stratum}, ${what}: ${figure(mean)} ${interval(low, high)}.`,
    )
    .join(" ");
  const alt = `${mark}${shares}`;
  return {
    name: "correction",
    title: "Corrected against broken, by the baseline's confidence (H2)",
    alt,
    svg: drawForest({
      title: "Corrected against broken",
      subtitle: `${mark}Of the baseline's errors, the share that the debate corrects; of its right answers, the share that it breaks; with 95 % intervals.${left}`,
      description: alt,
      axis: "share",
      scale: linearScale([0, 1], [0, 1]),
      rows: known.filter(({ pair }) => drawn.has(pair)).map(rowOf),
      reference: null,
      legend: [CORRECTED, BROKEN],
    }),
    table: {
      head: ["Debate", "Stratum", "What", "Items", "Share", "95 % interval"],
      rows: rows.map(({ pair, stratum, what, share }) => [
        pair,
        stratum,
        what,
        String(share?.n ?? 0),
        share ? figure(share.mean) : "none",
        share ? interval(share.low, share.high) : "",
      ]),
    },
  };
}

function rowOf(
  { pair, stratum, what, share: { n, mean, low, high } }: Omit<Share, "share"> & { share: Estimated; pair: string },
  index: number,
  rows: readonly { pair: string }[],
): ForestRow {
  const style: { mark: Mark; colour: string } = what === "corrected" ? CORRECTED : BROKEN;
  return {
    label: `${what}, ${stratum}`,
    mean,
    low,
    high,
    mark: style.mark,
    colour: style.colour,
    words: `${figure(mean)} ${interval(low, high)}, n ${n}`,
    ...(rows[index - 1]?.pair === pair ? {} : { group: pair }),
  };
}
