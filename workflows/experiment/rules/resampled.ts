import { bootstrapColumns, type Bootstrapped } from "./statistics/bootstrap";
import { wilsonInterval } from "./statistics/wilson";

/** Values by item. */
export type ByItem = ReadonlyMap<string, number>;

/** Resamples of means by tag, and of counts: these are many and not compared. */
export const DETAIL_RESAMPLES = 1_000;

/** Least and greatest value of a series; null: there is none. */
export type Range = readonly [least: number | null, greatest: number | null];

/** A mean with its 95 % interval; bounds are null where the interval would have no width. */
export interface Resampled extends Omit<Bootstrapped, "low" | "high"> {
  low: number | null;
  high: number | null;
}

/**
 * Bootstraps many series of values by item. Series over the same items see the same resamples, which are drawn once for all of them.
 * @param items all items, in the order in which they are resampled
 * @param ranges by series, for values that are all equal; by default none is known
 * @returns by series; null: it has no item
 */
export function bootstrapSeries(
  series: readonly ByItem[],
  items: readonly string[],
  { resamples, seed }: { resamples: number; seed: number },
  ranges: readonly Range[] = [],
): (Resampled | null)[] {
  const results: (Resampled | null)[] = series.map(() => null);
  const places = Map.groupBy(series.keys(), (place) =>
    items.map((item) => (series[place]!.has(item) ? "1" : "0")).join(""),
  );
  for (const group of places.values()) {
    const shared = items.filter((item) => series[group[0]!]!.has(item));
    if (shared.length === 0) continue;
    const columns = group.map((place) => shared.map((item) => series[place]!.get(item)!));
    bootstrapColumns(columns, { resamples, seed }).forEach((result, index) => {
      const place = group[index]!;
      results[place] = { ...result, ...(areEqual(columns[index]!) && intervalOfEqual(columns[index]!, ranges[place])) };
    });
  }
  return results;
}

export const areEqual = (values: Iterable<number>): boolean => new Set(values).size === 1;

/**
 * Interval of the mean of equal values, which resampling cannot widen. At an end of the range it is Wilson's for the share of items at that end:
 * the mean is at least as near to the end as if all other items were at the opposite one. Elsewhere nothing is known.
 */
function intervalOfEqual(
  values: readonly number[],
  [least, greatest]: Range = [null, null],
): { low: number | null; high: number | null } {
  const [value] = values;
  if (least === null || greatest === null || (value !== least && value !== greatest)) return { low: null, high: null };
  const share = wilsonInterval(value === greatest ? "all" : "none", values.length);
  const placed = (at: number) => least + (greatest - least) * at;
  return { low: placed(share.low), high: placed(share.high) };
}
