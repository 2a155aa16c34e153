import { expect, test } from "vitest";
import { wilsonInterval } from "#workflows/experiment/rules/statistics/wilson";

// By hand, z² = 3.841458820694124: n / (n + z²) and z² / (n + z²). R 4, prop.test(k, n, correct = FALSE)$conf.int, with 12 digits:
// (12, 12) 0.757505993345 1; (0, 20) 0 0.161125158053; (1, 1) 0.206549314377 1
// scipy, binomtest(k, n).proportion_ci(method="wilson"): 0.7575059933447592, 0.16112515805281935 and 0.20654931437723742
test.each([
  ["all", 12, 0.757505993345, 1],
  ["none", 20, 0, 0.161125158053],
  ["all", 1, 0.206549314377, 1],
] as const)("Wilson's interval where %s of %i are seen", (seen, n, low, high) => {
  const found = wilsonInterval(seen, n);
  expect(found.low).toBeCloseTo(low, 9);
  expect(found.high).toBeCloseTo(high, 9);
});
