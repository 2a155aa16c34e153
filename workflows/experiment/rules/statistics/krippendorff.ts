/** How far apart two ratings are: as categories, as ranks, or as numbers. */
export type Level = "nominal" | "ordinal" | "interval";

/**
 * Krippendorff's alpha of any number of raters, at most 1; 0 is chance, below 0 is systematic disagreement (Krippendorff 2011,
 * "Computing Krippendorff's Alpha-Reliability"). Raters may leave items out: items with fewer than two ratings do not count.
 * 1 where all ratings are one value.
 * @param ratings `ratings[rater][item]`; null: not rated
 * @throws RangeError when raters have lists of different length, or no item has two ratings
 */
export function krippendorffAlpha(
  ratings: readonly (readonly (number | null)[])[],
  { level = "nominal" }: { level?: Level } = {},
): number {
  const units = pairableUnits(ratings);
  const values = [...new Set(units.flat())].toSorted((a, b) => a - b);
  const counts = units.map((unit) => values.map((value) => unit.filter((rating) => rating === value).length));
  const totals = values.map((_, place) => counts.reduce((sum, unit) => sum + unit[place]!, 0));
  const all = totals.reduce((sum, count) => sum + count, 0);
  const distance = distances(values, totals, level);
  const disagreement = (of: readonly number[]) =>
    of.reduce(
      (sum, one, a) => sum + of.reduce((inner, other, b) => inner + one * (a === b ? 0 : other) * distance(a, b), 0),
      0,
    );
  const observed = counts.reduce((sum, unit, index) => sum + disagreement(unit) / (units[index]!.length - 1), 0) / all;
  const expected = disagreement(totals) / (all * (all - 1));
  return expected === 0 ? 1 : 1 - observed / expected;
}

/** The ratings of each item that two raters or more have rated. */
function pairableUnits(ratings: readonly (readonly (number | null)[])[]): number[][] {
  const items = ratings[0]?.length ?? 0;
  if (ratings.some(({ length }) => length !== items)) throw new RangeError("Every rater needs a place for every item.");
  const units = Array.from({ length: items }, (_, item) =>
    ratings.flatMap((of) => (of[item] === null || of[item] === undefined ? [] : [of[item]])),
  ).filter(({ length }) => length > 1);
  if (units.length === 0) throw new RangeError("No item has two ratings: agreement takes two.");
  return units;
}

/** Squared distance of the values at two places. Between ranks it is the number of ratings between them, each end counted half. */
function distances(
  values: readonly number[],
  totals: readonly number[],
  level: Level,
): (a: number, b: number) => number {
  if (level === "nominal") return (a, b) => Number(a !== b);
  if (level === "interval") return (a, b) => (values[a]! - values[b]!) ** 2;
  return (a, b) => {
    const [low, high] = a < b ? [a, b] : [b, a];
    const between = totals.slice(low, high + 1).reduce((sum, count) => sum + count, 0);
    return (between - (totals[low]! + totals[high]!) / 2) ** 2;
  };
}
