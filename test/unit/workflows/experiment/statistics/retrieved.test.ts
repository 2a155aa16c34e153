import { expect, test } from "vitest";
import { matchKeys, pooled, retrieved } from "#workflows/experiment/rules/statistics/retrieved";

test("precision, recall and F1 by hand: 4 found, 5 right, 3 in both", () => {
  const { precision, recall, f1 } = retrieved({ found: 4, right: 5, matched: 3 });
  expect(precision).toBeCloseTo(0.75, 12);
  expect(recall).toBeCloseTo(0.6, 12);
  expect(f1).toBeCloseTo(2 / 3, 12);
  expect(f1).toBeCloseTo((2 * 0.75 * 0.6) / (0.75 + 0.6), 12);
});

test("a share of nothing is null, not 0", () => {
  expect(retrieved({ found: 0, right: 2, matched: 0 })).toEqual({ precision: null, recall: 0, f1: 0 });
  expect(retrieved({ found: 2, right: 0, matched: 0 })).toEqual({ precision: 0, recall: null, f1: 0 });
  expect(retrieved({ found: 0, right: 0, matched: 0 })).toEqual({ precision: null, recall: null, f1: null });
});

test("a key that was found twice matches twice only if it is right twice", () => {
  expect(matchKeys(["a", "a", "b"], ["a", "b", "b", "c"])).toEqual({ found: 3, right: 4, matched: 2 });
  expect(matchKeys(["a", "a"], ["a", "a"])).toEqual({ found: 2, right: 2, matched: 2 });
});

test("pooled counts give the micro average", () => {
  const counts = pooled([
    { found: 4, right: 5, matched: 3 },
    { found: 6, right: 1, matched: 1 },
  ]);
  expect(counts).toEqual({ found: 10, right: 6, matched: 4 });
  expect(retrieved(counts).f1).toBeCloseTo(0.5, 12);
});
