import { FIGURE_HEIGHT, type PlacedEdge, type PlacedNode, type Point } from "./geometry";

/** Share of a side's height over which edges are spread. */
const SPREAD = 0.8;

interface End {
  edge: number;
  which: "start" | "end";
  /** The next point of the edge. */
  toward: Point;
}

/**
 * Attaches the ends of edges to the left and right sides of shapes, spread over each side in the order of their directions. dagre's own ends
 * may lie anywhere on a box, and an edge to its top would cross the neighbours above.
 */
export function attachEnds(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): PlacedEdge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const attached = edges.map((edge) => ({ ...edge, points: [...edge.points] }));
  const sides = new Map<string, End[]>();
  edges.forEach(({ from, to, points }, edge) => {
    const [start, end] = [byId.get(from)!, byId.get(to)!];
    for (const { node, which, toward } of [
      { node: start, which: "start", toward: points[0] ?? end },
      { node: end, which: "end", toward: points.at(-1) ?? start },
    ] as const) {
      const side = `${toward.x > node.x ? "right" : "left"} ${node.id}`;
      sides.set(side, [...(sides.get(side) ?? []), { edge, which, toward }]);
    }
  });
  for (const [side, ends] of sides) {
    const [direction, id] = side.split(" ") as ["left" | "right", string];
    const node = byId.get(id)!;
    ends.sort((a, b) => a.toward.y - b.toward.y);
    ends.forEach(({ edge, which }, index) => {
      const share = (index + 0.5) / ends.length - 0.5;
      const point = onSide(node, direction === "right" ? 1 : -1, share * SPREAD);
      if (which === "start") attached[edge]!.points.unshift(point);
      else attached[edge]!.points.push(point);
    });
  }
  return attached;
}

/** @param share position on the side: 0 is its middle, -0.5 and 0.5 are its ends */
function onSide({ shape, x, y, width, height }: PlacedNode, sign: 1 | -1, share: number): Point {
  switch (shape) {
    case "stick_figure":
      return { x: x + sign * 18, y: y - height / 2 + FIGURE_HEIGHT * (0.5 + share) };
    case "ellipse":
    case "dashed_ellipse":
      return { x: x + sign * (width / 2) * Math.sqrt(1 - 4 * share * share), y: y + share * height };
    case "hexagon":
      return { x: x + sign * (width / 2 - 24 * Math.abs(share)), y: y + share * height };
    default:
      return { x: x + sign * (width / 2), y: y + share * height };
  }
}
