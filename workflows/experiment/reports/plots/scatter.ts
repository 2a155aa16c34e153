import { fitted, textWidth } from "#workflow-kit/drawing";
import { FAINT, INK, n, picture, text } from "#workflow-kit/picture";
import type { Scale } from "./numbers";
import { bar, BLUE, bottomAxis, type Box, DARK_COLOURS, leftAxis, line, mark, named } from "./paint";

export interface ScatterPoint {
  name: string;
  x: number;
  y: number;
  /** null, as `high`: no interval. */
  low: number | null;
  high: number | null;
  on_front: boolean;
}

export interface Scatter {
  title: string;
  subtitle: string;
  description: string;
  across: { scale: Scale; title: string };
  up: { scale: Scale; title: string };
  /** Whether a higher value is better. */
  higher_is_better: boolean;
  points: readonly ScatterPoint[];
}

const LEFT = 64;
const WIDTH = 620;
const HEIGHT = 380;
const TOP = 26;
const LABEL = 12;
const WIDEST_LABEL = 190;
/** Of more points the labels are numbers, and a list below names them. */
const MAX_NAMED = 8;
const KEY_LINE = 18;
const KEY_COLUMN = 330;

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

const overlap = (one: Rectangle, other: Rectangle): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const area = (one: Rectangle, other: Rectangle): number =>
  overlap(one, other)
    ? (Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)) *
      (Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y))
    : 0;

/** Places of a label around its point, the nearest first. */
const AROUND = [10, 22, 38, 58, 82, 110, 140].flatMap((distance) =>
  [0, 180, 45, 135, 225, 315, 90, 270, 22, 158, 202, 338].map((degrees) => ({
    dx: Math.cos((degrees * Math.PI) / 180) * distance,
    dy: -Math.sin((degrees * Math.PI) / 180) * distance,
  })),
);

/** Labels that overlap neither each other, a point nor a line, within a box; where no place is free, the one that overlaps least. */
export function placeLabels(
  points: readonly { x: number; y: number; width: number }[],
  box: Box,
  lines: readonly Rectangle[] = [],
): Rectangle[] {
  const height = LABEL + 4;
  const taken: Rectangle[] = [...points.map(({ x, y }) => ({ x: x - 7, y: y - 7, width: 14, height: 14 })), ...lines];
  return points.map(({ x, y, width }) => {
    const candidates = AROUND.map(({ dx, dy }) => ({
      x: Math.abs(dx) < 5 ? x - width / 2 : dx > 0 ? x + dx : x + dx - width,
      y: y + dy - height / 2,
      width,
      height,
    })).filter(
      (one) =>
        one.x >= box.x && one.x + width <= box.x + box.width && one.y >= box.y && one.y + height <= box.y + box.height,
    );
    const cost = (one: Rectangle) => taken.reduce((sum, other) => sum + area(one, other), 0);
    const best = candidates.find((one) => cost(one) === 0) ??
      candidates.toSorted((one, other) => cost(one) - cost(other))[0] ?? {
        x: x + 10,
        y: y - height / 2,
        width,
        height,
      };
    taken.push(best);
    return best;
  });
}

