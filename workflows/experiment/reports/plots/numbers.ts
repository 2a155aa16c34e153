/** Numbers and scales of plots and tables. */

const MINUS = "\u2212";

/** Three digits that say something: `0.843`, `12.4`, `1,530`; a minus as printers write it. */
export function figure(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 0.0005)
    return `${value < 0 ? MINUS : ""}${size.toExponential(0).replace("e-", "e" + MINUS)}`;
  const digits = size < 10 ? 3 : size < 100 ? 1 : 0;
  const text = size.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return value < 0 && Number(text.replaceAll(",", "")) !== 0 ? `${MINUS}${text}` : text;
}

/** A count: `1,530`. */
export const whole = (value: number): string => Math.round(value).toLocaleString("en-US");

/** A count with its noun: `1 item`, `12 items`. */
export const counted = (value: number, noun: string): string => `${whole(value)} ${noun}${value === 1 ? "" : "s"}`;

/** A multiple, two digits: `3.1`, `13`. */
export const times = (value: number): string => (value < 10 ? String(Number(value.toPrecision(2))) : whole(value));

/** A difference with its sign. */
export const signed = (value: number): string => (value > 0 ? `+${figure(value)}` : figure(value));

/** A 95 % interval; without bounds all values are equal, and there is none. */
export const interval = (low: number | null, high: number | null): string =>
  low === null || high === null ? "(all equal)" : `[${figure(low)}, ${figure(high)}]`;

/** Means and the bounds that are known, for a scale that holds them. */
export const extent = (points: readonly { mean: number; low: number | null; high: number | null }[]): number[] =>
  points.flatMap(({ mean, low, high }) => [mean, low ?? mean, high ?? mean]);

export const dollars = (value: number): string => {
  if (value === 0) return "$0";
  return value < 0.01 ? `$${Number(value.toPrecision(2))}` : `$${value.toFixed(value < 1 ? 3 : 2)}`;
};

export interface Scale {
  /** Of the axis. */
  from: number;
  to: number;
  ticks: readonly number[];
  /** A tick's label. */
  label(tick: number): string;
  /** 0 to 1 along the axis. */
  place(value: number): number;
}

/**
 * A scale with about six round ticks that holds all values.
 * @param values at least one
 * @param bounds the measure has no values outside
 */
export function linearScale(
  values: readonly number[],
  [least, most]: readonly [number | null, number | null] = [null, null],
): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spread = high - low || Math.max(Math.abs(high) * 0.2, 0.1);
  const within = (value: number) => Math.min(most ?? Infinity, Math.max(least ?? -Infinity, value));
  const [begin, end] = high === low ? [within(low - spread / 2), within(high + spread / 2)] : [low, high];
  const step = roundStep((end - begin) / 5);
  const first = Math.floor(begin / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(end / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  const [from, to] = [ticks[0]!, ticks.at(-1)!];
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return {
    from,
    to,
    ticks,
    label: (tick) => figureTick(tick, decimals),
    place: (value) => (value - from) / (to - from),
  };
}

const figureTick = (tick: number, decimals: number): string =>
  `${tick < 0 ? MINUS : ""}${Math.abs(tick).toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}`;

/** 1, 2 or 5 times a power of ten, at least this. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999)!;
}

/** A logarithmic scale with ticks at 1, 2 and 5 times powers of ten. @param values all above 0 */
export function logScale(values: readonly number[], label: (tick: number) => string): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const powers = Array.from(
    { length: Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 2 },
    (_, index) => Math.floor(Math.log10(low)) + index,
  );
  const all = powers.flatMap((power) => [1, 2, 5].map((factor) => Number(`${factor}e${power}`)));
  const from = all.findLast((tick) => tick <= low)!;
  const to = all.find((tick) => tick >= high && tick > from)!;
  const shown = all.filter((tick) => tick >= from && tick <= to);
  const ticks = shown.length > 10 ? shown.filter((tick) => tick.toExponential().startsWith("1")) : shown;
  const place = (value: number) => Math.log(value / from) / Math.log(to / from);
  return { from, to, ticks, label, place };
}
