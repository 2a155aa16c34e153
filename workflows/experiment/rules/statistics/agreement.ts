import { mean } from "simple-statistics";

/**
 * Agreement of raters beyond chance. Ratings are categories, or points of a scale; `ratings[rater][item]`.
 * No maintained library has these; the tests hold known results.
 */

export type Weights = "none" | "linear" | "quadratic";

const DISAGREEMENT: Record<Weights, (a: number, b: number, steps: number) => number> = {
  none: (a, b) => Number(a !== b),
  linear: (a, b, steps) => Math.abs(a - b) / steps,
  quadratic: (a, b, steps) => ((a - b) / steps) ** 2,
};

/**
 * Cohen's kappa of two raters, -1 to 1 (Cohen 1960; weighted: Cohen 1968); 1 where both use the same single category throughout.
 * @param scale all categories in their order; weights need unused categories too, for the distances
 * @throws RangeError when ratings are empty, of different length, or off the scale
 */
export function cohenKappa(
  first: readonly number[],
  second: readonly number[],
  { weights = "none", scale = categories([first, second]) }: { weights?: Weights; scale?: readonly number[] } = {},
): number {
  checkRatings([first, second], scale);
  const places = (ratings: readonly number[]) => ratings.map((rating) => scale.indexOf(rating));
  const [firstPlaces, secondPlaces] = [places(first), places(second)];
  const distance = (a: number, b: number) => DISAGREEMENT[weights](a, b, Math.max(1, scale.length - 1));
  const observed = mean(firstPlaces.map((place, item) => distance(place, secondPlaces[item]!)));
  const expected = mean(firstPlaces.flatMap((a) => secondPlaces.map((b) => distance(a, b))));
  return expected === 0 ? 1 : 1 - observed / expected;
}

/**
 * Fleiss' kappa of any number of raters (Fleiss 1971), -1 to 1; 1 where all use one category throughout.
 * @throws RangeError with fewer than two raters, or ratings that are empty or of different length
 */
export function fleissKappa(ratings: readonly (readonly number[])[]): number {
  const scale = categories(ratings);
  if (ratings.length < 2) throw new RangeError("Agreement takes two raters or more.");
  checkRatings(ratings, scale);
  const raters = ratings.length;
  const items = ratings[0]!.map((_, item) => ratings.map((of) => of[item]!));
  const counts = items.map((given) => scale.map((category) => given.filter((rating) => rating === category).length));
  const observed = mean(
    counts.map((row) => (row.reduce((sum, count) => sum + count ** 2, 0) - raters) / (raters * (raters - 1))),
  );
  const shares = scale.map((_, place) => mean(counts.map((row) => row[place]! / raters)));
  const expected = shares.reduce((sum, share) => sum + share ** 2, 0);
  return expected === 1 ? 1 : (observed - expected) / (1 - expected);
}

const categories = (ratings: readonly (readonly number[])[]): number[] =>
  [...new Set(ratings.flat())].toSorted((a, b) => a - b);

function checkRatings(ratings: readonly (readonly number[])[], scale: readonly number[]): void {
  const items = ratings[0]!.length;
  if (items === 0 || ratings.some(({ length }) => length !== items))
    throw new RangeError("Every rater must rate every item.");
  const stray = ratings.flat().find((rating) => !scale.includes(rating));
  if (stray !== undefined) throw new RangeError(`${stray} is not on the scale.`);
}
