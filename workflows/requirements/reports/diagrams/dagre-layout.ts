import { Graph, layout } from "@dagrejs/dagre";
import type { Diagram } from "./diagram";
import { aside, runsLeft, wordsSize, type Box, type PlacedEdge, type PlacedNode, type Point } from "./geometry";

const ANCHOR = "anchor";

/**
 * Sets the positions of nodes (it changes them) and the bends of edges, by layers with few crossings. For the layout, edges run from lower to
 * higher layers, whatever their direction. Nodes outside of a boundary share the first layer, and none of those inside is in it, so the
 * boundary needs no cluster of dagre's, which would double the time. Edges between nodes outside are led past the boundary.
 */
export function placeByDagre(
  nodes: PlacedNode[],
  { boundary, edges }: Pick<Diagram, "boundary" | "edges">,
): PlacedEdge[] {
  const graph = new Graph({ directed: true, multigraph: true });
  graph.setGraph({
    rankdir: "LR",
    nodesep: 22,
    ranksep: 64,
    edgesep: 14,
    marginx: 0,
    marginy: 0,
    ranker: rankFromLeft as never,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) graph.setNode(node.id, { width: node.width, height: node.height });

  const routes = edges.map((edge) => {
    const [from, to] = [byId.get(edge.from)!, byId.get(edge.to)!];
    const isTurned = runsLeft(from, to, edge.leftward);
    const isOutside = boundary !== null && !from.inside && !to.inside;
    return { from, to, isTurned, isOutside, start: isTurned ? to : from, end: isTurned ? from : to };
  });
  const placed = new Set<string>();
  routes.forEach(({ start, end, isOutside }, index) => {
    if (isOutside) return;
    const { label } = edges[index]!;
    const words = label === null ? {} : { ...wordsSize(label), labelpos: "c" };
    graph.setEdge(start.id, end.id, { minlen: Math.max(1, end.layer - start.layer), ...words }, String(index));
    placed.add(end.id);
  });
  anchor(
    graph,
    nodes.filter(({ id, layer }) => layer > 0 && !placed.has(id)),
  );
  layout(graph as never);

  for (const node of nodes) {
    const { x, y } = graph.node(node.id) as unknown as Point;
    Object.assign(node, { x, y });
  }
  return edges.map((edge, index) => {
    const { from, to, start, end, isTurned, isOutside } = routes[index]!;
    if (isOutside) return aside(edge, from, to, nodes, -1);
    const { points, x, y, width, height } = graph.edge(start.id, end.id, String(index)) as unknown as Box & {
      points: Point[];
    };
    const inner = points.slice(1, -1); // without its ends, which ports.ts sets
    const bends = edge.label === null ? inner : levelAt({ x, y, width, height }, inner);
    return {
      ...edge,
      points: isTurned ? bends.toReversed() : bends,
      at: edge.label === null ? null : { x, y, width, height },
    };
  });
}

/** Straight room beside a label, so that its line bends outside of it. */
const LEVEL = 10;

/** A line through a label's centre, made level there: it enters on one side of the label and leaves on the other. */
const levelAt = ({ x, y, width }: Box, bends: readonly Point[]): Point[] =>
  bends.flatMap((bend) =>
    Math.abs(bend.x - x) < 1 && Math.abs(bend.y - y) < 1
      ? [
          { x: x - width / 2 - LEVEL, y },
          { x: x + width / 2 + LEVEL, y },
        ]
      : [bend],
  );

/** Keeps unconnected nodes in their layers, by edges from an invisible node in the first layer. */
function anchor(graph: Graph, loose: readonly PlacedNode[]): void {
  if (loose.length === 0) return;
  graph.setNode(ANCHOR, { width: 1, height: 1 });
  for (const { id, layer } of loose) graph.setEdge(ANCHOR, id, { minlen: layer });
}

/**
 * Replaces dagre's ranking: each node gets the lowest rank that its edges allow, so that all actors are in the first column.
 */
function rankFromLeft(graph: Graph): void {
  const ranks = new Map<string, number>();
  const minlen = (line: { v: string; w: string }) => (graph.edge(line) as { minlen: number }).minlen;
  const rankOf = (id: string): number => {
    const known = ranks.get(id);
    if (known !== undefined) return known;
    const lines = graph.inEdges(id) ?? [];
    const rank = Math.max(0, ...lines.map((line) => rankOf(line.v) + minlen(line)));
    ranks.set(id, rank);
    return rank;
  };
  for (const id of graph.nodes()) (graph.node(id) as { rank: number }).rank = rankOf(id);
}
