import { fitted, textWidth } from "#workflow-kit/drawing";
import { FAINT, INK, n, picture, text } from "#workflow-kit/picture";
import type { Scale } from "./numbers";
import { bar, BLUE, DARK_COLOURS, GREEN, leftAxis, line, type Mark, mark, named, RED } from "./paint";
import { spreadOut } from "./spread";

export interface LinePoint {
  /** Place among the categories, from 0. */
  at: number;
  mean: number;
  low: number;
  high: number;
}

export interface LinePlot {
  title: string;
  subtitle: string;
  description: string;
  /** What the categories are, such as `round`. */
  across: string;
  categories: readonly string[];
  /** Title of the upright axis. */
  axis: string;
  scale: Scale;
  series: readonly { name: string; points: readonly LinePoint[] }[];
  /** A level to compare with, and its meaning. */
  reference: { value: number; words: string } | null;
}

const LEFT = 64;
const LEAST_FIELD = 420;
const COLUMN = 110;
const HEIGHT = 320;
const TOP = 26;
const LABEL = 17;
const GAP = 34;
const WIDEST_LABEL = 300;
/** Space between the marks of the series at one category. */
const OFFSET = 13;

const MARKS: readonly Mark[] = ["disc", "square", "up", "ring", "diamond", "hollow_square", "down", "cross"];
const DASHES = ["", "7 4", "2 3", "10 3 2 3"];
const COLOURS = [BLUE, GREEN, RED, INK];

/** Shape, dashes and colour of a series: no two of 32 are alike, and no two of eight have one shape. */
export const styleOf = (index: number) => ({
  mark: MARKS[index % MARKS.length]!,
  dash: DASHES[Math.floor(index / MARKS.length) % DASHES.length]!,
  colour: COLOURS[index % COLOURS.length]!,
});

/** A measure over categories in their order, a line for each series, named at its right end. */
export function drawLines(plot: LinePlot): string {
  const { title, subtitle, description, categories, across, axis, scale, series, reference } = plot;
  const field = Math.max(LEAST_FIELD, categories.length * Math.max(COLUMN, (series.length + 2) * OFFSET));
  const height = Math.max(HEIGHT, series.length * LABEL);
  const step = field / categories.length;
  const box = { x: LEFT, y: TOP, width: field, height };
  const up = (value: number) => TOP + (1 - scale.place(value)) * height;
  const along = (category: number, nth: number) =>
    LEFT + (category + 0.5) * step + (nth - (series.length - 1) / 2) * OFFSET;
  const names = series.map(({ name }) => fitted(name, WIDEST_LABEL, 12));
  const right = Math.max(...names.map((name) => textWidth(name, 12)), 60) + GAP + 12;
  const ends = series.map(({ points }) => up(points.at(-1)!.mean));
  const labels = spreadOut(ends, LABEL, [TOP, TOP + height]);
  const drawn = series.map(({ name, points }, nth) => {
    const { mark: shape, dash, colour } = styleOf(nth);
    const path = points
      .map(({ at, mean }, index) => `${index ? "L" : "M"}${n(along(at, nth))} ${n(up(mean))}`)
      .join("");
    const last = points.at(-1)!;
    const label = text(names[nth]!, { x: LEFT + field + GAP, y: labels[nth]! + 4, width: right, size: 12 });
    const leader = line(
      along(last.at, nth) + 7,
      ends[nth]!,
      LEFT + field + GAP - 16,
      labels[nth]!,
      FAINT,
      'stroke-width="0.8"',
    );
    return named(
      name,
      [
        leader,
        ...points.map(({ at, low, high }) => bar(along(at, nth), up(low), up(high), colour)),
        `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.8"${dash ? ` stroke-dasharray="${dash}"` : ""}/>`,
        ...points.map(({ at, mean }) => mark(shape, along(at, nth), up(mean), colour)),
        mark(shape, LEFT + field + GAP - 9, labels[nth]!, colour),
        label,
      ].join(""),
    );
  });
  const bottom = TOP + height;
  const below = (words: string, x: number, y: number, width: number, fill = FAINT) =>
    text(words, { x, y, width, size: 12, attributes: `text-anchor="middle" fill="${fill}"` });
  const ticks = categories.map((name, at) => below(name, LEFT + (at + 0.5) * step, bottom + 18, step));
  const level =
    reference === null
      ? ""
      : line(
          LEFT,
          up(reference.value),
          LEFT + field,
          up(reference.value),
          INK,
          'stroke-width="1.3" stroke-dasharray="5 4"',
        );
  const note = reference === null ? "" : below(reference.words, LEFT + field / 2, bottom + 58, field + right);
  return picture(
    {
      title,
      subtitle,
      description,
      width: LEFT + field + right,
      height: bottom + (reference ? 60 : 42),
      dark: DARK_COLOURS,
    },
    [
      leftAxis(scale, box, axis),
      level,
      ...ticks,
      below(across, LEFT + field / 2, bottom + 38, field, INK),
      ...drawn,
      note,
    ].join("\n"),
  );
}
