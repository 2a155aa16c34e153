import { describe, expect, test } from "vitest";
import { renderPrompt } from "#engine/calls/prompt";
import { expandIdea } from "#workflows/ideation/actions/index";
import type { Paper, Proposal, Ranking } from "#workflows/ideation/artifacts/index";
import { chance, drawn } from "#workflows/ideation/rules/chance";
import { drawBracket } from "#workflows/ideation/reports/drawings/bracket";
import { drawMatrix } from "#workflows/ideation/reports/drawings/matrix";
import { ideasMarkdown, judgedProposal, proposalMarkdown } from "#workflows/ideation/reports/markdown";
import {
  byScore,
  groundingOf,
  keyOf,
  nearest,
  newPapers,
  numberedPapers,
  usable,
  withNewKeys,
} from "#workflows/ideation/rules/papers";
import { additionsSchema, applySelection } from "#workflows/ideation/rules/selection";
import { xmlError } from "../requirements/xml";
import { ideasOf, TOPIC } from "#workflows/ideation/samples";
import { renderMarkdown } from "../../../support/markdown";

const source = (title: string, words = 60) => ({
  id: title,
  title,
  abstract: Array.from({ length: words }, (_, index) => `${title}${index}`).join(" "),
  year: 2024,
  citations: 1,
  url: null,
});

describe("papers", () => {
  test("without a method, or with a very short abstract, are excluded", () => {
    const titles = (papers: Paper[]) => papers.map(({ title }) => title);
    const found = [source("A Survey of X"), source("X: a Review"), source("Position Paper: X"), source("Method X")];
    expect(titles(usable(found, "first"))).toEqual(["Method X"]);
    const lengths = [source("a", 20), source("b", 21), source("c", 50), source("d", 51)];
    expect(titles(usable(lengths, "first"))).toEqual(["b", "c", "d"]);
    expect(titles(usable(lengths, "later"))).toEqual(["d"]);
    expect(usable([{ ...source("e"), abstract: null }], "first")).toEqual([]);
  });

  test("that are known already are excluded: by id, by title, by abstract", () => {
    const [one] = usable([source("Some Method")], "first") as [Paper];
    const again = [
      { ...one, title: "x", abstract: "x" },
      { ...one, id: "y", title: "SOME  method", abstract: "y" },
      { ...one, id: "z", title: "z" },
    ];
    expect(newPapers(again, [one])).toEqual([]);
    expect(newPapers([one, ...again], [])).toEqual([one]);
  });

  test("are sorted best first, and trials draw from twice as many as they see", () => {
    const bank = byScore(
      Array.from({ length: 60 }, (_, index) => ({ ...source(`p${index}`), score: (index * 7) % 10 })),
    );
    expect(bank.map(({ score }) => score)).toEqual(bank.map(({ score }) => score).toSorted((a, b) => b! - a!));
    const best = new Set(bank.slice(0, 20));
    const seen = groundingOf(bank, 10, 3);
    expect(seen).toHaveLength(10);
    expect(seen.every((paper) => best.has(paper))).toBe(true);
    expect(groundingOf(bank, 10, 3)).toEqual(seen);
    expect(groundingOf(bank, 10, 4)).not.toEqual(seen);
    expect(groundingOf(bank, 0, 3)).toEqual([]);
    expect(groundingOf(bank.slice(0, 3), 10, 3)).toHaveLength(3);
  });
});

