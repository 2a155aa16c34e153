import { fitted, textWidth } from "#workflow-kit/drawing";
import { FAINT, INK, n, picture, text } from "#workflow-kit/picture";
import type { LinePlot } from "./line-plot";
import { bar, BLUE, DARK_COLOURS, GREEN, leftAxis, line, type Mark, mark, named, RED } from "./paint";
import { drawPanels } from "./panels";
import { spreadOut } from "./spread";

const LEFT = 64;
const MIN_FIELD = 420;
const COLUMN = 110;
const HEIGHT = 320;
const TOP = 26;
const LABEL = 17;
const GAP = 34;
const WIDEST_LABEL = 300;
/** Space between the marks of the series at one category. */
const OFFSET = 13;

const MARKS: readonly Mark[] = ["disc", "square", "up", "ring", "diamond", "cross"];
const COLOURS = [BLUE, GREEN, RED, INK];

/** Shape and colour of a series: each has its own shape. */
const styleOf = (index: number) => ({ shape: MARKS[index]!, colour: COLOURS[index % COLOURS.length]! });

/** More series are a thicket in one field. */
const MAX_TOGETHER = 6;

/** A measure over categories in their order: a line for each series, named at its right end; of more than six, a panel for each. */
export const drawLines = (plot: LinePlot): string =>
  plot.series.length > MAX_TOGETHER ? drawPanels(plot) : drawTogether(plot);

function drawTogether(plot: LinePlot): string {
  const { title, subtitle, description, categories, across, axis, scale, series, reference } = plot;
  const field = Math.max(MIN_FIELD, categories.length * Math.max(COLUMN, (series.length + 2) * OFFSET));
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
    const { shape, colour } = styleOf(nth);
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
        ...points.map(({ at, low, high }) =>
          low === null || high === null ? "" : bar(along(at, nth), up(low), up(high), colour),
        ),
        `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.8"/>`,
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
