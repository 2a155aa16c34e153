import { describe, expect, test } from "vitest";
import { microTable } from "#workflows/experiment/reports/sections";
import { analyse } from "#workflows/experiment/rules/analysis";
import type { ComparisonResult } from "#workflows/experiment/rules/analysis-types";
import { leastAdjusted, leastDiffering, resamplesFor } from "#workflows/experiment/rules/comparisons";
import { effortOf } from "#workflows/experiment/rules/effort";
import type { TrialResult } from "#workflows/experiment/rules/trials";
import { experiment, itemIds, measure, planted, trial, variant } from "./samples";

/** Scores of one variant by item, in the order of the items; a list of scores: repetitions. */
const scored = (name: string, scores: readonly (number | null | readonly number[])[]) =>
  scores.flatMap((of, index) =>
    [of]
      .flat()
      .map((score, repetition) =>
        trial({ variant: name, item: `q${index + 1}`, repetition, scores: { accuracy: score as number | null } }),
      ),
  );

const two = (system: Parameters<typeof scored>[1], baseline: Parameters<typeof scored>[1], more = {}) =>
  analyse(
    experiment({
      variants: [variant("baseline"), variant("system")],
      measures: [measure("accuracy")],
      results: [...scored("baseline", baseline), ...scored("system", system)],
      ...more,
    }),
  );

const many = (value: number, number: number): number[] => Array.from({ length: number }, () => value);

describe("means", () => {
  test("of an item's repetitions come first, then the mean over items", () => {
    const { results } = two([[1, 1, 0], [0], [1, 0]], [[0], [0], [1, 1, 0]]);
    expect(results[0]).toMatchObject({ variant: "baseline", n: 3, constant: false });
    expect(results[0]!.mean).toBeCloseTo((0 + 0 + 2 / 3) / 3, 9);
    expect(results[1]!.mean).toBeCloseTo((2 / 3 + 0 + 1 / 2) / 3, 9);
  });

  test("of two items have the exact interval of their four resamples", () => {
    const [, system] = two([0, 1], [0, 0]).results;
    expect(system).toMatchObject({ n: 2, mean: 0.5, low: 0, high: 1 });
  });

  // Wilson, by hand: z² = 3.8414588206941; of 12 right ones the share is at least 12 / (12 + z²), of 20 wrong ones at most z² / (20 + z²).
  test("of scores that are all right or all wrong have Wilson's interval, which has a width", () => {
    const { results, missing } = two(many(1, 12), many(1, 12), { measures: [measure("accuracy")] });
    expect(results[0]).toMatchObject({ mean: 1, high: 1, constant: true });
    expect(results[0]!.low).toBeCloseTo(0.757505993345, 9);
    expect(missing.join(" ")).toContain("Wilson's");
    const [wrong] = two(many(1, 20), many(0, 20)).results;
    expect(wrong).toMatchObject({ mean: 0, low: 0, constant: true });
    expect(wrong!.high).toBeCloseTo(0.161125158053, 9);
  });

  test("of equal scores between the ends of the range have no interval", () => {
    const { results, missing } = two(many(0.5, 12), many(0.5, 12));
    expect(results[0]).toMatchObject({ mean: 0.5, low: null, high: null, constant: true });
    expect(missing.join(" ")).toContain("there is no interval");
  });

  test("and differences that are all equal show no certainty either", () => {
    const [same] = two(many(1, 12), many(1, 12)).comparisons;
    expect(same).toMatchObject({ difference: 0, low: null, high: null, because: "few_items_differ" });
    const [opposite] = two(many(1, 12), many(0, 12)).comparisons;
    expect(opposite).toMatchObject({ difference: 1, high: 1, verdict: "better" });
    expect(opposite!.low).toBeCloseTo(2 * 0.757505993345 - 1, 9);
  });

  test("of one tag with one item have Wilson's interval", () => {
    const input = planted({ a: 1 }, { items: 12, seed: 1 });
    const items = input.items.map((item, index) => ({ ...item, tags: index === 0 ? ["rare"] : [] }));
    const [rare] = analyse({ ...input, items }).by_tag;
    expect(rare).toMatchObject({ n: 1, mean: 1, high: 1 });
    expect(rare!.low).toBeCloseTo(0.206549314377, 9);
  });

  test("over fewer than 20 items say that their intervals are too narrow", () => {
    const said = (items: number) => analyse(planted({ a: 0.5, b: 0.5 }, { items, seed: 1 })).missing.join(" ");
    expect(said(19)).toContain("over 19 items only");
    expect(said(20)).not.toContain("too narrow");
  });

  test("do not depend on the order of the trials", () => {
    const input = planted({ a: 0.5, b: 0.6 }, { items: 30, seed: 3 });
    expect(analyse({ ...input, results: input.results.toReversed() })).toEqual(analyse(input));
  });

  // R 4, boot: the script draws a and b as below (24 items of 8 patterns, 3 repetitions, averaged first), then
  //   for (d in list(a, a - b)) { r <- boot(d, function(x, i) mean(x[i]), 400000)
  //     print(c(mean(d), quantile(r$t, c(.025, .975)), boot.ci(r, type = "perc")$percent[4:5], 2 * (sum(r$t <= 0) + 1) / 400001)) }
  // Output: 0.6666667  0.5277778 0.7916667  0.5277778 0.7916667  4.999988e-06
  //         0.2083333  0.1111111 0.2916667  0.1111111 0.2916667  5.999985e-05
  test("and paired differences agree with R's boot on 24 items with three repetitions", () => {
    const system = [
      [1, 1, 0],
      [1, 1, 1],
      [0, 1, 0],
      [1, 0, 1],
      [1, 1, 1],
      [0, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ];
    const baseline = [
      [0, 1, 0],
      [1, 0, 1],
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 1],
      [0, 1, 0],
      [1, 0, 0],
      [1, 1, 1],
    ];
    const thrice = (rows: number[][]) => [...rows, ...rows, ...rows];
    const { results, comparisons } = two(thrice(system), thrice(baseline), { resamples: 40_000 });
    expect(results[1]!.mean).toBeCloseTo(2 / 3, 9);
    expect(Math.abs(results[1]!.low! - 0.5277778)).toBeLessThan(0.015);
    expect(Math.abs(results[1]!.high! - 0.7916667)).toBeLessThan(0.015);
    const [found] = comparisons;
    expect(found!.difference).toBeCloseTo(5 / 24, 9);
    expect(Math.abs(found!.low! - 0.1111111)).toBeLessThan(0.015);
    expect(Math.abs(found!.high! - 0.2916667)).toBeLessThan(0.015);
    expect(found!.p).toBeLessThan(0.0005);
    expect(found!.verdict).toBe("better");
  });
});

