import type { Diagram, Edge, Node, Shape } from "./diagram";

const ELEMENTS: Readonly<Record<Shape, string>> = {
  stick_figure: "actor",
  ellipse: "usecase",
  machine: "rectangle",
  designed: "rectangle",
  box: "rectangle",
  soft_box: "rectangle",
  dashed_ellipse: "usecase",
  pill: "storage",
  hexagon: "card",
  cloud: "cloud",
};

/** Stereotypes and line styles of shapes that the element alone does not show. */
const STEREOTYPES: Partial<Readonly<Record<Shape, (node: Node) => string>>> = {
  machine: ({ type }) => ` <<${type}>>`,
  designed: ({ type }) => ` <<${type}>>`,
  soft_box: ({ type }) => ` <<${type}>>`,
  hexagon: ({ type }) => ` <<${type}>>`,
  dashed_ellipse: () => " #line.dashed",
  cloud: () => " #line.dashed",
};

/** Text on one line. Characters that PlantUML could read as markup, a macro or the end of the quotes become Unicode escapes. */
const escaped = (text: string): string =>
  text.replace(/[^\p{L}\p{M}\p{N} .,:…«»'’()+-]/gu, (character) =>
    character.codePointAt(0)! < 0x80
      ? `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`
      : character,
  );

const nodeLine = (node: Node): string =>
  `${ELEMENTS[node.shape]} "${escaped(node.label)}" as ${node.id}${STEREOTYPES[node.shape]?.(node) ?? ""}`;

function edgeLine({ from, to, line, head, label }: Edge): string {
  const shaft = line === "solid" ? "--" : "..";
  const tip = head === "none" ? "" : head === "open" ? ">" : "|>";
  return `${from} ${shaft}${tip} ${to}${label === null ? "" : ` : ${escaped(label)}`}`;
}

/** The diagram as PlantUML text. */
export function toPlantuml({ title, boundary, nodes, edges }: Diagram): string {
  const inside = nodes.filter((node) => node.inside).map((node) => `  ${nodeLine(node)}`);
  return [
    "@startuml",
    `title ${escaped(title)}`,
    "left to right direction",
    ...nodes.filter((node) => !node.inside).map(nodeLine),
    ...(boundary === null || inside.length === 0 ? [] : [`rectangle "${escaped(boundary)}" {`, ...inside, "}"]),
    ...edges.map(edgeLine),
    "@enduml",
    "",
  ].join("\n");
}
