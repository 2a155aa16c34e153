import { describe, expect, test } from "vitest";
import { bootstrapMean, pairedBootstrap } from "#workflow-kit/statistics/bootstrap";

describe("paired bootstrap", () => {
  const better = Array.from({ length: 100 }, (_, index) => Number(index % 10 < 8));
  const worse = Array.from({ length: 100 }, (_, index) => Number(index % 10 < 5));

  test("finds a large difference significant, with the same result in both orders", () => {
    const one = pairedBootstrap(better, worse);
    const other = pairedBootstrap(worse, better);
    expect(one).toMatchObject({ significant: true, resamples: 10_000, seed: 1 });
    expect(one.mean).toBeCloseTo(0.3);
    expect(other.mean).toBeCloseTo(-0.3);
    expect(one.p).toBeLessThan(0.001);
    // 95 % interval of a share of 0.3 among 100: about ± 1.96 · √(0.21 / 100).
    expect(one.low).toBeCloseTo(0.3 - 1.96 * Math.sqrt(0.0021), 1);
    expect(one.high).toBeCloseTo(0.3 + 1.96 * Math.sqrt(0.0021), 1);
  });

  test("finds no difference where there is none", () => {
    expect(pairedBootstrap(better, better)).toMatchObject({ mean: 0, low: 0, high: 0, p: 1, significant: false });
    const [a, b] = [
      [1, 0, 1, 0],
      [0, 1, 0, 1],
    ];
    expect(pairedBootstrap(a, b).significant).toBe(false);
  });

  test("never claims a p of 0: the observed sample counts as one of the resamples", () => {
    const ones = Array.from({ length: 20 }, () => 1);
    const zeros = ones.map(() => 0);
    expect(pairedBootstrap(ones, zeros).p).toBeCloseTo(2 / 10_001, 10);
    expect(pairedBootstrap(ones, zeros, { resamples: 99 }).p).toBeCloseTo(0.02, 10);
  });

  test("depends on its seed only", () => {
    const scores = better.slice(0, 30);
    expect(pairedBootstrap(scores, worse.slice(0, 30), { seed: 7 })).toEqual(
      pairedBootstrap(scores, worse.slice(0, 30), { seed: 7 }),
    );
    expect(bootstrapMean(scores, { seed: 7, resamples: 99 })).not.toEqual(
      bootstrapMean(scores, { seed: 8, resamples: 99 }),
    );
  });

  // R: d <- c(…); b <- boot(d, function(x, i) mean(x[i]), 200000); quantile(b$t, c(.025, .975)); 2 * (sum(b$t <= 0) + 1) / 200001
  test("agrees with R's boot on 20 differences: 0.1 to 0.7, p about 0.0153", () => {
    const differences = [1, 0, 0, 1, 1, -1, 0, 1, 0, 1, 1, 0, -1, 1, 0, 0, 1, 1, 0, 1];
    const found = pairedBootstrap(
      differences,
      differences.map(() => 0),
    );
    expect(found.mean).toBeCloseTo(0.4, 12);
    expect(found.low).toBeCloseTo(0.1, 12);
    expect(found.high).toBeCloseTo(0.7, 12);
    expect(Math.abs(found.p - 0.0153)).toBeLessThan(0.005);
  });

  test("refuses scores without a partner", () => {
    expect(() => pairedBootstrap([1], [1, 0])).toThrow(/1 scores cannot be paired with 2/);
    expect(() => bootstrapMean([])).toThrow(RangeError);
  });
});