describe("failed trials", () => {
  const failing = (on_failure: "count_as_wrong" | "leave_out", of = measure("accuracy")) =>
    analyse(
      experiment({
        variants: [variant("a")],
        measures: [of],
        on_failure,
        repetitions: 2,
        results: [
          trial({ variant: "a", item: "q1", scores: { accuracy: 1 } }),
          trial({
            variant: "a",
            item: "q1",
            repetition: 1,
            status: "failed",
            error: { code: "invalid_output", detail: "" },
          }),
          trial({ variant: "a", item: "q2", status: "canceled" }),
        ],
      }),
    );

  test("count with the worst value of the range, or are left out and counted", () => {
    expect(failing("count_as_wrong").results[0]).toMatchObject({ n: 1, mean: 0.5, failed: 1, without_value: 0 });
    expect(failing("leave_out").results[0]).toMatchObject({ n: 1, mean: 1, failed: 0, without_value: 1 });
    expect(failing("leave_out").trials).toEqual({ planned: 4, completed: 1, failed: 2, left_out: 3, reused: 0 });
  });

  test("have the upper end of the range where less is better, and no value where it has no end", () => {
    const lower = { higher_is_better: false };
    expect(failing("count_as_wrong", measure("accuracy", { ...lower, range: [0, 3] })).results[0]!.mean).toBe(2);
    expect(failing("count_as_wrong", measure("accuracy", { ...lower, range: [0, null] })).results[0]).toMatchObject({
      mean: 1,
      without_value: 1,
    });
  });

  test("of a variant that never answered give it the worst mean", () => {
    const { results } = analyse(
      experiment({
        variants: [variant("a")],
        measures: [measure("accuracy")],
        results: [trial({ variant: "a", item: "q1", status: "failed" })],
      }),
    );
    expect(results).toMatchObject([{ n: 1, mean: 0, failed: 1 }]);
  });

  test("do not count by a measure that the variant does not have", () => {
    const { results, missing } = analyse(
      experiment({
        variants: [variant("a"), variant("b")],
        measures: [measure("accuracy"), measure("citations")],
        results: [
          trial({ variant: "a", item: "q1", scores: { accuracy: 1, citations: 0.5 } }),
          trial({ variant: "b", item: "q1", scores: { accuracy: 1 } }),
          trial({ variant: "b", item: "q2", status: "failed" }),
        ],
      }),
    );
    expect(results.map((one) => `${one.variant} ${one.measure}`)).toEqual(["a accuracy", "b accuracy", "a citations"]);
    expect(missing).toContain("`citations` has no value for `b`.");
  });

  test("and notRun ones are named with their errors", () => {
    const { failures, missing } = failing("count_as_wrong");
    expect(failures[0]).toMatchObject({ planned: 4, completed: 1, failed: 1, canceled: 1, missing: 1 });
    expect(failures[0]!.errors).toEqual([{ code: "invalid_output", trials: 1 }]);
    expect(missing).toContain("`a`: 1 of 4 trials were not run.");
  });
});

