import { DARK, darkStyle, escaped, FONT, textWidth, wrap } from "#workflow-kit/drawing";
import type { Diagram, Edge, Shape } from "./diagram";
import {
  FIGURE_HEIGHT,
  FONT_SIZE,
  LINE_HEIGHT,
  type Box,
  type PlacedEdge,
  type PlacedNode,
  type Point,
} from "./geometry";
import { place } from "./layout";

const MARGIN = 28;
const TITLE_SIZE = 19;
const INK = "#1f2937";
const FAINT = "#64748b";
const LEGEND_ROW = 40;
const MIN_WIDTH = 360;

const COLOURS: Readonly<Record<Shape, readonly [fill: string, stroke: string]>> = {
  stick_figure: ["#ffffff", INK],
  ellipse: ["#eef4ff", "#3b6fb6"],
  machine: ["#fff3d6", "#a8690a"],
  designed: ["#f3ecff", "#7a4fb0"],
  box: ["#eaf7ee", "#2f7d4f"],
  soft_box: ["#eef0fb", "#4d57a8"],
  dashed_ellipse: ["#fff0f0", "#b23b3b"],
  pill: ["#f4f6f8", "#64748b"],
  hexagon: ["#e9f6fb", "#1f7a99"],
  cloud: ["#fdf2fa", "#a6478a"],
};

/** In the dark: fills and strokes of the shapes, and of the boundary. */
const DARK_COLOURS = {
  ...DARK,
  "#fbfcfe": "#1b1f26",
  "#eef4ff": "#1c2a44",
  "#3b6fb6": "#7ea8e6",
  "#fff3d6": "#3a2d10",
  "#a8690a": "#e0a94a",
  "#f3ecff": "#2d2340",
  "#7a4fb0": "#b794e8",
  "#eaf7ee": "#173024",
  "#2f7d4f": "#6dc294",
  "#eef0fb": "#23264a",
  "#4d57a8": "#9aa3f0",
  "#fff0f0": "#3a1f1f",
  "#b23b3b": "#ec8b8b",
  "#f4f6f8": "#232830",
  "#e9f6fb": "#12303a",
  "#1f7a99": "#62bddb",
  "#fdf2fa": "#382031",
  "#a6478a": "#e08bc6",
};

const n = (value: number): string => String(Math.round(value * 10) / 10);

const text = (content: string, { x, y }: Point, attributes = ""): string =>
  `<text x="${n(x)}" y="${n(y)}" ${attributes}>${escaped(content)}</text>`;

/** Lines of text, centred on a point. */
const centred = (lines: readonly string[], { x, y }: Point, attributes = ""): string =>
  lines
    .map((line, index) =>
      text(
        line,
        { x, y: y + (index - (lines.length - 1) / 2) * LINE_HEIGHT + FONT_SIZE * 0.36 },
        `text-anchor="middle" ${attributes}`,
      ),
    )
    .join("");

/** White outline of a name without a box, so that it is readable over an edge. */
const HALO = 'stroke="#ffffff" stroke-width="4" stroke-linejoin="round" paint-order="stroke"';

function outline(shape: Shape, { x, y, width, height }: Box): string {
  const [fill, stroke] = COLOURS[shape];
  const [left, top] = [x - width / 2, y - height / 2];
  const paint = `fill="${fill}" stroke="${stroke}" stroke-width="1.4"`;
  const box = (radius: number, more = "") =>
    `<rect x="${n(left)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" rx="${n(radius)}" ${paint} ${more}/>`;
  const bar = (offset: number) =>
    `<path d="M${n(left + offset)} ${n(top)}v${n(height)}" stroke="${stroke}" stroke-width="1.4"/>`;
  switch (shape) {
    case "stick_figure":
      return stickFigure({ x, y: top + 2 }, stroke);
    case "ellipse":
    case "dashed_ellipse":
      return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(width / 2)}" ry="${n(height / 2)}" ${paint} ${shape === "ellipse" ? "" : DASHES}/>`;
    case "machine":
      return box(0) + bar(6) + bar(12);
    case "designed":
      return box(0) + bar(7);
    case "box":
      return box(0);
    case "soft_box":
      return box(9);
    case "pill":
      return box(height / 2 > 16 ? 16 : height / 2);
    case "cloud":
      return box(18, DASHES);
    case "hexagon": {
      const points = [
        [left, y],
        [left + 12, top],
        [left + width - 12, top],
        [left + width, y],
        [left + width - 12, top + height],
        [left + 12, top + height],
      ];
      return `<polygon points="${points.map(([px, py]) => `${n(px!)},${n(py!)}`).join(" ")}" ${paint}/>`;
    }
  }
}

