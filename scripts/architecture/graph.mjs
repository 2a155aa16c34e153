/** @typedef {Map<string, Set<string>>} Graph Each node with the nodes that it points at. */

/**
 * @param {Iterable<readonly [from: string, to: string]>} pairs
 * @param {Iterable<string>} nodes
 * @returns {Graph}
 */
export function graphOf(pairs, nodes = []) {
  const graph = new Map([...nodes].map((node) => [node, new Set()]));
  const at = (node) => graph.get(node) ?? graph.set(node, new Set()).get(node);
  for (const [from, to] of pairs) {
    at(to);
    if (from !== to) at(from).add(to);
  }
  return graph;
}

/**
 * Circles: the strongly connected components of more than one node (Tarjan 1972), largest first.
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
  return found.filter(({ length }) => length > 1).sort((one, other) => other.length - one.length);
}

/**
 * An order of the nodes, importers first, with few arrows that run upward (Eades, Lin and Smyth 1993); none when the graph has no circle.
 * @param {Graph} graph
 * @returns {string[]}
 */
export function order(graph) {
  const left = new Set([...graph.keys()].sort());
  const out = (node) => [...graph.get(node)].filter((to) => left.has(to)).length;
  const into = (node) => [...left].filter((from) => graph.get(from).has(node)).length;
  const top = [];
  const bottom = [];
  while (left.size) {
    const nodes = [...left];
    const sink = nodes.find((node) => out(node) === 0);
    const next = sink ?? nodes.toSorted((one, other) => out(other) - into(other) - (out(one) - into(one)))[0];
    if (sink) bottom.unshift(next);
    else top.push(next);
    left.delete(next);
  }
  return [...top, ...bottom];
}

/**
 * How many floors the nodes stand on when every arrow that runs down in `nodes` leads at least one floor down.
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
