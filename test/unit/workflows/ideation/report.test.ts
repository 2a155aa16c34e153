import { describe, expect, test } from "vitest";
import type { Match, SourcedIdea } from "#workflows/ideation/artifacts/index";
import { reportMarkdown, type Result } from "#workflows/ideation/reports/report";
import { ideasOf, TOPIC } from "#workflows/ideation/samples";

const [one, two, three, four] = ideasOf(1) as [SourcedIdea, SourcedIdea, SourcedIdea, SourcedIdea];
const match = (a: string, b: string, winner: string | null, reason: string): Match => ({
  a,
  b,
  first: a,
  winner,
  reasons: [reason],
  points: [],
});

const configuration = { configuration: "baseline", ideas: 4, kept: 3, non_duplicate_ratio: 0.75, ranked: 3 };
const METRICS = { ideas: 4, kept: 3, non_duplicate_ratio: 0.75, measure: null };

const RESULT: Result = {
  topic: TOPIC,
  origin: "4 ideas.",
  ideas: new Map([one, two, three, four].map((idea) => [idea.id, idea])),
  kept: ["i2", "i1", "i4"],
  dropped: [
    {
      idea: "i3",
      because: { cause: "same_idea", similar_to: "i1", similarity: 0.43, reason: "Both ask twins of the question." },
    },
  ],
  duplicates: {
    measure: { method: "lexical", model: "word-and-pair-cosine", threshold: 0.6 },
    closest: [
      { ideas: ["i1", "i3"], similarity: 0.43, verdict: { same: true, reason: "Both ask twins | of the question." } },
      { ideas: ["i1", "i4"], similarity: 0.2, verdict: null },
    ],
  },
  ranking: {
    of: "ideas",
    rounds: [{ round: 1, bye: "i4", scores: {}, matches: [match("i1", "i2", "i2", "It has a control.")] }],
    play_off: [match("i4", "i1", "i1", "It names its data.")],
    places: [],
  },
  places: [
    { id: "i2", score: 2, tied: false, rubric: null },
    { id: "i1", score: 1, tied: true, rubric: null },
    { id: "i4", score: 1, tied: true, rubric: null },
  ],
  proposals: [
    {
      idea: "i2",
      document: "# A Title\n\n## Problem statement\n\nText.\n",
      corrections: ["Step 2 had no input; it gets the draft."],
    },
  ],
  papers: [
    { id: "a", title: "A Paper", abstract: "x", year: 2024, citations: 1, url: "https://example.org/a", score: 7 },
    { id: "b", title: "Another", abstract: "x", year: null, citations: 1, url: "javascript:alert(1)", score: 7 },
  ],
  metrics: {
    ...METRICS,
    configurations: [{ ...configuration, precision_at: null, mean_score: null, win_rate: null }],
  },
  notes: ["Novelty was not looked up."],
};

describe("the report", () => {
  const text = reportMarkdown(RESULT);

  test("has its parts in order, proposals first and then the other ideas", () => {
    expect(text.match(/^#{1,4} .+$/gm)).toEqual([
      "# Research ideas",
      "## To keep in mind",
      "## Ranking",
      "## Most alike",
      "## Proposals",
      "### A Title",
      "#### Problem statement",
      "## Other ideas",
      `### ${one.name}`,
      `### ${four.name}`,
      "## Dropped",
      "## Papers",
    ]);
    expect(text).toContain("- Novelty was not looked up.");
  });

  test("gives the reasons of each win and loss, and marks places that only a draw decided", () => {
    expect(text).toContain(`- round 1, won against ${one.name} (i1): It has a control.`);
    expect(text).toContain(`- play-off, won against ${four.name} (i4): It names its data.`);
    expect(text).toContain(`| 2 (drawn) | ${one.name} (i1) | 1 | 1 | 1 |`);
  });

  test("says which mistakes of an idea its proposal has mended; the proposal itself does not", () => {
    expect(text).toContain("**Corrected against the idea.**\n\n- Step 2 had no input; it gets the draft.");
  });

  test("shows two configurations side by side, and names the configuration of each idea", () => {
    const side = { ...configuration, precision_at: { "5": 0.4, all: 0.5 }, mean_score: 2.5, win_rate: 0.25 };
    const text_of_two = reportMarkdown({
      ...RESULT,
      metrics: { ...METRICS, configurations: [{ ...side, configuration: "single" }, side] },
    });
    expect(text_of_two).toContain("|  | single | baseline |");
    expect(text_of_two).toContain("| share of the best 5 | 0.40 | 0.40 |");
    expect(text_of_two).toContain("| matches won against the other | 0.25 | 0.25 |");
    expect(text_of_two).toContain(`| 1 | ${two.name} (i2, baseline) |`);
  });

  test("gives the reason for each dropped idea, and the most similar pairs", () => {
    expect(text).toContain(
      `- ${three.name} (i3): the same idea as ${one.name} (i1), 0.43. Both ask twins of the question.`,
    );
    expect(text).toContain("| 0.43 | the same: Both ask twins \\| of the question. |");
    expect(text).toContain("| 0.20 | not asked |");
  });

  test("links only to web addresses", () => {
    expect(text).toContain("- p1: A Paper (2024) <https://example.org/a>");
    expect(text).toContain("- p2: Another\n");
    expect(text).not.toContain("javascript:");
  });

  test("of a run without ideas says so", () => {
    const none = reportMarkdown({
      ...RESULT,
      kept: [],
      dropped: [],
      duplicates: null,
      ranking: null,
      places: [],
      proposals: [],
      papers: [],
    });
    expect(none).toContain("No idea is left.");
    expect(none.match(/^## .+$/gm)).toEqual(["## To keep in mind"]);
  });
});
