import { describe, expect, test } from "vitest";
import { bootstrapColumns, SIGNIFICANCE } from "#workflows/experiment/rules/statistics/bootstrap";

/** The mean difference of two systems on the same questions. */
const difference = (system: number[], baseline: number[], options: { resamples?: number; seed?: number } = {}) =>
  bootstrapColumns([system.map((score, index) => score - baseline[index]!)], options)[0]!;

describe("the bootstrap of paired differences", () => {
  const better = Array.from({ length: 100 }, (_, index) => Number(index % 10 < 8));
  const worse = Array.from({ length: 100 }, (_, index) => Number(index % 10 < 5));

  test("finds a large difference significant, with the same result in both orders", () => {
    const one = difference(better, worse);
    const other = difference(worse, better);
    expect(one.mean).toBeCloseTo(0.3);
    expect(other.mean).toBeCloseTo(-0.3);
    expect(one.p).toBeLessThan(0.001);
    // 95 % interval of a share of 0.3 among 100: about ± 1.96 · √(0.21 / 100).
    expect(one.low).toBeCloseTo(0.3 - 1.96 * Math.sqrt(0.0021), 1);
    expect(one.high).toBeCloseTo(0.3 + 1.96 * Math.sqrt(0.0021), 1);
  });

  test("finds no difference where there is none", () => {
    expect(difference(better, better)).toEqual({ mean: 0, low: 0, high: 0, p: 1 });
    expect(difference([1, 0, 1, 0], [0, 1, 0, 1]).p).toBeGreaterThan(SIGNIFICANCE);
  });

  test("never claims a p of 0: the observed sample counts as one of the resamples", () => {
    const ones = Array.from({ length: 20 }, () => 1);
    const zeros = ones.map(() => 0);
    expect(difference(ones, zeros).p).toBeCloseTo(2 / 10_001, 10);
    expect(difference(ones, zeros, { resamples: 99 }).p).toBeCloseTo(0.02, 10);
  });

  test("depends on its seed only", () => {
    const [scores, others] = [better.slice(0, 30), worse.slice(0, 30)];
    expect(difference(scores, others, { seed: 7 })).toEqual(difference(scores, others, { seed: 7 }));
    expect(bootstrapColumns([scores], { seed: 7, resamples: 99 })).not.toEqual(
      bootstrapColumns([scores], { seed: 8, resamples: 99 }),
    );
  });

  // R: d <- c(…); b <- boot(d, function(x, i) mean(x[i]), 200000); quantile(b$t, c(.025, .975)); 2 * (sum(b$t <= 0) + 1) / 200001
  test("agrees with R's boot on 20 differences: 0.1 to 0.7, p about 0.0153", () => {
    const differences = [1, 0, 0, 1, 1, -1, 0, 1, 0, 1, 1, 0, -1, 1, 0, 0, 1, 1, 0, 1];
    const [found] = bootstrapColumns([differences]);
    expect(found!.mean).toBeCloseTo(0.4, 12);
    expect(found!.low).toBeCloseTo(0.1, 12);
    expect(found!.high).toBeCloseTo(0.7, 12);
    expect(Math.abs(found!.p - 0.0153)).toBeLessThan(0.005);
  });

  test("refuses columns of different length, and empty ones", () => {
    expect(() => bootstrapColumns([[1], [1, 0]])).toThrow("Columns of one table have the same rows.");
    expect(() => bootstrapColumns([[]])).toThrow(RangeError);
  });
});
