import { placeByDagre } from "./dagre-layout";
import { placeAlone } from "./alone";
import type { Diagram, Edge, Node } from "./diagram";
import {
  aside,
  cornersOf,
  runsLeft,
  sized,
  wordsAt,
  type Box,
  type PlacedEdge,
  type PlacedNode,
  type Point,
} from "./geometry";
import { placeLabels } from "./labels";
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

/** Lays out a diagram: with dagre, or in plain columns when it is large. Nodes without edges come below the others. */
export function place(diagram: Diagram): Layout {
  const nodes = diagram.nodes.map((node) => sized(node, mostEnds(node, diagram)));
  const isLarge = diagram.edges.length > MAX_EDGES || nodes.length > MAX_NODES;
  const isJoined = ({ id }: PlacedNode) => diagram.edges.some(({ from, to }) => from === id || to === id);
  const joined = isLarge ? nodes : nodes.filter(isJoined);
  const placed = joined.length > 0 ? joined : nodes;
  const edges = isLarge ? placeInColumns(placed, diagram.edges) : placeByDagre(placed, diagram);
  const attached = attachEnds(placed, edges);
  const alone = nodes.filter((node) => !placed.includes(node));
  placeAlone(alone, placed, attached, diagram.boundary !== null);
  const lines = isLarge ? attached : placeLabels(attached, nodes);
  return framed(nodes, lines, diagram.boundary !== null && nodes.some((node) => node.inside));
}

/** How many ends of edges lie on the left or the right side of a node, whichever has more. */
function mostEnds(node: Node, { nodes, edges }: Diagram): number {
  const byId = new Map(nodes.map((one) => [one.id, one]));
  const onRight = ({ from, to, leftward }: Edge): number => {
    const isLeft = runsLeft(byId.get(from)!, byId.get(to)!, leftward);
    return (from === node.id && !isLeft) || (to === node.id && isLeft) ? 1 : 0;
  };
  const touching = edges.filter(({ from, to }) => from === node.id || to === node.id);
  const right = touching.reduce((sum, edge) => sum + onRight(edge), 0);
  return Math.max(right, touching.length - right);
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
  const corners = nodes.filter((node) => node.inside).flatMap(cornersOf);
  const start = Math.min(...corners.map(({ x }) => x)) - BOUNDARY_ROOM;
  for (const { from, to, points, at } of edges) {
    if (!inside.has(from) && !inside.has(to)) continue;
    // Of an edge to an actor, the part within: the boundary and its title keep clear of it.
    const part = inside.has(from) && inside.has(to) ? points : rightOf(start, points);
    corners.push(...part, ...(at && at.x > start ? cornersOf(at) : []));
  }
  const [left, top] = [
    Math.min(start + BOUNDARY_ROOM, ...corners.map(({ x }) => x)) - BOUNDARY_ROOM,
    Math.min(...corners.map(({ y }) => y)) - BOUNDARY_TITLE - 8,
  ];
  const [right, bottom] = [
    Math.max(...corners.map(({ x }) => x)) + BOUNDARY_ROOM,
    Math.max(...corners.map(({ y }) => y)) + BOUNDARY_ROOM,
  ];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The points of a line right of a place, with the point where it passes there. */
const rightOf = (start: number, points: readonly Point[]): Point[] =>
  points.flatMap((point, index) => {
    const before = points[index - 1];
    const passes = before !== undefined && before.x < start !== point.x < start;
    const entry = passes
      ? [{ x: start + BOUNDARY_ROOM, y: before.y + ((point.y - before.y) * (start - before.x)) / (point.x - before.x) }]
      : [];
    return point.x < start ? entry : [...entry, point];
  });
