import { expect, test } from "vitest";
import { holm } from "#workflows/experiment/rules/statistics/holm";

test("adjusts as R does: p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.04), 'holm')", () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005, 0.04]);
  [0.04, 0.09, 0.09, 0.025, 0.09].forEach((value, index) => expect(adjusted[index]).toBeCloseTo(value, 12));
});

test("leaves a single p as it is, never exceeds 1, and keeps the order of the input", () => {
  expect(holm([0.2])).toEqual([0.2]);
  expect(holm([0.6, 0.7])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

test("refuses what is no probability", () => {
  expect(() => holm([0.5, 1.2])).toThrow("1.2 is no p value.");
  expect(() => holm([Number.NaN])).toThrow(RangeError);
});
