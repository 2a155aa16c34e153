import { textWidth, wrap } from "#workflow-kit/drawing";
import { FAINT, INK, picture, text } from "#workflow-kit/picture";
import type { Scale } from "./numbers";
import { bottomAxis, DARK_COLOURS, GRID, line, type Mark, mark, named, whisker } from "./paint";

/** A row: a name, a point with its interval, and the numbers in words at the right. */
export interface ForestRow {
  label: string;
  mean: number;
  /** null, as `high`: no interval. */
  low: number | null;
  high: number | null;
  mark: Mark;
  colour: string;
  words: string;
  /** Heading above this row; absent: it belongs with the row before. */
  group?: string;
}

export interface Forest {
  title: string;
  subtitle: string;
  description: string;
  axis: string;
  scale: Scale;
  rows: readonly ForestRow[];
  /** Value of the upright line to which rows are compared; null: none. */
  reference: number | null;
  legend: readonly { mark: Mark; colour: string; words: string }[];
}

const FIELD = 420;
const LINE = 16;
const PADDING = 14;
const WIDEST_LABEL = 340;
const GAP = 16;
const SIZE = 13;
const GROUP = 30;
const AXIS = 52;
const LEGEND_LINE = 20;

/** Means or differences, one below the other, each with its interval. */
export function drawForest({ title, subtitle, description, axis, scale, rows, reference, legend }: Forest): string {
  const labels = rows.map(({ label }) => wrap(label, WIDEST_LABEL, SIZE));
  const left = Math.max(120, ...labels.flat().map((one) => Math.ceil(textWidth(one, SIZE)))) + GAP;
  const right = Math.max(...rows.map(({ words }) => Math.ceil(textWidth(words, 12)))) + GAP;
  const width = left + FIELD + right;
  const at = (value: number) => left + scale.place(value) * FIELD;
  let y = 4;
  const placed = rows.map((row, index) => {
    const top = row.group === undefined ? y : y + GROUP;
    const height = labels[index]!.length * LINE + PADDING;
    y = top + height;
    return { row, lines: labels[index]!, top, middle: top + height / 2 };
  });
  const bottom = y + 4;
  const drawn = placed.map(({ row, lines, top, middle }, index) => {
    const name = lines.map((words, nth) =>
      text(words, {
        x: left - GAP,
        y: middle + 4.5 + (nth - (lines.length - 1) / 2) * LINE,
        width: left,
        attributes: 'text-anchor="end"',
      }),
    );
    const heading =
      row.group === undefined
        ? ""
        : text(row.group, { x: 0, y: top - 8, width: left + FIELD, attributes: 'font-weight="bold"' });
    const rule = index > 0 && row.group === undefined ? line(0, top, width, top, GRID, 'stroke-dasharray="1 3"') : "";
    const numbers = text(row.words, { x: left + FIELD + GAP, y: middle + 4.5, width: right, size: 12 });
    const point =
      (row.low === null || row.high === null ? "" : whisker(at(row.low), at(row.high), middle, row.colour)) +
      mark(row.mark, at(row.mean), middle, row.colour);
    return named(`${row.label}: ${row.words}`, [rule, heading, ...name, point, numbers].join(""));
  });
  const field = { x: left, y: 0, width: FIELD, height: bottom };
  const upright =
    reference === null
      ? ""
      : line(at(reference), 0, at(reference), bottom, INK, 'stroke-width="1.5" stroke-dasharray="5 4"');
  const legendTop = bottom + AXIS + 14;
  const explained = legend.map(
    (entry, index) =>
      mark(entry.mark, left + 6, legendTop + index * LEGEND_LINE - 4, entry.colour) +
      text(entry.words, {
        x: left + 20,
        y: legendTop + index * LEGEND_LINE,
        width: FIELD + right - 20,
        size: 12,
        attributes: `fill="${FAINT}"`,
      }),
  );
  const height = bottom + AXIS + legend.length * LEGEND_LINE;
  return picture(
    { title, subtitle, description, width, height, dark: DARK_COLOURS },
    [bottomAxis(scale, field, axis), upright, ...drawn, ...explained].join("\n"),
  );
}
