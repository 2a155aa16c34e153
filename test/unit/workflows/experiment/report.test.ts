import { describe, expect, test } from "vitest";
import type { ReportContext } from "#workflows/experiment/reports/about";
import { layouts } from "#workflows/experiment/reports/layouts/index";
import { reportMarkdown } from "#workflows/experiment/reports/markdown";
import { PRESENTERS } from "#workflows/experiment/reports/presenters";
import { analyse } from "#workflows/experiment/rules/analysis";
import type { AnalysisInput } from "#workflows/experiment/rules/analysis-types";
import { experiment, itemIds, measure, planted, trial, variant } from "./samples";

const ABOUT: ReportContext = {
  title: "Is a debate worth its price?",
  run: {
    id: "run_1",
    created_at: "2026-11-23T01:40:00.000Z",
    mode: "live",
    workflow_version: 1,
    code_version: "4b79223",
  },
  dataset: {
    id: "ds_1",
    name: "School problems",
    content_hash: "abc123",
    selection: "40 of 50 items, drawn at random with seed 1",
  },
  stop_reason: null,
  judges: {},
  agreement: [],
};

const reportOf = (input: AnalysisInput, about: Partial<ReportContext> = {}): string =>
  reportMarkdown(input, analyse(input), { ...ABOUT, ...about });