describe("the caller's papers", () => {
  const found = Array.from({ length: 40 }, (_, index) => ({ ...source(`found${index}`), score: 9 }));
  const given = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...source(`own${index}`), score: null, given: true }));

  test("keep ahead of those that were found, though they have no score", () => {
    expect(byScore([...found, ...given(3)]).slice(0, 3)).toEqual(given(3));
  });

  test("are all seen when they are a few more than a trial's share", () => {
    expect(groundingOf(byScore([...found, ...given(12)]), 10, 1)).toEqual(given(12));
    expect(groundingOf(byScore([...found, ...given(16)]), 10, 1)).toHaveLength(10);
    expect(groundingOf(given(3), 0, 1)).toEqual([]);
  });

  test("have one id in the whole run, and papers that are found later have others", () => {
    const bank = numberedPapers(given(12));
    const trial = groundingOf(bank, 6, 3);
    for (const paper of trial) expect(keyOf(paper, trial.indexOf(paper))).toBe(keyOf(paper, bank.indexOf(paper)));
    expect(withNewKeys([...found.slice(0, 2), bank[0]!]).map(({ key }) => key)).toEqual(["n1", "n2", "p1"]);
    // Banks of earlier versions have no ids: papers are numbered by their place in each prompt.
    expect(withNewKeys(found.slice(0, 2)).map(keyOf)).toEqual(["p1", "p2"]);
  });

  test("are seen by every trial, and found ones fill up what they leave", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const seen = groundingOf(byScore([...found, ...given(3)]), 10, seed);
      expect(seen).toHaveLength(10);
      expect(seen.filter((paper) => paper.given)).toHaveLength(3);
    }
    expect(groundingOf(byScore([...found, ...given(30)]), 10, 1).every((paper) => paper.given)).toBe(true);
  });
});

describe("the papers nearest to an idea", () => {
  test("are in the order of the bank, by the similarities of an encoder or by words", () => {
    const [idea] = ideasOf(1) as [ReturnType<typeof ideasOf>[number]];
    const papers = Array.from({ length: 12 }, (_, index) => ({ ...source(`p${index}`), score: 5 }));
    const similarities = papers.map((_, index) => (index < 2 ? 0 : index / 12));
    expect(nearest(idea, papers, 10, similarities)).toEqual(papers.slice(2));
    const about = { ...source("near"), score: 5, abstract: idea.proposed_method };
    expect(nearest(idea, [...papers, about], 10)).toContain(about);
  });
});

describe("chance", () => {
  test("is uniform, and differs by seed and purpose", () => {
    const random = chance(1, "test");
    const mean = Array.from({ length: 10_000 }, random).reduce((sum, value) => sum + value, 0) / 10_000;
    expect(mean).toBeCloseTo(0.5, 1);
    const items = Array.from({ length: 30 }, (_, index) => index);
    expect(drawn(items, 1, "a").toSorted((a, b) => a - b)).toEqual(items);
    expect(drawn(items, 1, "a")).not.toEqual(drawn(items, 2, "a"));
    expect(drawn(items, 1, "a")).not.toEqual(drawn(items, 1, "b"));
    expect(drawn(items, 1, "a", 4)).toHaveLength(4);
  });
});

const HOSTILE = `# <script>alert(1)</script> & "quotes" ]]> \u0000\u0007\ufffe lone \ud800 面向 🚲 ${"x".repeat(300)}`;

describe("drawings", () => {
  const ranking = (count: number): Ranking => ({
    of: "ideas",
    rounds: [
      {
        round: 1,
        bye: count % 2 ? `i${count}` : null,
        scores: {},
        matches: Array.from({ length: Math.floor(count / 2) }, (_, index) => ({
          a: `i${2 * index + 1}`,
          b: `i${2 * index + 2}`,
          first: `i${2 * index + 1}`,
          winner: index % 3 ? `i${2 * index + 1}` : null,
          reasons: [],
          points: [],
        })),
      },
    ],
    play_off: count > 1 ? [{ a: "i1", b: "i2", first: "i1", winner: "i2", reasons: [HOSTILE], points: [HOSTILE] }] : [],
    places: Array.from({ length: count }, (_, index) => ({ id: `i${index + 1}`, score: 2, tied: true, rubric: null })),
  });
  const measure = { method: "lexical", model: HOSTILE, threshold: 0.6 } as const;
  const ideas = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `i${index + 1}`, name: HOSTILE }));

  test.each([0, 1, 2, 5, 61, 300])("of %i are well-formed, whatever the names", (count) => {
    const names = new Map(ideas(count).map(({ id, name }) => [id, name]));
    for (const svg of [
      drawBracket(HOSTILE, ranking(count), names),
      drawMatrix(HOSTILE, ideas(count), (one, other) => ((one * 31 + other * 7) % 100) / 100, measure, count),
    ]) {
      expect(xmlError(svg)).toBeNull();
      expect(svg).not.toMatch(/<script|NaN|undefined|Infinity|xlink|href=/);
      expect(svg.length).toBeLessThan(400_000);
    }
  });

  test("state how many are omitted", () => {
    expect(drawBracket(TOPIC, ranking(61), new Map())).toContain("The best 60 are shown.");
    expect(drawMatrix(TOPIC, ideas(300), () => 0, measure, 1000)).toContain("The first 300 are shown.");
  });

  test("frame the squares above the threshold, and no others", () => {
    const framed = (value: number) =>
      /stroke="#b23b3b" stroke-width="1.6"/.test(drawMatrix("t", ideas(3), () => value, measure));
    expect([framed(0.61), framed(0.6), framed(0)]).toEqual([true, false, false]);
  });
});

