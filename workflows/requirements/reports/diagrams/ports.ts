import { FIGURE_HEIGHT, type PlacedEdge, type PlacedNode, type Point } from "./geometry";

/** Part of a side's height over which lines spread. */
const SPREAD = 0.6;

interface End {
  edge: number;
  which: "start" | "end";
  /** The point that the line comes from or goes to next. */
  toward: Point;
}

/**
 * Lets lines begin and end at the left and right sides of shapes, spread over each side in the order of where they come from.
 * dagre's own ends lie anywhere on a box, and a line to its top would cross the neighbours above.
 */
export function attachEnds(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): PlacedEdge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const attached = edges.map((edge) => ({ ...edge, points: [...edge.points] }));
  const sides = new Map<string, End[]>();
  edges.forEach(({ from, to, points }, edge) => {
    const [start, end] = [byId.get(from)!, byId.get(to)!];
    for (const one of [
      { node: start, which: "start", toward: points[0] ?? end },
      { node: end, which: "end", toward: points.at(-1) ?? start },
    ] as const) {
      const side = `${one.toward.x > one.node.x ? "right" : "left"} ${one.node.id}`;
      sides.set(side, [...(sides.get(side) ?? []), { edge, which: one.which, toward: one.toward }]);
    }
  });
  for (const [side, ends] of sides) {
    const [direction, id] = side.split(" ") as ["left" | "right", string];
    const node = byId.get(id)!;
    ends.sort((one, other) => one.toward.y - other.toward.y);
    ends.forEach(({ edge, which }, index) => {
      const share = (index + 0.5) / ends.length - 0.5;
      const point = onSide(node, direction === "right" ? 1 : -1, share * SPREAD);
      if (which === "start") attached[edge]!.points.unshift(point);
      else attached[edge]!.points.push(point);
    });
  }
  return attached;
}

/** @param share where on the side: 0 is its middle, -0.5 and 0.5 its ends */
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