const sectionOf = (report: string, title: string): string =>
  report.split(/^## /mu).find((part) => part.startsWith(title)) ?? "";

/** Right on all of 40 items against wrong on 20 of them, at three times the cost. */
const clear = (more: Partial<AnalysisInput> = {}) =>
  experiment({
    variants: [
      variant("plain", { workflow: "plain" }),
      variant("debate", { profile: "paper", options: { rounds: 3 } }),
    ],
    measures: [measure("accuracy")],
    results: itemIds(40).flatMap((item, index) => [
      trial({ variant: "plain", item, cost: 0.002, answer: "B|<b>", scores: { accuracy: index % 2 } }),
      trial({ variant: "debate", item, cost: 0.006, reused: true, workflow_version: 2, scores: { accuracy: 1 } }),
    ]),
    ...more,
  });

describe("the answer", () => {
  test("names the better variant with its interval and price", () => {
    const answer = sectionOf(reportOf(clear()), "Answer");
    expect(answer).toMatch(
      /In `accuracy`, `debate` is better than `plain`, by \+0\.500 \[0\.\d+, 0\.\d+\] over 40 items, at 3 times the cost \(\$0\.006 against \$0\.002 a trial\)\./u,
    );
    expect(answer).toContain("`plain` (0.500 for $0.002 a trial), `debate` (1.000 for $0.006 a trial)");
  });

  test("says that the data are inconclusive, and how many items the difference seen would take", () => {
    const results = itemIds(20).flatMap((item, index) => [
      trial({ variant: "plain", item, scores: { accuracy: Number(index < 11) } }),
      trial({ variant: "debate", item, scores: { accuracy: Number(index > 7) } }),
    ]);
    const answer = sectionOf(
      reportOf(clear({ results, items: itemIds(20).map((id) => ({ id, tags: [] })) })),
      "Answer",
    );
    expect(answer).toContain("The data are inconclusive about `accuracy`");
    expect(answer).toContain("the interval holds 0");
    expect(answer).toMatch(/would take more items, by estimate about [\d,]+ for `debate` against `plain`/u);
  });

  test("that is inconclusive names prices, and no variant as worth its price", () => {
    const results = itemIds(12).flatMap((item) => [
      trial({ variant: "plain", item, cost: 0.002, scores: { accuracy: 1 } }),
      trial({ variant: "debate", item, cost: 0.006, scores: { accuracy: 1 } }),
    ]);
    const answer = sectionOf(reportOf(clear({ results })), "Answer");
    expect(answer).toContain("The data are inconclusive about `accuracy`: no item differs in the comparison.");
    expect(answer).not.toMatch(/as good/u);
    expect(answer).toContain(
      "Whatever the scores are worth, the cheapest is `plain` at $0.002 a trial; `debate` 3 times as much.",
    );
  });

  test("of scores that are all equal claims no certainty, neither in words nor in tables", () => {
    const results = itemIds(12).flatMap((item) => [
      trial({ variant: "plain", item, scores: { accuracy: 1 } }),
      trial({ variant: "debate", item, scores: { accuracy: 0.5 } }),
    ]);
    const report = reportOf(clear({ results, items: itemIds(12).map((id) => ({ id, tags: ["all"] })) }));
    expect(report).toContain("1.000 [0.758, 1.000], n 12");
    expect(report).toContain("0.500 (all equal), n 12");
    expect(report).not.toMatch(/\[(.+), \1\]/u);
  });

  test("of one variant is its mean", () => {
    const input = planted({ alone: 0.5 }, { items: 10, seed: 1 });
    expect(sectionOf(reportOf(input), "Answer")).toMatch(
      /`alone` has 0\.\d+ \[.*\] over 10 items; nothing is compared\./u,
    );
  });

  test("of no score is that nothing can be said", () => {
    const input = experiment({ variants: [variant("a")], measures: [measure("accuracy")], results: [] });
    expect(reportOf(input)).toContain("nothing can be said");
  });
});

describe("the report", () => {
  test("marks test mode and a partial result before any number", () => {
    const report = reportOf(clear({ is_test_mode: true, partial: true }), { stop_reason: "The limit of $5 was met." });
    const [top] = report.split("## What was asked");
    expect(top).toContain("> **Test mode.**");
    expect(top).toMatch(/> \*\*Partial\.\*\*.*The limit of \$5 was met/u);
    expect(reportOf(clear())).not.toMatch(/Test mode|Partial/u);
  });

  test("tells its method: data set, resamples, seed, correction, reuse, and each variant's profile, model and options", () => {
    const method = sectionOf(reportOf(clear({ seed: 77 }), { judges: { judge: "gpt-judge" } }), "Method");
    for (const words of [
      "School problems",
      "`abc123`",
      "40 of 50 items, drawn at random with seed 1",
      "Run: `run_1`, created 2026-11-23T01:40:00.000Z, mode live; experiment version 1, code version 4b79223.",
      "10,000 resamples",
      "seed 77",
      "Holm",
      "at least 6 items differ",
    ])
      expect(method).toContain(words);
    expect(method).toContain("40 of 80 completed trials were run by earlier experiments");
    expect(method).toContain("judge: gpt-judge");
    expect(method).toContain('| `debate` | `debate` version 2 | `paper` | some-model | {"rounds":3} |');
    expect(method).toContain("| `plain` | `plain` | `default` |");
  });

  test("says before the answer that a variant does not see what others see", () => {
    const items = itemIds(40).map((id) => ({ id, tags: [], has_corpus: true }));
    const asked = (more: Partial<AnalysisInput>) => sectionOf(reportOf(clear(more)), "What was asked");
    expect(asked({ items })).toContain("`debate` can search the corpus of the items; `plain` cannot");
    expect(asked({ items: items.map((item, index) => ({ ...item, has_corpus: index < 3 })) })).toContain(
      "3 of 40 items",
    );
    expect(asked({})).not.toContain("corpus");
    expect(asked({ items, variants: [variant("plain"), variant("debate")] })).not.toContain("corpus");
  });

  test("shows the items on which variants differ, with short answers that open no markup", () => {
    const differing = sectionOf(reportOf(clear()), "Where the variants differ");
    expect(differing).toContain("on 20 of 40 items");
    expect(differing).toContain(String.raw`“B\|\<b\>”`);
    expect(differing.split("\n").filter((line) => line.startsWith("| `q"))).toHaveLength(20);
  });

  test("has every plot's table, and the image where it has an address", () => {
    const report = reportOf(clear(), { plot_links: { "means-accuracy": "means-accuracy.svg" } });
    expect(report).toContain("](means-accuracy.svg)");
    expect(report).not.toContain("](cost-accuracy.svg)");
    expect(report).toContain("### Score against cost: accuracy");
    expect(report).toMatch(/\| debate \| plain \| 40 \| 20 \| \+0\.500 \|/u);
  });

  test("shows all comparisons that are adjusted for being many, also those without a plot", () => {
    const names = itemIds(8).map((name) => `m.${name}`);
    const input = clear({
      measures: names.map((name) => measure(name, { metric: "m" })),
      results: itemIds(10).flatMap((item) =>
        ["plain", "debate"].map((of) =>
          trial({ variant: of, item, scores: Object.fromEntries(names.map((name) => [name, 1])) }),
        ),
      ),
    });
    const shown = sectionOf(reportOf(input), "Comparisons");
    for (const name of names) expect(shown).toContain(name);
    expect(shown.match(/^\| (?:`m\.q\d` \| )?debate \| plain/gmu)).toHaveLength(8);
  });

  test("names agreement of raters, tags, failures and what is missing", () => {
    const input = clear();
    const items = input.items.map((item) => ({ ...item, tags: ["law | order"] }));
    const results = [
      ...input.results.slice(2),
      trial({ variant: "plain", item: "q1", status: "failed", error: { code: "invalid_output", detail: "" } }),
    ];
    const report = reportOf(
      { ...input, items, results },
      {
        agreement: [{ of: "clarity", coefficient: "Fleiss' kappa", raters: 3, items: 20, value: 0.61 }],
      },
    );
    expect(sectionOf(report, "Agreement")).toContain("| clarity | Fleiss' kappa | 3 | 20 | 0.610 |");
    expect(sectionOf(report, "By tag")).toContain(String.raw`| law \| order | ${"`plain`"} |`);
    expect(sectionOf(report, "Failures")).toContain("`invalid_output` 1");
    expect(sectionOf(report, "Failures")).toContain("`debate`: 1 of 40 trials were not run.");
  });
});

describe("the papers' tables", () => {
  const layoutsOf = (input: AnalysisInput) => layouts(input, analyse(input));
  const titlesOf = (input: AnalysisInput) => layoutsOf(input).map(({ title }) => title);

  test("of MARE: models by case with averages, by type, against one model, and scores of specifications", () => {
    const of = (precision: number) => ({
      "model_match.precision": precision,
      "model_match.recall": 0.5,
      "model_match.f1": 0.6,
      "model_match.actor_precision": precision,
      "model_match.actor_recall": 0.5,
      "model_match.actor_f1": 0.25,
      "srs.completeness": 1,
      "srs.correctness": 2,
      "srs.consistency": 0.5,
    });
    const input = experiment({
      variants: [
        variant("one-model", { workflow: "plain" }),
        variant("mare", { workflow: "requirements", options: { model_kind: "problem" } }),
      ],
      measures: Object.keys(of(0)).map((name) => measure(name, { range: [0, 2] })),
      results: ["atm", "library"].flatMap((item) => [
        trial({ variant: "one-model", item, scores: of(0.25) }),
        trial({ variant: "mare", item, scores: of(item === "atm" ? 0.5 : 1) }),
      ]),
    });
    const [cases, types, ablation, specifications] = layoutsOf(input);
    expect(cases!.title).toContain("MARE, Table III");
    expect(cases!.markdown).toContain("| `atm` | 25.0 | 50.0 | 60.0 | 50.0 | 50.0 | 60.0 |");
    expect(cases!.markdown).toContain("| Average | 25.0 | 50.0 | 60.0 | 75.0 | 50.0 | 60.0 |");
    expect(types!.markdown).toContain("| `actor` | 25.0 | 50.0 | 25.0 | 75.0 | 50.0 | 25.0 |");
    expect(ablation!.markdown).toContain("| `mare` | 50.0 | 50.0 | 60.0 | 100.0 | 50.0 | 60.0 |");
    expect(specifications!.markdown).toContain("| `mare` | Average | 1.00 | 2.00 | 0.50 |");
  });

  test("of WaAgents: success by model, win rates, and the method without a stage", () => {
    const input = experiment({
      variants: [
        variant("single", { workflow: "plain", model: "gpt-4o" }),
        variant("full", { workflow: "waterfall", model: "gpt-4o" }),
        variant("no-design", { workflow: "waterfall", model: "gpt-3.5", options: { skip_stages: ["design"] } }),
      ],
      measures: [measure("number_match"), measure("fair_eval.win", { against: "single" })],
      results: ["q1", "q2"].flatMap((item) => [
        trial({ variant: "single", item, scores: { number_match: 0 } }),
        trial({ variant: "full", item, scores: { number_match: 1, "fair_eval.win": item === "q1" ? 1 : 0.5 } }),
        trial({ variant: "no-design", item, scores: { number_match: item === "q1" ? 1 : 0, "fair_eval.win": 0.5 } }),
      ]),
    });
    const [success, wins, ablation] = layoutsOf(input);
    expect(success!.markdown).toContain("| `number_match` | gpt-4o | 0.0 | 100.0 |  |");
    expect(success!.markdown).toContain("| `number_match` | gpt-3.5 |  |  | 50.0 |");
    expect(wins!.title).toContain("Win rates against `single`");
    expect(wins!.markdown).toContain("| `fair_eval.win` | gpt-4o |  | 75.0 |  |");
    expect(ablation!.markdown).toContain("`no-design`, without design (%)");
    expect(ablation!.markdown).toContain("| `number_match` | 100.0 | 50.0 |");
  });

  test("of Ueda et al.: the dialogues, and diversity with precision at 10, 20 and 40", () => {
    const scores = {
      non_duplicate_ratio: 0.77,
      "precision_at.10": 0.42,
      "precision_at.20": 0.47,
      "precision_at.40": 0.48,
      tournament_win_rate: 0.5,
    };
    const input = experiment({
      variants: [
        variant("three-critics", { workflow: "ideation", options: { critics: 3 } }),
        variant("as-published", { workflow: "ideation", profile: "paper", options: { profile: "paper" } }),
      ],
      measures: Object.keys(scores).map((name) => measure(name)),
      results: ["three-critics", "as-published"].map((name) => trial({ variant: name, item: "q1", scores })),
    });
    const [table] = layoutsOf(input);
    expect(table!.markdown).toContain("| `as-published` | profile paper |");
    expect(table!.markdown).toContain("| `three-critics` | profile default, critics 3 |");
    expect(table!.markdown).toContain("| `three-critics` | 0.77 | 0.42 / 0.47 / 0.48 |  | 0.50 |");
  });

  test("of Silva et al.: H1 to H3", () => {
    const of = (name: string, tokens: number, right: (index: number) => boolean) =>
      itemIds(12).map((item, index) =>
        trial({
          variant: name,
          item,
          tokens,
          confidence: index < 4 ? 0.9 : 0.4,
          scores: { accuracy: Number(right(index)) },
        }),
      );
    const input = experiment({
      variants: [
        variant("votes", { options: { strategy: "self_consistency" } }),
        variant("two", { options: { rounds: 2 } }),
        variant("three", { options: { rounds: 3 } }),
      ],
      measures: [measure("accuracy")],
      results: [
        ...of("votes", 500, (index) => index % 2 === 0),
        ...of("two", 500, () => true),
        ...of("three", 900, () => true),
      ],
    });
    expect(titlesOf(input)).toEqual([
      "Accuracy a token (Silva et al., H1)",
      "Errors corrected by confidence (Silva et al., H2)",
      "Measures by number of rounds (Silva et al., H3)",
    ]);
    const [h1, h2, h3] = layoutsOf(input);
    expect(h1!.markdown).toContain("| `two` | 500 | 0.500 | 100 % `votes` | +0.500 ");
    expect(h2!.markdown).toContain("| `two` | `votes` | 0.900 or more | 4 | 2 | 1.000 [0.342, 1.000], n 2 |");
    expect(h3!.markdown).toContain("| `accuracy` | 3 | `three` |");
  });

  test("of a labelled and a blind judge: how much more each model prevails under its name", () => {
    const of = (name: string, strong: number) =>
      itemIds(8).map((item) => trial({ variant: name, item, prevailing_models: { strong, weak: 1 - strong } }));
    const input = experiment({
      variants: [variant("blind"), variant("labels", { options: { judging: "labeled" } })],
      measures: [],
      results: [...of("blind", 0.5), ...of("labels", 1)],
    });
    expect(titlesOf(input)).toEqual(["Bias of a judge who sees the models (Silva et al., 3.4)"]);
    expect(layoutsOf(input)[0]!.markdown).toContain("| `labels` | `blind` | `strong` | 1.000 | 0.500 | +0.500 ");
  });

  test("are absent where their measures are", () => {
    expect(titlesOf(clear())).toEqual([]);
  });
});

test("people see an analysis as means and verdicts in words", () => {
  const analysis = analyse(clear());
  const { content } = PRESENTERS.analysis.present(analysis, { input: {}, options: {}, subject: "", earlier: [] });
  expect(content).toMatchObject({
    means: [{ variant: "plain", mean: expect.stringMatching(/^0\.500 \[/u), items: 40 }, { variant: "debate" }],
    comparisons: [{ compared: "debate with plain", verdict: "better" }],
  });
});