describe("comparisons", () => {
  const [one] = [(all: readonly ComparisonResult[]) => all[0]!];

  test("pair the items that both have", () => {
    const found = one(two([1, 1, null, 0], [0, 1, 1, null]).comparisons);
    expect(found).toMatchObject({ system: "system", baseline: "baseline", n: 2, differing: 1, difference: 0.5 });
  });

  test.each([
    [0, 6],
    [1, 6],
    [2, 7],
    [3, 7],
    [4, 8],
    [6, 8],
    [7, 9],
    [100, 12],
  ])(
    "among %d need %d items that differ: a one-sided sign test of so many stays below 0.05 after Holm's first step",
    (shown, least) => {
      expect(leastDiffering(shown)).toBe(least);
      expect((2 / 2 ** least) * shown).toBeLessThan(0.05);
      if (least > 6) expect((2 / 2 ** (least - 1)) * shown).toBeGreaterThanOrEqual(0.05);
    },
  );

  test("are inconclusive when fewer than six items differ, although the bootstrap would", () => {
    const found = one(two([...many(1, 5), ...many(1, 5)], [...many(0, 5), ...many(1, 5)]).comparisons);
    expect(found.low).toBeGreaterThan(0);
    expect(found.p_adjusted).toBeLessThan(0.05);
    expect(found).toMatchObject({ differing: 5, verdict: "inconclusive", because: "few_items_differ" });
    expect(one(two(many(1, 6), many(0, 6)).comparisons)).toMatchObject({
      differing: 6,
      verdict: "better",
      because: null,
    });
  });

  test("are inconclusive when the interval holds 0", () => {
    const found = one(two([...many(1, 11), ...many(0, 10)], [...many(0, 11), ...many(1, 10)]).comparisons);
    expect(found).toMatchObject({ verdict: "inconclusive", because: "interval_holds_zero" });
    expect(found.low).toBeLessThan(0);
    expect(found.high).toBeGreaterThan(0);
  });

  test("are inconclusive when p is too large once it is adjusted for all that are shown", () => {
    const weak = {
      system: [...many(1, 12), ...many(0, 3), ...many(1, 20)],
      baseline: [...many(0, 12), ...many(1, 3), ...many(1, 20)],
    };
    expect(one(two(weak.system, weak.baseline).comparisons)).toMatchObject({ verdict: "better" });
    const names = itemIds(30).map((name) => `v-${name}`);
    const { comparisons } = analyse(
      experiment({
        variants: [variant("baseline"), variant("system"), ...names.map((name) => variant(name))],
        measures: [measure("accuracy")],
        results: [
          ...scored("baseline", weak.baseline),
          ...scored("system", weak.system),
          ...names.flatMap((name) => scored(name, weak.baseline)),
        ],
      }),
    );
    const found = one(comparisons);
    expect(found.low).toBeGreaterThan(0);
    expect(found).toMatchObject({ system: "system", verdict: "inconclusive", because: "p_adjusted" });
    expect(found.p_adjusted).toBeCloseTo(Math.min(1, 31 * found.p), 9);
  });

  test("call less better where less is better; the difference stays system minus baseline", () => {
    const lower = { measures: [measure("accuracy", { higher_is_better: false })] };
    expect(one(two(many(0, 10), many(1, 10), lower).comparisons)).toMatchObject({ difference: -1, verdict: "better" });
    expect(one(two(many(1, 10), many(0, 10), lower).comparisons)).toMatchObject({ difference: 1, verdict: "worse" });
  });

  test("of equal scores have p 1 and need no number of items", () => {
    const found = one(two([0, 1, 0, 1], [0, 1, 0, 1]).comparisons);
    expect(found).toMatchObject({ difference: 0, p: 1, p_adjusted: 1, items_needed: null, verdict: "inconclusive" });
  });

  // 10 differences: 6 of +1, 2 of -1, 2 of 0: d = 0.4, s² = (6 · 0.36 + 2 · 1.96 + 2 · 0.16) / 9 = 0.7111;
  // (1.959964 + 0.841621)² · 0.7111 / 0.16 = 34.88.
  test("estimate the items needed for the difference seen: (z + z)² s² / d²", () => {
    const found = one(two([...many(1, 6), 0, 0, 1, 0], [...many(0, 6), 1, 1, 1, 0]).comparisons);
    expect(found.difference).toBeCloseTo(0.4, 9);
    expect(found.items_needed).toBe(35);
  });

  test("that share no item are missing, and said to be", () => {
    const { comparisons, missing } = two([1, null], [null, 1]);
    expect(comparisons).toEqual([]);
    expect(missing.join(" ")).toContain("no item has a score of both");
  });

  test("get more resamples where many are shown, as far as they can be computed; otherwise the analysis says that nothing can be decided", () => {
    expect(resamplesFor(10, 400, 10_000)).toBe(10_000);
    expect(leastAdjusted(600, 10_000)).toBeGreaterThan(0.05);
    expect(leastAdjusted(600, resamplesFor(600, 250, 10_000))).toBeLessThan(0.05);
    expect(resamplesFor(9_500, 5_000, 1000)).toBe(1000);
  });
});

