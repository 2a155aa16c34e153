import { escaped } from "#workflow-kit/drawing";
import { FAINT, n, text } from "#workflow-kit/picture";
import type { Scale } from "./numbers";

/** Colours and marks of all plots. Each mark has its own shape, so that nothing depends on its colour. */

export const BLUE = "#1d4f9c";
export const GREEN = "#18794e";
export const RED = "#b3261e";
export const GRID = "#e2e8f0";
export const PAPER = "#ffffff";

export const DARK_COLOURS: Readonly<Record<string, string>> = {
  [BLUE]: "#8fb8ff",
  [GREEN]: "#6fd196",
  [RED]: "#ff8f86",
};

export type Mark = "disc" | "ring" | "square" | "up" | "down" | "diamond" | "cross";

/** A mark of about 11 pixels around a point. */
export function mark(kind: Mark, x: number, y: number, colour: string): string {
  const path = (d: string) => `<path d="${d}" fill="${colour}" stroke="${colour}" stroke-linejoin="round"/>`;
  const from = (dx: number, dy: number) => `M${n(x + dx)} ${n(y + dy)}`;
  switch (kind) {
    case "disc":
      return `<circle cx="${n(x)}" cy="${n(y)}" r="5" fill="${colour}"/>`;
    case "ring":
      return `<circle cx="${n(x)}" cy="${n(y)}" r="4.5" fill="${PAPER}" stroke="${colour}" stroke-width="1.8"/>`;
    case "square":
      return path(`${from(-4.5, -4.5)}h9v9h-9z`);
    case "up":
      return path(`${from(-6, 5)}h12l-6 -11z`);
    case "down":
      return path(`${from(-6, -5)}h12l-6 11z`);
    case "diamond":
      return path(`${from(0, -6.5)}l6 6.5l-6 6.5l-6 -6.5z`);
    case "cross":
      return `<path d="${from(-5, -5)}l10 10m0 -10l-10 10" stroke="${colour}" stroke-width="2.6" fill="none"/>`;
  }
}

export const line = (x1: number, y1: number, x2: number, y2: number, colour: string, more = ""): string =>
  `<path d="M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}" fill="none" stroke="${colour}" ${more}/>`;

/** A horizontal interval with end strokes. */
export const whisker = (x1: number, x2: number, y: number, colour: string): string =>
  `<path d="M${n(x1)} ${n(y)}L${n(x2)} ${n(y)}M${n(x1)} ${n(y - 4)}v8M${n(x2)} ${n(y - 4)}v8" fill="none" stroke="${colour}" stroke-width="1.8"/>`;

/** A vertical interval with end strokes. */
export const bar = (x: number, y1: number, y2: number, colour: string, more = ""): string =>
  `<path d="M${n(x)} ${n(y1)}L${n(x)} ${n(y2)}M${n(x - 3)} ${n(y1)}h6M${n(x - 3)} ${n(y2)}h6" fill="none" stroke="${colour}" stroke-width="1.3" ${more}/>`;

/** Vertical grid lines with labels below. */
export function bottomAxis(scale: Scale, box: Box, title: string): string {
  const { x, y, width, height } = box;
  const ticks = scale.ticks.map((tick) => {
    const at = x + scale.place(tick) * width;
    const label = text(scale.label(tick), {
      x: at,
      y: y + height + 18,
      width: 90,
      size: 12,
      attributes: `text-anchor="middle" fill="${FAINT}"`,
    });
    return line(at, y, at, y + height, GRID) + label;
  });
  const below = { x: x + width / 2, y: y + height + 40, width: Math.max(width, 300), size: 12 };
  return ticks.join("") + text(title, { ...below, attributes: 'text-anchor="middle"' });
}

/** Horizontal grid lines with labels on the left, and the title above. */
export function leftAxis(scale: Scale, box: Box, title: string): string {
  const { x, y, width, height } = box;
  const ticks = scale.ticks.map((tick) => {
    const at = y + (1 - scale.place(tick)) * height;
    const label = text(scale.label(tick), {
      x: x - 8,
      y: at + 4,
      width: 80,
      size: 12,
      attributes: `text-anchor="end" fill="${FAINT}"`,
    });
    return line(x, at, x + width, at, GRID) + label;
  });
  return ticks.join("") + text(title, { x: 0, y: y - 14, width: x + width, size: 12 });
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A group that tells its content to a pointer that rests on it. */
export const named = (name: string, content: string): string => `<g><title>${escaped(name)}</title>${content}</g>`;