const EXPANDED = { topic: TOPIC, method: "prompting", criticisms: [], verdicts: [] };

describe("documents", () => {
  const [idea] = ideasOf(1) as [ReturnType<typeof ideasOf>[number]];
  const proposal = expandIdea.mock({ ...EXPANDED, idea, papers: null }, "proposal");

  const SEVEN = [
    "## Problem statement",
    "## Motivation",
    "## Proposed method",
    "## Step-by-step experiment plan",
    "## Test case examples",
    "## Fallback plan",
  ];
  const headingsOf = (of: Proposal) => proposalMarkdown(of, []).match(/^#{1,2} .+$/gm);

  test("a proposal has its seven sections under the paper's profile, and ours around them by default", () => {
    const of_paper = expandIdea.paper!.mock!({ ...EXPANDED, idea, papers: null }, "proposal") as Proposal;
    expect(headingsOf(of_paper)).toEqual([`# ${of_paper.title}`, ...SEVEN]);
    expect(headingsOf(proposal)).toEqual([`# ${proposal.title}`, "## Summary", ...SEVEN, "## Appendix"]);
  });

  test("paragraphs and steps stay separate, also within lists", () => {
    const text = proposalMarkdown(
      {
        ...proposal,
        proposed_method: "Step 1: ask.\nStep 2: check.",
        experiment_plan: [{ step: "Data\nfirst", details: "One.\n\n  Two." }],
      },
      [],
    );
    expect(text).toContain("Step 1: ask.\n\nStep 2: check.");
    expect(text).toContain("1. **Data first.** One.\n\n   Two.");
  });

  test("closest work has the paper's title, or the remembered one, and the judge does not read it", () => {
    const paper = { ...source("Known Method"), score: 5 };
    const closest_work = [
      { paper: "p1", work: "Garbled", new_here: "It asks once." },
      { paper: null, work: "Half Forgotten", new_here: "It never asks." },
    ];
    const text = proposalMarkdown({ ...proposal, closest_work }, [paper]);
    expect(text).toContain("- **Known Method** (2024): It asks once.");
    expect(text).toContain("- **Half Forgotten** (from memory, to be checked): It never asks.");
    expect(judgedProposal({ ...proposal, closest_work })).not.toContain("Half Forgotten");
    const about = { ...EXPANDED, idea, papers: [paper] };
    const check = expandIdea.check!;
    expect(check({ ...proposal, closest_work }, about)).toEqual([]);
    expect(check({ ...proposal, closest_work: [{ ...closest_work[0]!, paper: "p2" }] }, about)[0]).toContain("p2");
  });

  test("a writer without papers sees no paper id", () => {
    const about = { ...EXPANDED, idea };
    const asked = (papers: Paper[]) => renderPrompt(expandIdea, { ...about, papers }).system;
    expect(asked([{ ...source("Known Method"), score: 5 }])).toContain('"paper": "p1"');
    expect(asked([])).not.toContain('"p1"');
    expect(asked([])).toContain('"paper": null');
  });

  test("a model's text opens no heading, no code block and no HTML", () => {
    const sly =
      "Fine.\n# Not a heading\n```\n<script>alert(1)</script>\n---\n\\<script>alert(2)</script> ![](http://a.example/b)";
    const text = proposalMarkdown(
      {
        ...proposal,
        title: sly,
        problem_statement: sly,
        proposed_method: sly,
        fallback_plan: sly,
      },
      [],
    );
    const rendered = renderMarkdown(text);
    expect(rendered.match(/<h1>/g)).toHaveLength(1);
    expect(rendered.match(/<h2>/g)).toHaveLength(8);
    expect(rendered).not.toMatch(/<(?:script|img|pre|hr)|&amp;lt;/);
    expect(rendered).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    const ideas = renderMarkdown(ideasMarkdown(sly, [{ ...idea, name: sly, problem: sly }], []));
    expect(ideas.match(/<h[12]>/g)).toHaveLength(2);
  });

  test("the judge's text of a proposal has neither test cases nor fallback plan", () => {
    const text = judgedProposal({
      ...proposal,
      fallback_plan: "SECRET",
      test_cases: {
        ...proposal.test_cases,
        baseline_fails: { ...proposal.test_cases.baseline_fails, input: "HIDDEN" },
      },
    });
    expect(text).not.toMatch(/SECRET|HIDDEN/);
    expect(text).toContain(proposal.proposed_method);
  });
});

describe("a selection", () => {
  const ideas = ideasOf(1);
  const ids = ideas.map(({ id }) => id);
  const { id: _, configuration: _c, trial: _t, proposer: _p, ...own } = { ...ideas[0]!, name: "Mine" };

  test("removes dropped ideas, and all that are not picked", () => {
    expect(applySelection(ideas, ids, { drop: ["i2"] }).dropped).toEqual(["i2"]);
    expect(applySelection(ideas, ids, { pick: ["i1", "i2"], drop: ["i2"] }).dropped).toEqual(["i2", "i3", "i4", "i5"]);
    expect(applySelection(ideas, ["i1", "i4"], { pick: ["i1"] }).dropped).toEqual(["i4"]);
  });

  test("changes only the fields of an edit, and puts added ideas first under their own ids", () => {
    const first = applySelection(ideas, ids, {
      edit: [{ id: "i3", problem: "Another." }],
      add: [own, { ...own, name: "Mine too" }],
    });
    expect(first.ideas.map(({ id }) => id)).toEqual(["h1", "h2", ...ids]);
    expect(first.ideas[4]).toEqual({ ...ideas[2], problem: "Another." });
    expect(applySelection(first.ideas, ids, { add: [own] }).added).toEqual(["h3"]);
  });

  test("applies several edits of one idea in order, and ignores an edit without a change", () => {
    const { problem, name } = ideas[1]!;
    const result = applySelection(ideas, ids, {
      edit: [{ id: "i1", problem: "Another." }, { id: "i1", name: "First" }, { id: "i2", problem, name }, { id: "i3" }],
    });
    expect(result.ideas[0]).toEqual({ ...ideas[0], problem: "Another.", name: "First" });
    expect(result.edited).toEqual(["i1"]);
  });

  test("accepts existing ids only, and no empty text", () => {
    const schema = additionsSchema(ids, true);
    expect(schema.parse({})).toEqual({});
    expect(schema.safeParse({ pick: ["i9"] }).success).toBe(false);
    expect(schema.safeParse({ pick: [] }).success).toBe(false);
    expect(schema.safeParse({ edit: [{ id: "i1", name: " " }] }).success).toBe(false);
    expect(schema.safeParse({ add: [{ ...own, plan: "x" }] }).success).toBe(false);
    expect(schema.safeParse({ add: [own], edit: [{ id: "i1" }], drop: ["i2"] }).success).toBe(true);
  });
});