describe("costs", () => {
  test("of a trial that failed before its first call are 0, and of a removed one unknown", () => {
    const none = {
      llm_calls: 0,
      input_tokens: 0,
      cached_input_tokens: 0,
      output_tokens: 0,
      reasoning_tokens: 0,
      cost_usd: null,
    };
    const failed = trial({ variant: "a", item: "q2", status: "failed", usage: none });
    const of = (one: TrialResult) => effortOf("a", [trial({ variant: "a", item: "q1", cost: 0.02 }), one]);
    expect(of({ ...failed, workflow_version: 1 })).toMatchObject({ cost_usd: 0.01, total_cost_usd: 0.02 });
    expect(of(failed)).toMatchObject({ cost_usd: null });
  });

  test("are means of a trial, and unknown when one is unknown", () => {
    const results = [
      trial({ variant: "a", item: "q1", tokens: 100, cost: 0.02, seconds: 2, scores: { accuracy: 1 } }),
      trial({ variant: "a", item: "q2", tokens: 300, cost: 0.04, seconds: 5, scores: { accuracy: 0 } }),
      trial({ variant: "b", item: "q1", tokens: 100, cost: null, scores: { accuracy: 1 } }),
    ];
    const { effort, fronts, missing } = analyse(
      experiment({ variants: [variant("a"), variant("b")], measures: [measure("accuracy")], results }),
    );
    expect(effort[0]).toMatchObject({ trials: 2, tokens: 200, calls: 2, seconds: 3.5, total_tokens: 400 });
    expect(effort[0]!.cost_usd).toBeCloseTo(0.03, 9);
    expect(effort[1]).toMatchObject({ cost_usd: null, total_cost_usd: null });
    expect(missing.join(" ")).toContain("The cost of `b` is unknown");
    expect(fronts[0]).toMatchObject({ cost_of: "tokens" });
    expect(fronts[0]!.points).toEqual([
      { variant: "a", cost: 200, score: 0.5, on_front: false },
      { variant: "b", cost: 100, score: 1, on_front: true },
    ]);
  });
});

