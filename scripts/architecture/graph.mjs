/** @typedef {Map<string, Set<string>>} Graph A directed graph: each node with the nodes to which its arrows run. */

/**
 * Builds a graph. An arrow from a node to itself is left out.
 * @param {Iterable<readonly [from: string, to: string]>} pairs
 * @param {Iterable<string>} nodes those that may have no arrows
 * @returns {Graph}
 */
export function graphOf(pairs, nodes = []) {
  const graph = new Map([...nodes].map((node) => [node, new Set()]));
  const targetsOf = (node) => graph.get(node) ?? graph.set(node, new Set()).get(node);
  for (const [from, to] of pairs) {
    targetsOf(to);
    if (from !== to) targetsOf(from).add(to);
  }
  return graph;
}

/**
 * The circles of a graph: its strongly connected components of more than one node, largest first (Tarjan 1972).
 * @param {Graph} graph
 * @returns {string[][]}
 */
export function circles(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of graph.get(node)) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) === index.get(node)) found.push(stack.splice(stack.indexOf(node)).sort());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found.filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
}

/**
 * Orders the nodes, importers first, so that few arrows run upward, and none when the graph has no circle (Eades, Lin and Smyth 1993).
 * @param {Graph} graph
 * @returns {string[]}
 */
export function order(graph) {
  const rest = new Set([...graph.keys()].sort());
  const outgoing = (node) => [...graph.get(node)].filter((to) => rest.has(to)).length;
  const incoming = (node) => [...rest].filter((from) => graph.get(from).has(node)).length;
  const surplus = (node) => outgoing(node) - incoming(node);
  const top = [];
  const bottom = [];
  while (rest.size) {
    const nodes = [...rest];
    const sink = nodes.find((node) => outgoing(node) === 0);
    const next = sink ?? nodes.toSorted((a, b) => surplus(b) - surplus(a))[0];
    if (sink) bottom.unshift(next);
    else top.push(next);
    rest.delete(next);
  }
  return [...top, ...bottom];
}

/**
 * The number of floors when every arrow that runs down in the order of `nodes` leads at least one floor down.
 * @param {Graph} graph
 * @param {string[]} nodes In order, importers first.
 */
export function floors(graph, nodes) {
  const height = new Map();
  for (const node of nodes.toReversed()) {
    const below = [...graph.get(node)].filter((to) => height.has(to)).map((to) => height.get(to));
    height.set(node, 1 + Math.max(0, ...below));
  }
  return Math.max(0, ...height.values());
}
