import { textWidth, wrap } from "#workflow-kit/drawing";
import type { Edge, Node, Shape } from "./diagram";

/** Sizes and positions, in pixels. */

export const FONT_SIZE = 13;
export const LINE_HEIGHT = 17;
/** Height of a stick figure without its name. */
export const FIGURE_HEIGHT = 50;
const LABEL_WIDTH = 150;

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** A node with its position: `x` and `y` are its centre. */
export interface PlacedNode extends Node, Box {
  lines: string[];
}

export interface PlacedEdge extends Edge {
  /** From its start to its end, both on the outlines of their shapes. */
  points: Point[];
  /** Box of its label. */
  at: Box | null;
}

/** Space of a shape around its text. */
const ROOM: Readonly<Record<Shape, { width: number; height: number; factor: number }>> = {
  stick_figure: { width: 12, height: FIGURE_HEIGHT + 8, factor: 1 },
  ellipse: { width: 24, height: 16, factor: 1.3 },
  dashed_ellipse: { width: 24, height: 16, factor: 1.3 },
  machine: { width: 44, height: 18, factor: 1 },
  designed: { width: 36, height: 18, factor: 1 },
  box: { width: 26, height: 18, factor: 1 },
  soft_box: { width: 30, height: 18, factor: 1 },
  pill: { width: 30, height: 14, factor: 1 },
  hexagon: { width: 44, height: 18, factor: 1 },
  cloud: { width: 30, height: 18, factor: 1 },
};

/** Room for each end of an edge on a side of a shape, so that arrowheads do not lie on each other. */
const END_ROOM = 15;

/** A node with its size, and without a position. @param ends most ends of edges on one of its sides */
export function sized(node: Node, ends: number): PlacedNode {
  const lines = wrap(node.label, LABEL_WIDTH, FONT_SIZE);
  const room = ROOM[node.shape];
  const widest = Math.max(...lines.map((line) => textWidth(line, FONT_SIZE)));
  return {
    ...node,
    lines,
    x: 0,
    y: 0,
    width: widest * room.factor + room.width,
    height: Math.max(
      lines.length * LINE_HEIGHT * room.factor + room.height,
      node.shape === "stick_figure" ? 0 : ends * END_ROOM,
    ),
  };
}

/** An edge between two nodes of one column, led past the column's other nodes on the left (-1) or right (1). */
export function aside(
  edge: Edge,
  from: PlacedNode,
  to: PlacedNode,
  nodes: readonly PlacedNode[],
  side: -1 | 1,
): PlacedEdge {
  const edges = nodes
    .filter((node) => node.x === from.x || node.x === to.x)
    .map((node) => node.x + (side * node.width) / 2);
  const x = (side === 1 ? Math.max(...edges) : Math.min(...edges)) + side * 20;
  return {
    ...edge,
    points: [
      { x, y: from.y },
      { x, y: to.y },
    ],
    at: wordsAt(edge, { x, y: (from.y + to.y) / 2 }),
  };
}

/** Whether an edge is drawn from right to left: to a lower layer, or within a layer against the order of its start and end. */
export const runsLeft = (from: Node, to: Node, leftward: Edge["leftward"]): boolean =>
  from.layer === to.layer ? leftward === true : from.layer > to.layer;

/** Size of an edge's label. */
export const wordsSize = (label: string) => ({ width: textWidth(label, FONT_SIZE - 2) + 8, height: LINE_HEIGHT });

/** Box of an edge's label at a point. */
export const wordsAt = ({ label }: Edge, point: Point): Box | null =>
  label === null ? null : { ...point, ...wordsSize(label) };

export const cornersOf = ({ x, y, width, height }: Box): Point[] => [
  { x: x - width / 2, y: y - height / 2 },
  { x: x + width / 2, y: y + height / 2 },
];
