import { describe, expect, test } from "vitest";
import { krippendorffAlpha } from "#workflows/experiment/rules/statistics/krippendorff";

/**
 * The expected fractions were computed once from the matrix of coincidences, in exact fractions, where our code sums over items:
 *
 *   from fractions import Fraction as F; import itertools
 *   units = [[r[i] for r in data if r[i] is not None] for i in range(9)]; units = [u for u in units if len(u) > 1]
 *   o = defaultdict(F); [o.__setitem__((u[i], u[j]), o[u[i], u[j]] + F(1, len(u) - 1)) for u in units for i, j in itertools.permutations(range(len(u)), 2)]
 *   n[a] = sum(o[a, b] for b in values); N = sum(n.values())
 *   1 - (sum(o[a, b] * d(a, b)) / N) / (sum(n[a] * n[b] * d(a, b)) / (N * (N - 1)))
 *
 *   nominal 26/47, ordinal 21621/24596, interval 173/194
 */
const RATINGS = [
  [1, 2, 3, 3, null, 5, 4, 1, null],
  [1, 2, 4, 3, 2, 5, 3, 1, 4],
  [null, 3, 3, 3, 2, 5, 4, 2, null],
];

describe("Krippendorff's alpha", () => {
  test("of three raters with gaps is that of the matrix of coincidences, at each level", () => {
    expect(krippendorffAlpha(RATINGS)).toBeCloseTo(26 / 47, 12);
    expect(krippendorffAlpha(RATINGS, { level: "ordinal" })).toBeCloseTo(21_621 / 24_596, 12);
    expect(krippendorffAlpha(RATINGS, { level: "interval" })).toBeCloseTo(173 / 194, 12);
  });

  test("by hand: (1, 1), (1, 2), (2, 2) has observed 2/6 and expected 18/30, hence 4/9", () => {
    const ratings = [
      [1, 1, 2],
      [1, 2, 2],
    ];
    expect(krippendorffAlpha(ratings)).toBeCloseTo(4 / 9, 12);
    expect(krippendorffAlpha(ratings, { level: "ordinal" })).toBeCloseTo(4 / 9, 12);
  });

  test("is 1 for perfect agreement, and negative where raters contradict each other", () => {
    expect(
      krippendorffAlpha([
        [1, 2, 3],
        [1, 2, 3],
      ]),
    ).toBe(1);
    expect(
      krippendorffAlpha([
        [2, 2],
        [2, 2],
      ]),
    ).toBe(1);
    // Observed 1, expected 2 · 2 · 2 / (4 · 3) = 2/3.
    expect(
      krippendorffAlpha([
        [1, 2],
        [2, 1],
      ]),
    ).toBeCloseTo(-0.5, 12);
  });

  test("refuses ratings of which none can be compared", () => {
    expect(() => krippendorffAlpha([[1, 2]])).toThrow("No item has two ratings: agreement takes two.");
    expect(() => krippendorffAlpha([[1], [1, 2]])).toThrow("Every rater needs a place for every item.");
    expect(() => krippendorffAlpha([])).toThrow(RangeError);
  });
});
