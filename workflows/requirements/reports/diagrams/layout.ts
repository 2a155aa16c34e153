import { placeByDagre } from "./dagre-layout";
import type { Diagram, Edge } from "./diagram";
import { aside, sized, wordsAt, type Box, type PlacedEdge, type PlacedNode, type Point } from "./geometry";
import { attachEnds } from "./ports";

export interface Layout {
  nodes: PlacedNode[];
  edges: PlacedEdge[];
  /** Top left corner, unlike those of nodes. */
  boundary: Box | null;
  width: number;
  height: number;
}

/** With more edges or nodes the search for few crossings takes seconds, and the drawing is hard to read. */
const MAX_EDGES = 250;
const MAX_NODES = 120;

/** Lays out a diagram: with dagre, or in plain columns when it is large. */
export function place(diagram: Diagram): Layout {
  const nodes = diagram.nodes.map(sized);
  const isLarge = diagram.edges.length > MAX_EDGES || nodes.length > MAX_NODES;
  const edges = isLarge ? placeInColumns(nodes, diagram.edges) : placeByDagre(nodes, diagram);
  return framed(nodes, attachEnds(nodes, edges), diagram.boundary !== null && nodes.some((node) => node.inside));
}

const COLUMN_GAP = 110;
const ROW_GAP = 22;

/** Puts each layer in a column, in the order of the nodes. */
function placeInColumns(nodes: PlacedNode[], edges: readonly Edge[]): PlacedEdge[] {
  let left = 0;
  for (const layer of new Set(nodes.map((node) => node.layer).sort((a, b) => a - b))) {
    const column = nodes.filter((node) => node.layer === layer);
    const width = Math.max(...column.map((node) => node.width));
    let top = 0;
    for (const node of column) {
      [node.x, node.y] = [left + width / 2, top + node.height / 2];
      top += node.height + ROW_GAP;
    }
    left += width + COLUMN_GAP;
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.map((edge) => {
    const [from, to] = [byId.get(edge.from)!, byId.get(edge.to)!];
    return from.x === to.x
      ? aside(edge, from, to, nodes, 1)
      : { ...edge, points: [], at: wordsAt(edge, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }) };
  });
}

const BOUNDARY_ROOM = 18;
const BOUNDARY_TITLE = 26;

/** Adds the boundary around the inner nodes, and moves the drawing to 0, 0. */
function framed(nodes: PlacedNode[], edges: PlacedEdge[], hasBoundary: boolean): Layout {
  const boundary = hasBoundary ? boundaryAround(nodes, edges) : null;
  const corners: Point[] = [
    ...nodes.flatMap(cornersOf),
    ...edges.flatMap(({ points, at }) => [...points, ...(at ? cornersOf(at) : [])]),
    ...(boundary ? [boundary, { x: boundary.x + boundary.width, y: boundary.y + boundary.height }] : []),
  ];
  if (corners.length === 0) return { nodes, edges, boundary, width: 0, height: 0 };
  const [left, top] = [Math.min(...corners.map(({ x }) => x)), Math.min(...corners.map(({ y }) => y))];
  const moved = <T extends Point>(point: T): T => ({ ...point, x: point.x - left, y: point.y - top });
  return {
    nodes: nodes.map(moved),
    edges: edges.map((edge) => ({ ...edge, points: edge.points.map(moved), at: edge.at && moved(edge.at) })),
    boundary: boundary && moved(boundary),
    width: Math.max(...corners.map(({ x }) => x)) - left,
    height: Math.max(...corners.map(({ y }) => y)) - top,
  };
}

function boundaryAround(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): Box {
  const inside = new Set(nodes.filter((node) => node.inside).map(({ id }) => id));
  const within = edges.filter(({ from, to }) => inside.has(from) && inside.has(to));
  const corners = [
    ...nodes.filter((node) => node.inside).flatMap(cornersOf),
    ...within.flatMap(({ points, at }) => [...points, ...(at ? cornersOf(at) : [])]),
  ];
  const [left, top] = [
    Math.min(...corners.map(({ x }) => x)) - BOUNDARY_ROOM,
    Math.min(...corners.map(({ y }) => y)) - BOUNDARY_TITLE - 8,
  ];
  const [right, bottom] = [
    Math.max(...corners.map(({ x }) => x)) + BOUNDARY_ROOM,
    Math.max(...corners.map(({ y }) => y)) + BOUNDARY_ROOM,
  ];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const cornersOf = ({ x, y, width, height }: Box): Point[] => [
  { x: x - width / 2, y: y - height / 2 },
  { x: x + width / 2, y: y + height / 2 },
];