describe("micro averages", () => {
  const counts = (found: number, right: number, matched: number) => ({
    "model_match.actor_found": found,
    "model_match.actor_right": right,
    "model_match.actor_matched": matched,
    "model_match.actor_f1": 0.5,
  });
  const measures = Object.keys(counts(0, 0, 0)).map((name) => measure(name));

  test("add counts up first, and give no mean of the counts themselves", () => {
    const { micro, results } = analyse(
      experiment({
        variants: [variant("a"), variant("b")],
        measures,
        results: [
          trial({ variant: "a", item: "q1", scores: counts(4, 5, 3) }),
          trial({ variant: "a", item: "q2", scores: counts(2, 1, 1) }),
          trial({ variant: "b", item: "q1", status: "failed" }),
          trial({ variant: "b", item: "q2", scores: counts(1, 1, 1) }),
        ],
      }),
    );
    expect(micro[0]).toMatchObject({ variant: "a", of: "model_match.actor", found: 6, right: 6, matched: 4 });
    expect(micro[0]!.precision).toBeCloseTo(4 / 6, 9);
    // The failed trial has found nothing of the five that are right in its item.
    expect(micro[1]).toMatchObject({ variant: "b", found: 1, right: 6, matched: 1 });
    expect(micro[1]!.recall).toBeCloseTo(1 / 6, 9);
    expect(new Set(results.map((one) => one.measure))).toEqual(new Set(["model_match.actor_f1"]));
  });

  // By hand, two items: the resamples are q1 twice (1/4), both (1/2) and q2 twice (1/4), so that the quantiles of 0.025 and 0.975 are those of one
  // item alone: precision 3/4 and 1/2, recall 3/5 and 1/1; F1 is 6/9, 2/3 and 8/12.
  test("have intervals over items, whose repetitions are resampled together", () => {
    const variants = [variant("a")];
    const results = [
      trial({ variant: "a", item: "q1", scores: counts(3, 3, 2) }),
      trial({ variant: "a", item: "q1", repetition: 1, scores: counts(1, 2, 1) }),
      trial({ variant: "a", item: "q2", scores: counts(2, 1, 1) }),
    ];
    const input = experiment({ variants, measures, results, repetitions: 2 });
    const [row] = analyse(input).micro;
    expect(row!.intervals!.precision).toEqual({ low: 0.5, high: 0.75 });
    expect(row!.intervals!.recall!.low).toBeCloseTo(0.6, 9);
    expect(row!.intervals!.recall!.high).toBeCloseTo(1, 9);
    expect(row!.intervals!.f1).toBeNull();
    expect(microTable(analyse(input))).toContain(
      "| 6 | 6 | 4 | 0.667 [0.500, 0.750] | 0.667 [0.600, 1.000] | 0.667 (all equal) |",
    );
  });
});

describe("by tag", () => {
  test("the items with a tag are averaged; of many tags those of most items are shown", () => {
    const items = itemIds(30).map((id, index) => ({ id, tags: [`tag-${index}`, ...(index < 2 ? ["law"] : [])] }));
    const input = experiment({
      variants: [variant("a")],
      measures: [measure("accuracy")],
      items,
      results: scored("a", [1, 0, ...many(1, 28)]),
    });
    const { by_tag, missing } = analyse(input);
    expect(by_tag[0]).toMatchObject({ tag: "law", variant: "a", n: 2, mean: 0.5, low: 0, high: 1 });
    expect(new Set(by_tag.map(({ tag }) => tag)).size).toBe(20);
    expect(missing.join(" ")).toContain("the 20 tags of most items are shown; 11 are not");
  });
});

test("a failed trial is not wrong about what its item does not hold", () => {
  const { results } = analyse(
    experiment({
      variants: [variant("a"), variant("b")],
      measures: [measure("model_match.agent_f1")],
      results: [
        trial({ variant: "a", item: "q1", scores: { "model_match.agent_f1": 0.5 } }),
        trial({ variant: "a", item: "q2", scores: { "model_match.agent_f1": null } }),
        trial({ variant: "b", item: "q1", status: "failed" }),
        trial({ variant: "b", item: "q2", status: "failed" }),
        trial({ variant: "b", item: "q3", scores: { "model_match.agent_f1": 1 } }),
      ],
    }),
  );
  expect(results[1]).toMatchObject({ variant: "b", n: 2, mean: 0.5, failed: 1, without_value: 1 });
});

