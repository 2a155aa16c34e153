import { describe, expect, test } from "vitest";
import { cohenKappa, fleissKappa } from "#workflows/experiment/rules/statistics/agreement";

/** `table[i][j]`: items that one rater put in i and the other in j. */
const fromTable = (table: number[][]): [number[], number[]] => {
  const pairs = table.flatMap((row, i) =>
    row.flatMap((count, j) => Array.from({ length: count }, () => [i, j] as const)),
  );
  return [pairs.map(([i]) => i), pairs.map(([, j]) => j)];
};

describe("agreement of raters", () => {
  test("Cohen's kappa of the common two-by-two example (20, 5, 10, 15) is 0.4", () => {
    expect(
      cohenKappa(
        ...fromTable([
          [20, 5],
          [10, 15],
        ]),
      ),
    ).toBeCloseTo(0.4, 10);
  });

  test("Cohen's kappa of unequal margins: (45, 15, 25, 15) is 0.1304, (25, 35, 5, 35) is 0.2593", () => {
    expect(
      cohenKappa(
        ...fromTable([
          [45, 15],
          [25, 15],
        ]),
      ),
    ).toBeCloseTo(0.1304, 4);
    expect(
      cohenKappa(
        ...fromTable([
          [25, 35],
          [5, 35],
        ]),
      ),
    ).toBeCloseTo(0.2593, 4);
  });

  test("weights forgive neighbours, quadratic ones more than linear", () => {
    const table = [
      [10, 4, 1],
      [3, 12, 4],
      [0, 5, 11],
    ];
    const plain = cohenKappa(...fromTable(table));
    const linear = cohenKappa(...fromTable(table), { weights: "linear" });
    const quadratic = cohenKappa(...fromTable(table), { weights: "quadratic" });
    // By hand: Σ w·observed / Σ w·expected with n = 50, rows 15, 19, 16, columns 13, 21, 16.
    const margins = { rows: [15, 19, 16], columns: [13, 21, 16] };
    const weighted = (power: number) => {
      let [observed, expected] = [0, 0];
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) {
          const weight = (Math.abs(i - j) / 2) ** power;
          observed += (weight * table[i]![j]!) / 50;
          expected += (weight * margins.rows[i]! * margins.columns[j]!) / 2500;
        }
      return 1 - observed / expected;
    };
    expect(linear).toBeCloseTo(weighted(1), 10);
    expect(quadratic).toBeCloseTo(weighted(2), 10);
    expect(plain).toBeLessThan(linear);
    expect(linear).toBeLessThan(quadratic);
  });

  test('is that of R: vcd::Kappa(table, weights = "Equal-Spacing" or "Fleiss-Cohen")', () => {
    const table = [
      [11, 4, 1],
      [3, 12, 4],
      [0, 5, 10],
    ];
    expect(cohenKappa(...fromTable(table))).toBeCloseTo(0.4854721549636804, 12);
    expect(cohenKappa(...fromTable(table), { weights: "linear" })).toBeCloseTo(0.5718363463368219, 12);
    expect(cohenKappa(...fromTable(table), { weights: "quadratic" })).toBeCloseTo(0.6668887408394405, 12);
  });

  test("Fleiss' kappa of the worked example with 14 raters, 10 items and 5 categories is 0.210", () => {
    const counts = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ];
    const items = counts.map((row) => row.flatMap((count, category) => Array.from({ length: count }, () => category)));
    const ratings = Array.from({ length: 14 }, (_, rater) => items.map((item) => item[rater]!));
    expect(fleissKappa(ratings)).toBeCloseTo(0.21, 3);
  });

  test("is 1 for perfect agreement, and refuses ratings that do not fit", () => {
    expect(cohenKappa([1, 2, 3], [1, 2, 3])).toBe(1);
    expect(cohenKappa([3, 3], [3, 3])).toBe(1);
    expect(
      fleissKappa([
        [3, 3],
        [3, 3],
        [3, 3],
      ]),
    ).toBe(1);
    expect(() => cohenKappa([1], [1, 2])).toThrow(RangeError);
    expect(() => cohenKappa([9], [1], { scale: [1, 2] })).toThrow("9 is not on the scale.");
    expect(() => fleissKappa([[1]])).toThrow(RangeError);
  });
});
