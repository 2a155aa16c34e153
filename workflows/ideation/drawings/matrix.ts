import type { Measure } from "../artifacts";
import { FAINT, n, picture, text } from "./svg";

/** More cells a side than this are put together in blocks; a block shows its most alike pair. */
const MOST_CELLS = 80;
const SIDE = 640;
const LABELS = 260;
/** Labels beside the rows, as long as there is room for them. */
const MOST_LABELS = 40;

/** Steps of colour, from unlike to the same. */
const COLOURS = [
  "#f8fafc",
  "#e6eef7",
  "#cfdff0",
  "#b0cbe6",
  "#8db3da",
  "#6798cc",
  "#457cb8",
  "#2d609c",
  "#1d477c",
  "#12305a",
];

const level = (similarity: number): number =>
  Math.max(0, Math.min(COLOURS.length - 1, Math.floor(similarity * COLOURS.length)));

type Similarity = (one: number, other: number) => number;

/**
 * How alike ideas are, two by two, darker the more; what lies above the threshold is framed in red, as long as a square is one pair.
 * @param all how many ideas there are, of which the first are drawn
 */
export function drawMatrix(
  topic: string,
  ideas: readonly { id: string; name: string }[],
  similarity: Similarity,
  measure: Measure,
  all = ideas.length,
): string {
  const block = Math.ceil(ideas.length / MOST_CELLS) || 1;
  const count = Math.ceil(ideas.length / block);
  const size = Math.min(34, SIDE / Math.max(count, 1));
  const levels = COLOURS.map((): string[] => []);
  const framed: string[] = [];
  for (let row = 0; row < count; row++) {
    for (let column = 0; column <= row; column++) {
      const most = mostAlike(row, column, block, ideas.length, similarity);
      for (const [x, y] of row === column
        ? [[row, row]]
        : [
            [column, row],
            [row, column],
          ]) {
        const square = `M${n(x! * size)} ${n(y! * size)}h${n(size)}v${n(size)}h${n(-size)}z`;
        levels[most === null ? COLOURS.length - 1 : level(most)]!.push(square);
        if (block === 1 && most !== null && most > measure.threshold) framed.push(square);
      }
    }
  }
  const labelled = ideas.length <= MOST_LABELS;
  const labels = labelled
    ? ideas.map(({ id, name }, row) =>
        text(`${id} ${name}`, { x: count * size + 10, y: (row + 0.5) * size + 4, width: LABELS - 10, size: 11 }),
      )
    : [];
  const width = Math.max(count * size + (labelled ? LABELS : 0), 760);
  const height = count * size + 48;
  return picture(
    {
      title: `How alike ${all} ideas are`,
      subtitle: `${measure.model}, threshold ${measure.threshold}.${all > ideas.length ? ` The first ${ideas.length} are shown.` : ""} Topic: ${topic}`,
      width,
      height,
    },
    [
      ...levels.flatMap((squares, at) =>
        squares.length ? [`<path d="${squares.join("")}" fill="${COLOURS[at]}"/>`] : [],
      ),
      framed.length ? `<path d="${framed.join("")}" fill="none" stroke="#b23b3b" stroke-width="1.6"/>` : "",
      ...labels,
      legend(height - 22, block),
    ].join("\n"),
  );
}

/** null: a square of one idea with itself. */
function mostAlike(row: number, column: number, block: number, count: number, similarity: Similarity): number | null {
  let most: number | null = null;
  for (let one = row * block; one < Math.min((row + 1) * block, count); one++) {
    for (let other = column * block; other < Math.min((column + 1) * block, one); other++)
      most = Math.max(most ?? -1, similarity(other, one));
  }
  return most;
}

const legend = (y: number, block: number): string =>
  [
    text("0", { x: 0, y: y + 11, width: 20, size: 11, attributes: `fill="${FAINT}"` }),
    ...COLOURS.map((colour, at) => `<rect x="${12 + at * 18}" y="${n(y)}" width="18" height="14" fill="${colour}"/>`),
    text("1", { x: 18 + COLOURS.length * 18, y: y + 11, width: 20, size: 11, attributes: `fill="${FAINT}"` }),
    text(block === 1 ? "framed: above the threshold" : `each square: the most alike of ${block} by ${block} ideas`, {
      x: 40 + COLOURS.length * 18,
      y: y + 11,
      width: 400,
      size: 11,
      attributes: `fill="#b23b3b"`,
    }),
  ].join("");