const DASHES = 'stroke-dasharray="5 4"';

/** A person, drawn downwards from the top of the head. */
function stickFigure({ x, y }: Point, stroke: string): string {
  const head = `<circle cx="${n(x)}" cy="${n(y + 8)}" r="7" fill="#ffffff" stroke="${stroke}" stroke-width="1.6"/>`;
  const body = `M${n(x)} ${n(y + 15)}v16M${n(x - 13)} ${n(y + 21)}h26M${n(x - 10)} ${n(y + 46)}L${n(x)} ${n(y + 31)}L${n(x + 10)} ${n(y + 46)}`;
  return `${head}<path d="${body}" fill="none" stroke="${stroke}" stroke-width="1.6" stroke-linecap="round"/>`;
}

function drawNode(node: PlacedNode): string {
  const words =
    node.shape === "stick_figure"
      ? centred(node.lines, { x: node.x, y: node.y + (FIGURE_HEIGHT + 2) / 2 }, HALO)
      : centred(node.lines, {
          x: node.x + (node.shape === "machine" ? 6 : node.shape === "designed" ? 4 : 0),
          y: node.y,
        });
  return `<g><title>${escaped(`${node.type}: ${node.label}`)}</title>${outline(node.shape, node)}${words}</g>`;
}

const CORNER = 14;

/** A line through points, its corners rounded. */
function path(points: readonly Point[]): string {
  const show = ({ x, y }: Point) => `${n(x)} ${n(y)}`;
  const corners = points.slice(1, -1).map((corner, index) => {
    const [before, after] = [points[index]!, points[index + 2]!];
    return `L${show(toward(corner, before))}Q${show(corner)} ${show(toward(corner, after))}`;
  });
  return `M${show(points[0]!)}${corners.join("")}L${show(points.at(-1)!)}`;
}

