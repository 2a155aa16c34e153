/** Metrics that read the output of one method. */
import { describe, expect, test } from "vitest";
import { METRICS } from "#workflows/experiment/rules/metrics/index";
import { parts, score } from "./trial";

describe("citations of a debate", () => {
  const right = { authority_id: "p1", external_id: "art34", quote_found: true, supported: true };
  const output = {
    citations: [
      right,
      { ...right, authority_id: "p2" },
      { ...right, authority_id: "p3", external_id: null, quote_found: false },
      { ...right, authority_id: "p4", external_id: "art36", supported: null },
    ],
    invented_citations: [{ authority_id: "art99", proposition: "It binds." }],
    retrieved: [
      { authority_id: "p1", external_id: "art34" },
      { authority_id: "p9", external_id: "art40" },
    ],
  };
  const gold = { authorities: ["art34", "art40", "art41"] };

  test("are right when shown, quoted correctly and judged to support: 2 of 5", () => {
    expect(score("citation_correctness", output)).toBeCloseTo(0.4, 9);
  });

  test("cover 1 of 3 gold sources, and the retrieved passages 2", () => {
    const { cited, retrieved } = parts("citation_coverage", output, gold);
    expect(cited).toBeCloseTo(1 / 3, 9);
    expect(retrieved).toBeCloseTo(2 / 3, 9);
  });

  test("have the harmonic mean of both as F1", () => {
    expect(score("citation_f1", output, gold)).toBeCloseTo((2 * 0.4 * (1 / 3)) / (0.4 + 1 / 3), 9);
  });

  test("that are absent have no correctness, and F1 0; a run of an earlier version has no list of retrieved passages", () => {
    const none = { citations: [], invented_citations: [] };
    expect(score("citation_correctness", none)).toBeNull();
    expect(score("citation_f1", none, gold)).toBe(0);
    expect(parts("citation_coverage", none, gold)).toEqual({ cited: 0, retrieved: null });
  });
});

test("position changes are the share of debaters that ended elsewhere", () => {
  const parties = [
    { position: "A", held: "A" },
    { position: "B", held: "A" },
    { position: "C", held: "A" },
  ];
  expect(score("position_changes", { parties })).toBeCloseTo(2 / 3, 9);
  expect(score("position_changes", { parties: [] })).toBeNull();
});

describe("ideas", () => {
  const first = { precision_at: { 5: 0.8, all: 0.5 }, mean_score: 3.25, win_rate: 0.625 };
  const output = { metrics: { non_duplicate_ratio: 0.75, configurations: [first, { ...first, win_rate: 0.375 }] } };

  test("have the figures of the run, of the first of two compared configurations", () => {
    expect(score("non_duplicate_ratio", output)).toBe(0.75);
    expect(parts("precision_at", output)).toEqual({ 5: 0.8, all: 0.5 });
    expect(score("tournament_score", output)).toBe(3.25);
    expect(score("tournament_win_rate", output)).toBe(0.625);
  });

  test("of one configuration have no tournament against another", () => {
    const alone = {
      metrics: {
        non_duplicate_ratio: null,
        configurations: [{ precision_at: null, mean_score: null, win_rate: null }],
      },
    };
    for (const name of ["non_duplicate_ratio", "precision_at", "tournament_score", "tournament_win_rate"])
      expect(score(name, alone), name).toBeNull();
  });
});

test("every metric is under its own name, and says in one line what it measures", () => {
  for (const [name, metric] of Object.entries(METRICS)) {
    expect(metric.name).toBe(name);
    expect(metric.summary).toMatch(/^[A-Z][^\n]+\.$/);
  }
});
