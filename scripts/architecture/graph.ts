/** A directed graph: each node with the nodes to which its arrows run. */
export type Graph = Map<string, Set<string>>;

/**
 * Builds a graph. An arrow from a node to itself is left out.
 * @param nodes those that may have no arrows
 */
export function graphOf(pairs: Iterable<readonly [from: string, to: string]>, nodes: Iterable<string> = []): Graph {
  const graph: Graph = new Map([...nodes].map((node) => [node, new Set()]));
  const targetsOf = (node: string) => {
    const targets = graph.get(node) ?? new Set<string>();
    graph.set(node, targets);
    return targets;
  };
  for (const [from, to] of pairs) {
    targetsOf(to);
    if (from !== to) targetsOf(from).add(to);
  }
  return graph;
}

/** The circles of a graph: its strongly connected components of more than one node, largest first (Tarjan 1972). */
export function circles(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string) => {
    const own = index.size;
    index.set(node, own);
    let lowest = own;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) lowest = Math.min(lowest, low.get(next) ?? index.get(next) ?? own);
    }
    low.set(node, lowest);
    if (lowest === own) found.push(stack.splice(stack.indexOf(node)).sort());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found.filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
}

/** Orders the nodes, importers first, so that few arrows run upward, and none when the graph has no circle (Eades, Lin and Smyth 1993). */
export function order(graph: Graph): string[] {
  const rest = new Set([...graph.keys()].sort());
  const outgoing = (node: string) => [...(graph.get(node) ?? [])].filter((to) => rest.has(to)).length;
  const incoming = (node: string) => [...rest].filter((from) => graph.get(from)?.has(node)).length;
  const surplus = (node: string) => outgoing(node) - incoming(node);
  const top: string[] = [];
  const bottom: string[] = [];
  while (rest.size) {
    const nodes = [...rest];
    const sink = nodes.find((node) => outgoing(node) === 0);
    const next = sink ?? (nodes.toSorted((a, b) => surplus(b) - surplus(a))[0] as string);
    if (sink) bottom.unshift(next);
    else top.push(next);
    rest.delete(next);
  }
  return [...top, ...bottom];
}

/**
 * The number of floors when every arrow that runs down in the order of `nodes` leads at least one floor down.
 * @param nodes In order, importers first.
 */
export function floors(graph: Graph, nodes: string[]) {
  const height = new Map<string, number>();
  for (const node of nodes.toReversed()) {
    const below = [...(graph.get(node) ?? [])].map((to) => height.get(to) ?? 0);
    height.set(node, 1 + Math.max(0, ...below));
  }
  return Math.max(0, ...height.values());
}
