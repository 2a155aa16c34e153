import { cleanLabel, escaped, fitted, FONT, wrap } from "#workflow-kit/drawing";

/** What both drawings of a run are put together from: no script, no reference to anything outside, text escaped. */

export const INK = "#1f2937";
export const FAINT = "#64748b";
export const MARGIN = 28;
export const FONT_SIZE = 13;
const TITLE_SIZE = 19;
/** Room of the title and of a subtitle of two lines. */
export const HEADING = 80;
const LINE = 18;

export const n = (value: number): string => String(Math.round(value * 10) / 10);

/** A line of text that fits into a width in pixels. */
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

/** What a pointer that rests on something is told. */
export const tooltip = (content: string): string => `<title>${escaped(cleanLabel(content, 400))}</title>`;

/** What does not fit into two lines ends in an ellipsis. */
function twoLines(content: string, width: number): string[] {
  const label = cleanLabel(content, 400);
  const [first, ...rest] = wrap(label, width, FONT_SIZE);
  return rest.length ? [first!, label.slice(first!.length).trim()] : [first!];
}

/** A whole document; `body` is drawn from below the heading on. */
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
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    text(title, { x: MARGIN, y: MARGIN + TITLE_SIZE, width, size: TITLE_SIZE, attributes: 'font-weight="bold"' }),
    ...twoLines(subtitle, width).map((line, index) =>
      text(line, { x: MARGIN, y: MARGIN + TITLE_SIZE + 22 + index * LINE, width, attributes: `fill="${FAINT}"` }),
    ),
    `<g transform="translate(${MARGIN} ${MARGIN + HEADING})">${body}</g>`,
    "</svg>",
  ].join("\n");
}
