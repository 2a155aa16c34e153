import { cleanLabel, DARK, darkStyle, escaped, fitted, FONT, wrap } from "#workflow-kit/drawing";

/** Elements of both drawings of a run: no scripts, no external references, and all text escaped. */

export const INK = "#1f2937";
export const FAINT = "#64748b";
export const MARGIN = 28;
export const FONT_SIZE = 13;
const TITLE_SIZE = 19;
/** Height of the title and a subtitle of two lines. */
export const HEADING = 80;
const LINE = 18;

/** In the dark: fills and strokes of the cells of the bracket, and the red of the matrix. */
const DARK_COLOURS = {
  ...DARK,
  "#eaf7ee": "#173024",
  "#2f7d4f": "#6dc294",
  "#fff0f0": "#3a1f1f",
  "#b23b3b": "#ec8b8b",
  "#fff3d6": "#3a2d10",
  "#a8690a": "#e0a94a",
  "#f4f6f8": "#232830",
};

export const n = (value: number): string => String(Math.round(value * 10) / 10);

/** A line of text, cut to a width in pixels. */
export function text(
  content: string,
  {
    x,
    y,
    width,
    attributes = "",
    size = FONT_SIZE,
  }: { x: number; y: number; width: number; attributes?: string; size?: number },
): string {
  const shown = fitted(cleanLabel(content, 400), width, size);
  return `<text x="${n(x)}" y="${n(y)}" font-size="${size}" ${attributes}>${escaped(shown)}</text>`;
}

/** A tooltip. */
export const tooltip = (content: string): string => `<title>${escaped(cleanLabel(content, 400))}</title>`;

/** A text in two lines; `text` cuts the second one to the width. */
function twoLines(content: string, width: number): string[] {
  const label = cleanLabel(content, 400);
  const [first, ...rest] = wrap(label, width, FONT_SIZE);
  return rest.length ? [first!, label.slice(first!.length).trim()] : [first!];
}

/** A whole document; `body` is drawn below the heading. */
export function picture(
  { title, subtitle, width, height }: { title: string; subtitle: string; width: number; height: number },
  body: string,
): string {
  const [w, h] = [width + 2 * MARGIN, height + HEADING + 2 * MARGIN];
  const label = (content: string) => escaped(cleanLabel(content, 400));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(w)}" height="${n(h)}" viewBox="0 0 ${n(w)} ${n(h)}" role="img" aria-labelledby="title desc" font-family="${FONT}" font-size="${FONT_SIZE}" fill="${INK}">`,
    `<title id="title">${label(title)}</title>`,
    `<desc id="desc">${label(subtitle)}</desc>`,
    darkStyle(DARK_COLOURS),
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    text(title, { x: MARGIN, y: MARGIN + TITLE_SIZE, width, size: TITLE_SIZE, attributes: 'font-weight="bold"' }),
    ...twoLines(subtitle, width).map((line, index) =>
      text(line, { x: MARGIN, y: MARGIN + TITLE_SIZE + 22 + index * LINE, width, attributes: `fill="${FAINT}"` }),
    ),
    `<g transform="translate(${MARGIN} ${MARGIN + HEADING})">${body}</g>`,
    "</svg>",
  ].join("\n");
}
