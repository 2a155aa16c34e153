import type { Measure } from "../../artifacts";
import { ClosestPairs } from "../../rules/deduplication";
import { FAINT, INK, n, picture, text } from "#workflow-kit/picture";
import { DARK_COLOURS } from "./dark";

/** Most cells per side: more ideas share cells in blocks, which show their most similar pair. */
const MAX_CELLS = 80;
const SIDE = 640;
/** Least size of a square that shows its number. */
const NUMBERED = 26;
/** Width of a step in the colour bar. */
const STEP = 26;
const LEGEND = 74;
/** Number of the most similar pairs that the caption names. */
const PAIRS_NAMED = 3;
const LABELS = 260;
/** Least width, for title and legend. */
const NARROWEST = 760;
/** Most ideas with labels beside the rows. */
const MAX_LABELS = 40;

/** Colours by similarity, from 0 to 1. */
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

const RED = "#b23b3b";

const level = (similarity: number): number =>
  Math.max(0, Math.min(COLOURS.length - 1, Math.floor(similarity * COLOURS.length)));

type Similarity = (one: number, other: number) => number;

/**
 * The pairwise similarities of ideas, darker for higher ones. Pairs above the threshold have a red frame, unless squares are blocks.
 * @param all number of all ideas, of which the first are drawn
 */
export function drawMatrix(
  topic: string,
  ideas: readonly { id: string; name: string }[],
  similarity: Similarity,
  measure: Measure,
  all = ideas.length,
): string {
  const block = Math.ceil(ideas.length / MAX_CELLS) || 1;
  const count = Math.ceil(ideas.length / block);
  const size = Math.min(34, SIDE / Math.max(count, 1));
  const levels = COLOURS.map((): string[] => []);
  const framed: string[] = [];
  const numbers: string[] = [];
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
        if (block === 1 && most !== null && size >= NUMBERED) numbers.push(number(most, x!, y!, size));
        if (block === 1 && most !== null && most > measure.threshold) framed.push(square);
      }
    }
  }
  const labelled = ideas.length <= MAX_LABELS;
  const room = Math.max(LABELS, NARROWEST - count * size);
  const labels = labelled
    ? ideas.map(({ id, name }, row) =>
        text(`${id} ${name}`, { x: count * size + 10, y: (row + 0.5) * size + 4, width: room - 10, size: 11 }),
      )
    : [];
  const width = Math.max(count * size + (labelled ? room : 0), NARROWEST);
  const height = count * size + LEGEND;
  return picture(
    {
      title: `How alike ${all} ideas are`,
      subtitle: `${measure.model}, threshold ${measure.threshold}.${all > ideas.length ? ` The first ${ideas.length} are shown.` : ""} Topic: ${topic}`,
      width,
      height,
      dark: DARK_COLOURS,
    },
    [
      // The colours are values: they are the same in the dark.
      '<g class="constant">',
      ...levels.flatMap((squares, at) =>
        squares.length ? [`<path d="${squares.join("")}" fill="${COLOURS[at]}"/>`] : [],
      ),
      framed.length ? `<path d="${framed.join("")}" fill="none" stroke="${RED}" stroke-width="1.6"/>` : "",
      ...numbers,
      "</g>",
      ...labels,
      legend(count * size + 14, { block, framed: framed.length > 0, threshold: measure.threshold, width }),
      text(mostAlikePairs(ideas, similarity), { x: 0, y: height - 4, width, size: 11, attributes: `fill="${FAINT}"` }),
    ].join("\n"),
  );
}

/** The highest similarity in a square; null: the square of one idea with itself. */
function mostAlike(row: number, column: number, block: number, count: number, similarity: Similarity): number | null {
  let most: number | null = null;
  for (let one = row * block; one < Math.min((row + 1) * block, count); one++) {
    for (let other = column * block; other < Math.min((column + 1) * block, one); other++)
      most = Math.max(most ?? -1, similarity(other, one));
  }
  return most;
}

function number(similarity: number, x: number, y: number, size: number): string {
  const shown = similarity.toFixed(2).replace(/^(-?)0/u, "$1");
  const fill = level(similarity) > 4 ? "#ffffff" : INK;
  return text(shown, {
    x: (x + 0.5) * size,
    y: (y + 0.5) * size + 4,
    width: size,
    size: 10,
    attributes: `text-anchor="middle" fill="${fill}"`,
  });
}

/** The colour bar with its scale, the threshold, and the meaning of the frames. */
function legend(
  y: number,
  { block, framed, threshold, width }: { block: number; framed: boolean; threshold: number; width: number },
): string {
  const bar = COLOURS.length * STEP;
  const about =
    block > 1
      ? `Each square: the most alike of ${block} by ${block} ideas.`
      : framed
        ? `Framed, and the mark on the bar: above the threshold of ${threshold}.`
        : `No pair is above the threshold of ${threshold}, the mark on the bar.`;
  const mark = 4 + threshold * bar;
  return [
    '<g class="constant">',
    ...COLOURS.map(
      (colour, at) => `<rect x="${4 + at * STEP}" y="${n(y)}" width="${STEP}" height="14" fill="${colour}"/>`,
    ),
    "</g>",
    ...Array.from({ length: COLOURS.length + 1 }, (_, at) =>
      text((at / COLOURS.length).toFixed(1).replace(/^0(?=\.[1-9])/u, ""), {
        x: 4 + at * STEP,
        y: y + 26,
        width: STEP,
        size: 10,
        attributes: `text-anchor="middle" fill="${FAINT}"`,
      }),
    ),
    `<path d="M${n(mark)} ${n(y - 4)}v22" stroke="${RED}" stroke-width="2"/>`,
    text(about, { x: bar + 24, y: y + 11, width: width - bar - 24, size: 11, attributes: `fill="${RED}"` }),
  ].join("");
}

function mostAlikePairs(ideas: readonly { id: string }[], similarity: Similarity): string {
  const closest = new ClosestPairs(PAIRS_NAMED);
  for (let later = 1; later < ideas.length; later++)
    for (let earlier = 0; earlier < later; earlier++)
      closest.offer({ earlier, later, similarity: similarity(earlier, later) });
  const named = closest.pairs.map(
    ({ earlier, later, similarity: value }) => `${ideas[earlier]!.id} and ${ideas[later]!.id} ${value.toFixed(2)}`,
  );
  return named.length ? `Most alike: ${named.join("; ")}.` : "";
}