/** Variants by cost and score. Those on the Pareto front are filled and joined. */
export function drawScatter({ title, subtitle, description, across, up, higher_is_better, points }: Scatter): string {
  const box = { x: LEFT, y: TOP, width: WIDTH, height: HEIGHT };
  const at = points.map(({ x, y }) => ({
    x: LEFT + across.scale.place(x) * WIDTH,
    y: TOP + (1 - up.scale.place(y)) * HEIGHT,
  }));
  const level = (value: number) => TOP + (1 - up.scale.place(value)) * HEIGHT;
  const stairs = stairsOf(points, at, higher_is_better);
  const numbered = points.length > MAX_NAMED;
  const words = points.map(({ name }, index) => (numbered ? String(index + 1) : fitted(name, WIDEST_LABEL, LABEL)));
  const labels = placeLabels(
    at.map((point, index) => ({ ...point, width: textWidth(words[index]!, LABEL) + 4 })),
    { x: LEFT, y: TOP - 8, width: WIDTH + 40, height: HEIGHT + 16 },
    [
      ...points.flatMap(({ low, high }, index) =>
        low === null || high === null ? [] : [upright(at[index]!.x, level(high), level(low))],
      ),
      ...stairs.flatMap(({ x, y }, step) => {
        const before = stairs[step - 1];
        return before
          ? [{ x: before.x, y: before.y - 1, width: x - before.x, height: 2 }, upright(x, y, before.y)]
          : [];
      }),
    ],
  );
  const drawn = points.map(({ name, low, high, on_front }, index) => {
    const { x, y } = at[index]!;
    const label = labels[index]!;
    const [middle, edge] = [label.y + label.height / 2, label.x > x ? label.x : label.x + label.width];
    const far = Math.hypot(edge - x, middle - y) > 16 && !(label.x < x && x < label.x + label.width);
    return named(
      name,
      [
        low === null || high === null ? "" : bar(x, level(low), level(high), FAINT),
        far ? line(x, y, edge, middle, FAINT, 'stroke-width="0.8"') : "",
        mark(on_front ? "disc" : "ring", x, y, BLUE),
        text(words[index]!, { x: label.x + 2, y: label.y + LABEL, width: label.width + LABEL, size: LABEL }),
      ].join(""),
    );
  });
  const columns = Math.max(1, Math.floor((LEFT + WIDTH + 40) / KEY_COLUMN));
  const rows = numbered ? Math.ceil(points.length / columns) : 0;
  const keyTop = TOP + HEIGHT + 68;
  const legend = [
    mark("disc", LEFT + 6, keyTop - 4, BLUE),
    text("on the Pareto front, by the means alone", {
      x: LEFT + 18,
      y: keyTop,
      width: 380,
      size: LABEL,
    }),
    mark("ring", LEFT + 406, keyTop - 4, BLUE),
    text("another is at least as cheap and as good", { x: LEFT + 418, y: keyTop, width: 320, size: LABEL }),
  ];
  const key = (numbered ? points : []).map(({ name }, index) =>
    text(`${index + 1}  ${name}`, {
      x: Math.floor(index / rows) * KEY_COLUMN,
      y: keyTop + 26 + (index % rows) * KEY_LINE,
      width: KEY_COLUMN - 12,
      size: LABEL,
    }),
  );
  return picture(
    {
      title,
      subtitle,
      description,
      width: LEFT + WIDTH + 40,
      height: keyTop + 6 + (rows > 0 ? 12 + rows * KEY_LINE : 0),
      dark: DARK_COLOURS,
    },
    [
      bottomAxis(across.scale, box, across.title),
      leftAxis(up.scale, box, up.title),
      frontLine(stairs),
      ...drawn,
      ...legend,
      ...key,
    ].join("\n"),
  );
}

interface Spot {
  x: number;
  y: number;
}

/** The area of an upright line. */
const upright = (x: number, one: number, other: number): Rectangle => ({
  x: x - 2,
  y: Math.min(one, other),
  width: 4,
  height: Math.abs(other - one),
});

/** The front from the cheapest to the best. */
const stairsOf = (points: readonly ScatterPoint[], at: readonly Spot[], higherIsBetter: boolean): Spot[] =>
  at
    .filter((_, index) => points[index]!.on_front)
    .toSorted((one, other) => one.x - other.x || (higherIsBetter ? other.y - one.y : one.y - other.y));

/** Up to the next better variant, one pays the cost of the one before. */
function frontLine([first, ...rest]: readonly Spot[]): string {
  if (!first || rest.length === 0) return "";
  const steps = rest.map(({ x, y }) => `H${n(x)}V${n(y)}`);
  return `<path d="M${n(first.x)} ${n(first.y)}${steps.join("")}" fill="none" stroke="${INK}" stroke-width="1.2" stroke-dasharray="5 4"/>`;
}
