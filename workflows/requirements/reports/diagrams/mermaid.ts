import type { Diagram, Edge, Node, Shape } from "./diagram";

const SHAPES: Readonly<Record<Shape, readonly [open: string, close: string]>> = {
  stick_figure: ["[/", "\\]"],
  ellipse: ["([", "])"],
  machine: ["[[", "]]"],
  designed: ["[", "]"],
  box: ["[", "]"],
  soft_box: ["(", ")"],
  dashed_ellipse: ["([", "])"],
  pill: ["(", ")"],
  hexagon: ["{{", "}}"],
  cloud: ["(", ")"],
};

const DASHED: readonly Shape[] = ["dashed_ellipse", "cloud"];

/** Quoted text of a flowchart. Characters that could end the quotes or be markup become character codes. */
const quoted = (text: string): string =>
  `"${text.replace(/[^\p{L}\p{M}\p{N} .,:…«»'’()/+-]/gu, (character) => `#${character.codePointAt(0)};`)}"`;

function nodeLine({ id, label, shape }: Node): string {
  const [open, close] = SHAPES[shape];
  return `${id}${open}${quoted(label)}${close}${DASHED.includes(shape) ? ":::dashed" : ""}`;
}

function edgeLine({ from, to, line, head, label, type }: Edge): string {
  // Mermaid has no hollow triangle, so a generalization has a label.
  const words = label ?? (head === "triangle" ? type : null);
  const end = line === "solid" ? (head === "none" ? "---" : "-->") : head === "none" ? "-.-" : "-.->";
  return words === null ? `${from} ${end} ${to}` : `${from} ${end}|${quoted(words)}| ${to}`;
}

/** The diagram as a Mermaid flowchart. */
export function toMermaid({ title, boundary, nodes, edges }: Diagram): string {
  const outside = nodes.filter((node) => !node.inside).map(nodeLine);
  const inside = nodes.filter((node) => node.inside).map(nodeLine);
  return [
    "---",
    `title: ${JSON.stringify(title.replaceAll("<", "‹").replaceAll(">", "›"))}`,
    "---",
    "flowchart LR",
    "  classDef dashed stroke-dasharray: 5 4",
    ...outside.map((row) => `  ${row}`),
    ...(boundary === null || inside.length === 0
      ? []
      : [`  subgraph system[${quoted(boundary)}]`, ...inside.map((row) => `    ${row}`), "  end"]),
    ...edges.map((edge) => `  ${edgeLine(edge)}`),
    "",
  ].join("\n");
}
