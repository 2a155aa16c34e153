import { wrap } from "#workflow-kit/drawing";
import { FAINT, INK, n, picture, text } from "#workflow-kit/picture";
import type { LinePlot } from "./line-plot";
import { bar, BLUE, DARK_COLOURS, GRID, line, mark, named } from "./paint";

const COLUMNS = 4;
const PANEL = 190;
const HEIGHT = 120;
const LEFT = 44;
/** Two lines of a name. */
const TITLE = 38;
const TITLE_LINE = 14;
const BELOW = 22;
const GAP = 16;
/** Bold letters are wider than the estimated ones. */
const BOLD = 0.9;

/** Many series: a small panel for each, all on the same scale, with the lines of the others behind its own. */
export function drawPanels(plot: LinePlot): string {
  const { title, subtitle, description, axis, across, categories, series, reference } = plot;
  const rows = Math.ceil(series.length / COLUMNS);
  const row = TITLE + HEIGHT + BELOW + GAP;
  const width = COLUMNS * (PANEL + LEFT + GAP);
  const panels = series.map((_, index) => {
    const [x, y] = [(index % COLUMNS) * (PANEL + LEFT + GAP) + LEFT, Math.floor(index / COLUMNS) * row];
    return panel(plot, index, x, y + TITLE);
  });
  const bottom = rows * row + 14;
  const words = [
    `Upright: ${axis}. Across: ${across}, ${categories.join(", ")}. Grey: the other variants.`,
    ...(reference ? [`D${reference.words.slice(1)}.`] : []),
  ];
  const notes = words.map((note, index) =>
    text(note, { x: 0, y: bottom + index * 18, width, size: 12, attributes: `fill="${FAINT}"` }),
  );
  const height = bottom + (words.length - 1) * 18;
  return picture({ title, subtitle, description, width, height, dark: DARK_COLOURS }, [...panels, ...notes].join("\n"));
}

function panel({ categories, scale, series, reference }: LinePlot, index: number, left: number, top: number): string {
  const { name, points } = series[index]!;
  const step = PANEL / categories.length;
  const along = (category: number) => left + (category + 0.5) * step;
  const up = (value: number) => top + (1 - scale.place(value)) * HEIGHT;
  const path = (of: LinePlot["series"][number]["points"]) =>
    of.map(({ at, mean }, nth) => `${nth ? "L" : "M"}${n(along(at))} ${n(up(mean))}`).join("");
  const small = (words: string, x: number, y: number, room: number, anchor: string) =>
    text(words, { x, y, width: room, size: 10, attributes: `text-anchor="${anchor}" fill="${FAINT}"` });
  const grid = scale.ticks.map(
    (tick) =>
      line(left, up(tick), left + PANEL, up(tick), GRID) +
      small(scale.label(tick), left - 6, up(tick) + 3.5, LEFT, "end"),
  );
  const ticks = categories.map((category, at) => small(category, along(at), top + HEIGHT + 14, step, "middle"));
  const level = reference
    ? line(
        left,
        up(reference.value),
        left + PANEL,
        up(reference.value),
        INK,
        'stroke-width="1.1" stroke-dasharray="5 4"',
      )
    : "";
  const lines = wrap(name, (PANEL + LEFT) * BOLD, 11).slice(0, 2);
  const others = series
    .filter((_, other) => other !== index)
    .map((other) => `<path d="${path(other.points)}" fill="none" stroke="${GRID}" stroke-width="1.4"/>`);
  return named(
    name,
    [
      ...lines.map((words, nth) =>
        text(words, {
          x: left - LEFT + 6,
          y: top - 9 - (lines.length - 1 - nth) * TITLE_LINE,
          width: PANEL + LEFT,
          size: 11,
          attributes: 'font-weight="bold"',
        }),
      ),
      ...grid,
      ...others,
      level,
      ...points.map(({ at, low, high }) =>
        low === null || high === null ? "" : bar(along(at), up(low), up(high), BLUE),
      ),
      `<path d="${path(points)}" fill="none" stroke="${BLUE}" stroke-width="1.8"/>`,
      ...points.map(({ at, mean }) => mark("disc", along(at), up(mean), BLUE)),
      ...ticks,
    ].join(""),
  );
}
