import type { Box, PlacedEdge, Point } from "./geometry";

/** Places along an edge that its label may have, besides the one that the layout gave it: shares of its length. */
const SHARES = [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8, 0.15, 0.85];

/** Moves labels along their edges, to where they lie on no shape and on no other label, the fewest lines cross them, and their own line does not bend. */
export function placeLabels(edges: readonly PlacedEdge[], nodes: readonly Box[]): PlacedEdge[] {
  const placed: Box[] = [];
  return edges.map((edge) => {
    const { at, points } = edge;
    if (!at) return edge;
    const others = edges.filter((other) => other !== edge);
    const penalty = (box: Box) =>
      100 * nodes.filter((node) => overlaps(box, node)).length +
      0.5 * points.filter((bend) => overlaps(box, { ...bend, width: 0, height: 0 })).length +
      50 * placed.filter((label) => overlaps(box, label)).length +
      others.filter((other) => crosses(other.points, box)).length;
    const places = [at, ...SHARES.map((share): Box => ({ ...at, ...pointAlong(points, share) }))];
    const best = places.reduce((one, other) => (penalty(other) < penalty(one) ? other : one));
    placed.push(best);
    return { ...edge, at: best };
  });
}

const overlaps = (one: Box, other: Box): boolean =>
  Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
  Math.abs(one.y - other.y) < (one.height + other.height) / 2;

/** The point at a share of the length of a line. */
function pointAlong(points: readonly Point[], share: number): Point {
  const lengths = points.slice(1).map((point, index) => distance(points[index]!, point));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (const [index, length] of lengths.entries()) {
    if (left <= length && length > 0) return between(points[index]!, points[index + 1]!, left / length);
    left -= length;
  }
  return points.at(-1)!;
}

const distance = (one: Point, other: Point): number => Math.hypot(other.x - one.x, other.y - one.y);

const between = (one: Point, other: Point, share: number): Point => ({
  x: one.x + (other.x - one.x) * share,
  y: one.y + (other.y - one.y) * share,
});

/** Whether a line passes through a box. */
export const crosses = (points: readonly Point[], box: Box): boolean =>
  points.some((point, index) => index > 0 && segmentCrosses(points[index - 1]!, point, box));

/**
 * Liang and Barsky (1984): whether a part of the segment is within the box. It makes no arrays, which were a tenth of all memory that a run
 * allocated: one drawing asks this many thousand times.
 */
function segmentCrosses(one: Point, other: Point, { x, y, width, height }: Box): boolean {
  const dx = other.x - one.x;
  const dy = other.y - one.y;
  let first = 0;
  let last = 1;
  for (let side = 0; side < 4; side++) {
    const isAcross = side < 2;
    const sign = side % 2 === 0 ? -1 : 1;
    const step = sign * (isAcross ? dx : dy);
    const room = isAcross ? width / 2 + sign * (x - one.x) : height / 2 + sign * (y - one.y);
    if (step === 0 && room < 0) return false;
    if (step < 0) first = Math.max(first, room / step);
    if (step > 0) last = Math.min(last, room / step);
  }
  return first <= last;
}
