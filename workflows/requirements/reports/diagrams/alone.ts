import { cornersOf, type PlacedEdge, type PlacedNode } from "./geometry";

const GAP = 22;
/** Between the drawing and the nodes without edges. */
const ROW_GAP = 34;

/**
 * Places the nodes without edges, whose positions it changes: in rows below the drawing, those inside of a boundary below its other nodes.
 * Outside of a boundary they continue the first column, where the other actors are.
 */
export function placeAlone(
  alone: readonly PlacedNode[],
  placed: readonly PlacedNode[],
  edges: readonly PlacedEdge[],
  hasBoundary: boolean,
): void {
  if (alone.length === 0) return;
  const inner = placed.filter(({ inside }) => inside);
  const outer = placed.filter(({ inside }) => !inside);
  if (!hasBoundary) return inRows(alone, placed, edges);
  inRows(
    alone.filter(({ inside }) => inside),
    inner.length > 0 ? inner : outer,
    edges,
  );
  const column = outer.length > 0 ? outer : inner;
  inColumn(
    alone.filter(({ inside }) => !inside),
    column,
  );
}

/** In rows as wide as the nodes above them. */
function inRows(alone: readonly PlacedNode[], above: readonly PlacedNode[], edges: readonly PlacedEdge[]): void {
  const corners = above.flatMap(cornersOf);
  const [left, right] = [Math.min(...corners.map(({ x }) => x)), Math.max(...corners.map(({ x }) => x))];
  const lines = edges.flatMap(({ points }) => points).filter(({ x }) => x >= left && x <= right);
  let top = Math.max(...[...corners, ...lines].map(({ y }) => y)) + ROW_GAP;
  let [x, height] = [left, 0];
  for (const node of alone) {
    if (x > left && x + node.width > right) [x, top, height] = [left, top + height + GAP, 0];
    [node.x, node.y] = [x + node.width / 2, top + node.height / 2];
    x += node.width + GAP;
    height = Math.max(height, node.height);
  }
}

function inColumn(alone: readonly PlacedNode[], above: readonly PlacedNode[]): void {
  const left = Math.min(...above.map(({ x }) => x));
  const column = above.filter(({ x }) => x === left);
  let top = Math.max(...column.flatMap(cornersOf).map(({ y }) => y)) + GAP;
  for (const node of alone) {
    [node.x, node.y] = [left, top + node.height / 2];
    top += node.height + GAP;
  }
}
