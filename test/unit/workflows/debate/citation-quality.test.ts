import { describe, expect, test } from "vitest";
import {
  citationCorrectness,
  citationF1,
  citationQuality,
  coverage,
  eachOnce,
  type LabeledCitation,
} from "#workflows/debate/rules/citation-quality";

describe("citation quality", () => {
  const right = {
    quote: "Words of it.",
    proposition: "It binds.",
    cited_by: "debater_1",
    round: 1,
    authority: "shown",
    quote_found: true,
    supported: true,
  } as const;
  const citations: LabeledCitation[] = [
    { ...right, authority_id: "art34" },
    { ...right, authority_id: "art99", authority: "unknown", quote_found: false },
    { ...right, authority_id: "art35", quote_found: false },
    { ...right, authority_id: "art36", supported: null },
  ];

  test("counts invented, misquoted and unjudged citations as wrong", () => {
    expect(citationQuality(citations, ["art34", "art40"], ["art34", "art40"])).toEqual({
      correctness: 0.25,
      coverage_cited: 0.5,
      coverage_retrieved: 1,
      f1: (2 * 0.25 * 0.5) / 0.75,
    });
  });

  test("prefers a person's label to the automatic check, in both directions", () => {
    const labeled = [
      { ...citations[0]!, label: false },
      { ...citations[2]!, label: true },
    ];
    expect(citationQuality(labeled, [], ["art34"]).correctness).toBe(0.5);
  });

  test("counts a repeated quote of a party once, in its last form, and parties and propositions separately", () => {
    const [cited] = citations as [LabeledCitation];
    const again = { ...cited, round: 2, quote: "“Words  of it.”", proposition: "It binds both." };
    expect(eachOnce([cited, again, { ...again, round: null, supported: false }])).toMatchObject([
      { round: null, supported: false },
    ]);
    expect(citationCorrectness([{ ...cited, supported: false }, again])).toBe(1);
    expect(citationCorrectness([again, { ...again, cited_by: "debater_2", supported: false }])).toBe(0.5);
    expect(citationCorrectness([cited, { ...cited, proposition: "It binds nobody.", supported: false }])).toBe(0.5);
    expect(citationCorrectness([cited, { ...cited, quote: "Other words.", round: 2, supported: false }])).toBe(0.5);
  });

  test("passages of a split article cover the article, which gold lists name by the document's external_id", () => {
    const split = ["doc_1.1", "doc_1.2"].map((authority_id) => ({
      ...right,
      authority_id,
      external_id: "lei8906:art34",
    }));
    expect(citationQuality(split, ["lei8906:art34", "lei8906:art35"], ["lei8906:art34"])).toMatchObject({
      coverage_cited: 1,
      coverage_retrieved: 1,
    });
  });

  test("an invented citation covers no gold source, even under its id", () => {
    expect(citationQuality([{ ...citations[1]!, authority_id: "art34" }], [], ["art34"]).coverage_cited).toBe(0);
  });

  test("has no share without citations or gold, and F1 is 0", () => {
    expect(citationQuality([], [], [])).toEqual({
      correctness: null,
      coverage_cited: null,
      coverage_retrieved: null,
      f1: 0,
    });
    expect(citationF1(0, 0)).toBe(0);
    expect(coverage(["a", "a", "b"], ["a", "a"])).toBe(0.5);
  });
});
