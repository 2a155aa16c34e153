import { cleanLabel, DARK, darkStyle, escaped, fitted, FONT, wrap } from "./drawing";

/** Elements of drawings with a heading: no scripts, no external references, and all text escaped. */

export const INK = "#1f2937";
export const FAINT = "#64748b";
const MARGIN = 28;
const FONT_SIZE = 13;
const TITLE_SIZE = 19;
/** Height of the title and a subtitle of two lines. */
const HEADING = 80;
const LINE = 18;

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

export interface Picture {
  title: string;
  subtitle: string;
  /** The drawing in words; by default the subtitle. */
  description?: string;
  /** Of the body, pixels. */
  width: number;
  height: number;
  /** The dark colour for each colour that the body uses beside ink, paper and lines. */
  dark: Readonly<Record<string, string>>;
}

/** A whole document; `body` is drawn below the heading. */
export function picture(
  { title, subtitle, description = subtitle, width, height, dark }: Picture,
  body: string,
): string {
  const [w, h] = [width + 2 * MARGIN, height + HEADING + 2 * MARGIN];
  const label = (content: string, longest = 400) => escaped(cleanLabel(content, longest));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(w)}" height="${n(h)}" viewBox="0 0 ${n(w)} ${n(h)}" role="img" aria-labelledby="title desc" font-family="${FONT}" font-size="${FONT_SIZE}" fill="${INK}">`,
    `<title id="title">${label(title)}</title>`,
    `<desc id="desc">${label(description, 4000)}</desc>`,
    darkStyle({ ...DARK, ...dark }),
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    text(title, { x: MARGIN, y: MARGIN + TITLE_SIZE, width, size: TITLE_SIZE, attributes: 'font-weight="bold"' }),
    ...twoLines(subtitle, width).map((line, index) =>
      text(line, { x: MARGIN, y: MARGIN + TITLE_SIZE + 22 + index * LINE, width, attributes: `fill="${FAINT}"` }),
    ),
    `<g transform="translate(${MARGIN} ${MARGIN + HEADING})">${body}</g>`,
    "</svg>",
  ].join("\n");
}
