import { bootstrapColumns, type Bootstrapped } from "#workflow-kit/statistics/bootstrap";

/** Values by item. */
export type ByItem = ReadonlyMap<string, number>;

/**
 * Bootstraps many series of values by item. Series over the same items see the same resamples, which are drawn once for all of them.
 * @param items all items, in the order in which they are resampled
 * @returns by series; null: it has no item
 */
export function bootstrapSeries(
  series: readonly ByItem[],
  items: readonly string[],
  { resamples, seed }: { resamples: number; seed: number },
): (Bootstrapped | null)[] {
  const results: (Bootstrapped | null)[] = series.map(() => null);
  const places = Map.groupBy(series.keys(), (place) =>
    items.map((item) => (series[place]!.has(item) ? "1" : "0")).join(""),
  );
  for (const group of places.values()) {
    const shared = items.filter((item) => series[group[0]!]!.has(item));
    if (shared.length === 0) continue;
    const columns = group.map((place) => shared.map((item) => series[place]!.get(item)!));
    bootstrapColumns(columns, { resamples, seed }).forEach((result, index) => (results[group[index]!] = result));
  }
  return results;
}