/** The point CORNER pixels from `from` towards `to`, at most half way. */
function toward(from: Point, to: Point): Point {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const part = distance === 0 ? 0 : Math.min(CORNER / distance, 0.5);
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

const stroke = ({ line, head }: Pick<Edge, "line" | "head">): string =>
  `fill="none" stroke="${INK}" stroke-width="1.2" ${line === "dashed" ? DASHES : ""} ${head === "none" ? "" : `marker-end="url(#${head})"`}`;

const drawLine = (edge: PlacedEdge): string => `<path d="${path(edge.points)}" ${stroke(edge)}/>`;

function drawWords({ at, label }: PlacedEdge): string {
  if (!at || label === null) return "";
  const plate = `<rect x="${n(at.x - at.width / 2)}" y="${n(at.y - at.height / 2)}" width="${n(at.width)}" height="${n(at.height)}" rx="3" fill="#ffffff" fill-opacity="0.9"/>`;
  return (
    plate + text(label, { x: at.x, y: at.y + 4 }, `text-anchor="middle" font-size="${FONT_SIZE - 2}" fill="${INK}"`)
  );
}

interface LegendEntry {
  drawing: string;
  words: string;
}

/** Legend: each shape with its entity type, and each kind of edge, unless its label is the name of its type. */
function legendEntries({ nodes, edges }: Diagram): LegendEntry[] {
  const shapes = new Map(nodes.map((node) => [node.type, node.shape]));
  const lines = new Map(edges.filter(({ label, type }) => label !== type).map((edge) => [edge.type, edge]));
  return [
    ...[...shapes].map(([words, shape]) => ({ drawing: sample(shape), words })),
    ...[...lines].map(([words, edge]) => ({
      drawing: `<path d="M-15 0H${edge.head === "none" ? 15 : 13}" ${stroke(edge)}/>`,
      words: edge.label === null || edge.label === `«${words}»` ? words : `${edge.label}: ${words}`,
    })),
  ];
}

const sample = (shape: Shape): string =>
  shape === "stick_figure"
    ? `<g transform="translate(0 -13) scale(0.55)">${stickFigure({ x: 0, y: 0 }, INK)}</g>`
    : outline(shape, { x: 0, y: 0, width: 30, height: 17 });

/** Draws the entries in rows of a width, and returns their height. */
function drawLegend(entries: readonly LegendEntry[], width: number): { drawing: string; height: number } {
  let [x, row] = [0, 0];
  const drawn = entries.map(({ drawing, words }) => {
    const needed = 44 + textWidth(words, FONT_SIZE - 2) + 18;
    if (x > 0 && x + needed > width) [x, row] = [0, row + 1];
    const at = { x: x + 18, y: row * LEGEND_ROW + LEGEND_ROW / 2 };
    x += needed;
    return `<g transform="translate(${n(at.x)} ${n(at.y)})">${drawing}${text(words, { x: 24, y: 4 }, `font-size="${FONT_SIZE - 2}" fill="${FAINT}"`)}</g>`;
  });
  return { drawing: drawn.join(""), height: entries.length === 0 ? 0 : (row + 1) * LEGEND_ROW };
}

const MARKERS = `<defs><marker id="open" viewBox="0 0 12 12" refX="11" refY="6" markerWidth="11" markerHeight="11" orient="auto"><path d="M1 1L11 6L1 11" fill="none" stroke="${INK}" stroke-width="1.4"/></marker><marker id="triangle" viewBox="0 0 14 14" refX="13" refY="7" markerWidth="13" markerHeight="13" orient="auto"><path d="M1 1L13 7L1 13Z" fill="#ffffff" stroke="${INK}" stroke-width="1.3"/></marker></defs>`;

/** The diagram as an SVG document: no script, no reference to anything outside of it, text escaped. */
export function toSvg(diagram: Diagram): string {
  const placed = place(diagram);
  const inner = Math.max(placed.width, MIN_WIDTH);
  const heading = wrap(diagram.title, inner, TITLE_SIZE);
  const headingHeight = heading.length * (TITLE_SIZE + 5) + 32;
  const legend = drawLegend(legendEntries(diagram), inner);
  const [width, height] = [
    inner + 2 * MARGIN,
    headingHeight + placed.height + legend.height + (legend.height > 0 ? 24 : 0) + 2 * MARGIN,
  ];
  const body = [
    placed.boundary ? drawBoundary(placed.boundary, diagram.boundary!) : "",
    ...placed.edges.map(drawLine),
    ...placed.nodes.map(drawNode),
    ...placed.edges.map(drawWords),
    placed.nodes.length === 0 ? text("The model has no elements.", { x: 0, y: 20 }, `fill="${FAINT}"`) : "",
  ].join("");
  const legendTop = MARGIN + headingHeight + placed.height + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}" role="img" aria-labelledby="title desc" font-family="${FONT}" font-size="${FONT_SIZE}" fill="${INK}">`,
    `<title id="title">${escaped(diagram.title)}</title>`,
    `<desc id="desc">${escaped(`${diagram.subtitle} with ${diagram.nodes.length} elements and ${diagram.edges.length} relations.`)}</desc>`,
    darkStyle(DARK_COLOURS),
    MARKERS,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...heading.map((line, index) =>
      text(
        line,
        { x: MARGIN, y: MARGIN + TITLE_SIZE + index * (TITLE_SIZE + 5) },
        `font-size="${TITLE_SIZE}" font-weight="bold"`,
      ),
    ),
    text(diagram.subtitle, { x: MARGIN, y: MARGIN + headingHeight - 20 }, `fill="${FAINT}"`),
    `<g transform="translate(${n(MARGIN + (inner - placed.width) / 2)} ${n(MARGIN + headingHeight)})">${body}</g>`,
    legend.height > 0 ? `<path d="M${MARGIN} ${n(legendTop)}h${n(inner)}" stroke="#e2e8f0"/>` : "",
    `<g transform="translate(${MARGIN} ${n(legendTop + 4)})">${legend.drawing}</g>`,
    "</svg>",
  ].join("\n");
}

function drawBoundary({ x, y, width, height }: Box, name: string): string {
  const words = wrap(name, width - 20, FONT_SIZE);
  const shown = words.length > 1 ? `${words[0]!}…` : words[0]!;
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="8" fill="#fbfcfe" stroke="#94a3b8"/>${text(shown, { x: x + width / 2, y: y + 19 }, `text-anchor="middle" font-weight="bold" fill="${FAINT}"`)}`;
}