describe("a metric that compares variants with another", () => {
  const win = measure("fair_eval.win", { against: "baseline" });
  const wins = (rates: readonly number[], of = win) =>
    analyse(
      experiment({
        variants: [variant("baseline"), variant("system")],
        measures: [of],
        results: rates.flatMap((rate, index) => [
          trial({ variant: "baseline", item: `q${index + 1}` }),
          trial({ variant: "system", item: `q${index + 1}`, scores: { [of.name]: rate } }),
        ]),
      }),
    );

  test("is compared with parity, and the other variant needs no scores", () => {
    const { comparisons, missing } = wins([...many(1, 12), ...many(0.5, 4), ...many(0, 2)]);
    expect(comparisons).toMatchObject([
      { system: "system", baseline: "baseline", n: 18, differing: 14, verdict: "better" },
    ]);
    // 12 wins and 4 half: 14 of 18, less one half.
    expect(comparisons[0]!.difference).toBeCloseTo(14 / 18 - 0.5, 9);
    expect(missing.filter((sentence) => !sentence.includes("too narrow"))).toEqual([]);
    expect(wins(many(0.5, 20)).comparisons[0]).toMatchObject({
      difference: 0,
      differing: 0,
      verdict: "inconclusive",
    });
  });

  test("is compared once, also where the other variant has scores of ties with itself", () => {
    const results = itemIds(8).flatMap((item) => [
      trial({ variant: "baseline", item, scores: { [win.name]: 0.5 } }),
      trial({ variant: "system", item, scores: { [win.name]: 1 } }),
    ]);
    const { comparisons } = analyse(
      experiment({ variants: [variant("baseline"), variant("system")], measures: [win], results }),
    );
    expect(comparisons).toMatchObject([{ system: "system", baseline: "baseline", difference: 0.5, verdict: "better" }]);
  });

  // Items: both complete (a tie), only the system fails (a loss), both fail (a tie), the baseline was not run (nothing).
  test("counts a failed trial as lost against a completed one, and as a tie with a failed one", () => {
    const failed = (name: string, item: string) => trial({ variant: name, item, status: "failed" });
    const results = [
      trial({ variant: "baseline", item: "q1", scores: { [win.name]: 0.5 } }),
      trial({ variant: "system", item: "q1", scores: { [win.name]: 0.5 } }),
      trial({ variant: "baseline", item: "q2" }),
      failed("system", "q2"),
      failed("baseline", "q3"),
      failed("system", "q3"),
      failed("system", "q4"),
    ];
    const of = (on_failure: "count_as_wrong" | "leave_out") =>
      analyse(experiment({ variants: [variant("baseline"), variant("system")], measures: [win], results, on_failure }));
    const { results: means, comparisons } = of("count_as_wrong");
    expect(means[0]).toMatchObject({ variant: "baseline", mean: 0.5, failed: 0 });
    expect(means[1]).toMatchObject({ variant: "system", n: 3, failed: 1, without_value: 1 });
    expect(means[1]!.mean).toBeCloseTo(1 / 3, 9);
    expect(comparisons[0]).toMatchObject({ n: 3, differing: 1 });
    expect(of("leave_out").comparisons[0]).toMatchObject({ n: 1, difference: 0 });
  });

  test("has its parity in the middle of its range", () => {
    const difference = measure("fair_eval.score_difference", { against: "baseline", range: [-9, 9] });
    expect(wins(many(-2, 8), difference).comparisons[0]).toMatchObject({ difference: -2, verdict: "worse" });
  });
});

test("a failed trial has no value by a measure of which only some trials have one", () => {
  const results = [
    trial({ variant: "a", item: "q1", scores: { rated: 1 } }),
    trial({ variant: "a", item: "q2", status: "failed" }),
  ];
  const of = (sampled: boolean) =>
    analyse(experiment({ variants: [variant("a")], measures: [measure("rated", { sampled })], results })).results[0];
  expect(of(true)).toMatchObject({ n: 1, mean: 1, without_value: 1 });
  expect(of(false)).toMatchObject({ n: 2, mean: 0.5, without_value: 0 });
});

test("parts by kind of element have means, and are not compared: each comparison more makes all others harder to decide", () => {
  const names = ["model_match.f1", "model_match.actor.f1"];
  const results = ["a", "b"].flatMap((name, place) =>
    itemIds(10).map((item) =>
      trial({ variant: name, item, scores: Object.fromEntries(names.map((part) => [part, place])) }),
    ),
  );
  const found = analyse(
    experiment({ variants: [variant("a"), variant("b")], measures: names.map((name) => measure(name)), results }),
  );
  expect(new Set(found.results.map((result) => result.measure))).toEqual(new Set(names));
  expect(found.comparisons.map((comparison) => comparison.measure)).toEqual(["model_match.f1"]);
});
