import { describe, expect, test } from "vitest";
import type { Artifact } from "#workflow-kit/artifact";
import type { Authority, Brief } from "#workflows/debate/artifacts/index";
import type { Context } from "#workflows/debate/context";
import { debaterOf, partyLetters } from "#workflows/debate/rules/courtroom";
import { bySharedWords, byVectors, mostDiverse, nearestTo, prune } from "#workflows/debate/rules/interventions";
import { outputLanguageOf } from "#workflows/debate/rules/language";
import {
  distinctPositions,
  framedPositions,
  givenPositions,
  pluralityOf,
  positionAfter,
  rankedPositions,
  agree,
  solvedPositions,
} from "#workflows/debate/rules/positions";
import { parseChoice } from "#workflows/debate/rules/question";
import { summary, titleOfCase, unseenNumbers, type Conclusion } from "#workflows/debate/reports/parts";
import { visibleTo, type Statement } from "#workflows/debate/rules/topology";
import { tally } from "#workflows/debate/rules/vote";
import { authority, position, question } from "#workflows/debate/samples";

const { choices } = question("x");
const labels = (positions: readonly { label: string }[]) => positions.map(({ label }) => label);

describe("an answer is read", () => {
  test.each([
    ["B", "B"],
    [" b ", "B"],
    ["(B)", "B"],
    ["**B**", "B"],
    ["B.", "B"],
    ["B) The offer was revoked in time.", "B"],
    ["B - revoked", "B"],
    ["Resposta: B", "B"],
    ["A alternativa correta é: c)", "C"],
    ["The offer was revoked in time", "B"],
    ["Ｂ", "B"],
  ])("%s", (said, label) => {
    expect(parseChoice(said, choices)).toBe(label);
  });

  test.each(["", "D", "None of the above", "A offer stands", "Both A and B", "a resposta certa", "A or B"])(
    "as none of the choices: %s",
    (said) => {
      expect(parseChoice(said, choices)).toBeNull();
    },
  );

  test.each(["A) no. Final answer: B", "A-level is needed", "a.5"])(
    "as none where it is not clear which: %s",
    (said) => {
      expect(parseChoice(said, choices)).toBeNull();
    },
  );

  test("with choices that differ only in punctuation", () => {
    const signs = ["+5", "-5", "< 3", "> 3", "!"].map((text, index) => ({
      label: ["+", "-", "1", "1.5", "?"][index]!,
      text,
    }));
    for (const { label, text } of signs) {
      expect(parseChoice(label, signs)).toBe(label);
      expect(parseChoice(text, signs)).toBe(label);
    }
    expect(parseChoice("1.5 of them", signs)).toBeNull();
    expect(parseChoice("1.5) > 3", signs)).toBe("1.5");
    expect(parseChoice("5", signs)).toBeNull();
  });

  test("with labels of several letters, one the prefix of another", () => {
    const many = [1, 10, 11].map((label) => ({ label: String(label), text: `Choice number ${label}` }));
    expect(parseChoice("10", many)).toBe("10");
    expect(parseChoice("1) Choice number 1", many)).toBe("1");
    expect(parseChoice("11: so it is", many)).toBe("11");
  });
});

describe("positions", () => {
  const ranking = (rival: string | null = null) => ({
    issue: "",
    options: [
      { label: "c", reason: "", probability: 0.8 },
      { label: "A", reason: "", probability: 0.4 },
    ],
    rival,
  });

  test("ranked: the most probable first, normalised; unranked ones are last", () => {
    const ranked = rankedPositions(ranking(), choices);
    expect(labels(ranked)).toEqual(["C", "A", "B"]);
    expect(ranked.map(({ probability }) => probability)).toEqual([expect.closeTo(2 / 3), expect.closeTo(1 / 3), 0]);
    expect(labels(rankedPositions({ issue: "", options: [], rival: null }, choices))).toEqual(["A", "B", "C"]);
  });

  test("ranked: the rival is defended against the first, not the twin that comes next in probability", () => {
    expect(labels(rankedPositions(ranking("(b)"), choices))).toEqual(["C", "B", "A"]);
    expect(labels(rankedPositions(ranking("C"), choices))).toEqual(["C", "A", "B"]);
  });

  const solved = (answer: string, runner_up: string, confidence: number) => ({ answer, runner_up, confidence });

  test("solved: what most solvers answer, then other answers, then runners-up", () => {
    const answers = [solved("B", "C", 0.9), solved("b", "C", 0.9), solved("A", "B", 0.4)];
    const positions = solvedPositions(answers, choices);
    expect(labels(positions)).toEqual(["B", "A", "C"]);
    expect(positions.map(({ probability }) => probability)).toEqual([
      expect.closeTo(2.4 / 3),
      expect.closeTo(0.4 / 3),
      expect.closeTo(0.2 / 3),
    ]);
    expect(agree(answers, choices)).toBe(false);
    expect(agree(answers.slice(0, 2), choices)).toBe(true);
  });

  test("free: the first debater gets its preference, the others their next one", () => {
    const wishes = [["B", "A"], ["B", "C"], ["B"]].map((wanted) => ({ reasoning: "", labels: wanted }));
    expect(labels(distinctPositions(wishes, choices))).toEqual(["B", "C", "A"]);
  });

  test("given: by label or by text", () => {
    expect(labels(givenPositions(["c", "The offer was revoked in time."], choices))).toEqual(["C", "B"]);
  });

  test("framed: labels reveal no order", () => {
    const framings = ["one", "two", "three", "four"].map((thesis) => ({ thesis, governing_rule: null }));
    const orders = Array.from({ length: 40 }, (_, seed) => labels(framedPositions(framings, seed)).join());
    expect(new Set(orders).size).toBeGreaterThan(10);
    for (const order of orders) expect(order.split(",").toSorted()).toEqual(["P1", "P2", "P3", "P4"]);
  });

  test("change only if the debater is free to switch, and only to existing ones", () => {
    const brief = (switches_to: string | null) => ({ switches_to }) as Brief;
    const positions = [position("A", "The offer stands."), position("B", "It was revoked.")];
    expect(positionAfter("A", brief("b)"), positions, true)).toBe("B");
    expect(positionAfter("A", brief("It was revoked"), positions, true)).toBe("B");
    expect(positionAfter("A", brief("B"), positions, false)).toBe("A");
    expect(positionAfter("A", brief("Z"), positions, true)).toBe("A");
    expect(positionAfter("A", brief(null), positions, true)).toBe("A");
  });

  test("a plurality is unique", () => {
    expect(pluralityOf(["A", "B", "A"])).toBe("A");
    expect(pluralityOf(["A", "B"])).toBeNull();
  });
});

describe("the briefs that a debater sees", () => {
  const statement = (debater: number, round: number, confidence = 0.5) =>
    ({
      debater,
      round,
      position: String(debater),
      brief: { content: { confidence } },
      shown: [],
    }) as unknown as Statement & { brief: Artifact<Brief> };
  const history = [1, 2].map((round) => [1, 2, 3].map((debater) => statement(debater, round, debater / 10)));
  const seen = (debater: number, topology: Parameters<typeof visibleTo>[2]) =>
    visibleTo(debater, history, topology, ({ brief }) => brief.content.confidence).map(
      (one) => `${one.debater}@${one.round}`,
    );

  test("sparse_ring: the one before it, of the last round", () => {
    expect([1, 2, 3].map((debater) => seen(debater, "sparse_ring"))).toEqual([["3@2"], ["1@2"], ["2@2"]]);
  });

  test("sparse_rival: the strongest of the others", () => {
    expect([1, 2, 3].map((debater) => seen(debater, "sparse_rival"))).toEqual([["3@2"], ["3@2"], ["2@2"]]);
  });

  test("sparse_all: all others of the last round; full: of all rounds", () => {
    expect(seen(2, "sparse_all")).toEqual(["1@2", "3@2"]);
    expect(seen(2, "full")).toEqual(["1@1", "3@1", "1@2", "3@2"]);
  });
});

describe("interventions", () => {
  const similarity = (table: number[][]) => (one: number, other: number) => table[one]![other]!;
  // 0 and 1 are near duplicates, 2 differs, 3 differs most; 4 is the question.
  const table = [
    [1, 0.95, 0.4, 0.2, 0.9],
    [0.95, 1, 0.45, 0.2, 0.8],
    [0.4, 0.45, 1, 0.3, 0.1],
    [0.2, 0.2, 0.3, 1, 0.5],
    [0.9, 0.8, 0.1, 0.5, 1],
  ];

  test("diversity keeps the most different briefs, quality those nearest to the question", () => {
    expect(mostDiverse([0, 1, 2, 3], similarity(table), 2)).toEqual([0, 3]);
    expect(mostDiverse([0, 1, 2, 3], similarity(table), 3)).toEqual([0, 2, 3]);
    expect(nearestTo(4, [0, 1, 2, 3], similarity(table), 2)).toEqual([0, 1]);
  });

  test("each reader keeps about half, at least one; removed briefs are reported with the reason", () => {
    const statements = [1, 2, 3, 4].map((debater) => ({ debater }) as Statement);
    const visible = new Map([
      [1, statements.slice(1)],
      [2, statements.slice(2, 3)],
    ]);
    const { remaining, kept, dropped } = prune(visible, statements, similarity(table), [
      "quality_pruning",
      "diversity_pruning",
    ]);
    expect(remaining.get(1)!.map(({ debater }) => debater)).toEqual([2, 4]);
    expect(kept).toEqual({ debater_1: ["debater_2", "debater_4"], debater_2: ["debater_3"] });
    expect(dropped).toEqual({ debater_1: [{ debater: "debater_3", because: "quality_pruning" }], debater_2: [] });
  });

  test("similarity is by vectors, or by shared words in any script", () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    expect(byVectors(vectors, (one, other) => one[0]! * other[0]!)(0, 1)).toBe(0);
    const words = bySharedWords(["a proposta vincula", "A PROPOSTA caducou", "要约"]);
    expect(words(0, 1)).toBeCloseTo(2 / 4);
    expect(words(0, 2)).toBe(0);
  });
});

describe("votes", () => {
  test("the answer with most votes wins; on a tie the first one; an answer outside the choices is no vote", () => {
    expect(tally(["B", null, "A", "A"])).toEqual({ votes: { B: 1, A: 2 }, invalid: 1, answer: "A", sample: 3 });
    expect(tally(["B", "A"])).toMatchObject({ answer: "B", sample: 1 });
    expect(tally([null, null])).toEqual({ votes: {}, invalid: 2, answer: null, sample: null });
  });
});

test("no party's letter is the label of a choice", () => {
  expect(partyLetters([]).slice(0, 6)).toEqual([..."XYZWVU"]);
  const many = [..."abcdefghijklmnopqrstuvwxyz", "XX", "YY"].map((label) => ({ label, text: label }));
  expect(partyLetters(many).slice(0, 3)).toEqual(["ZZ", "WW", "VV"]);
});

describe("the judge's winner", () => {
  const letters = new Map([
    [1, "Y"],
    [2, "X"],
  ]);
  test.each([
    ["X", 2],
    ["Party Y", 1],
    ["Parte X", 2],
    ["A parte Y", 1],
    ["X, que defende a alternativa B", 2],
    ["y", 1],
    ["none", null],
    [null, null],
    ["A", null],
  ])("%s", (said, debater) => {
    expect(debaterOf(said as string | null, letters)).toBe(debater);
  });
});

test("numbers of an answer that are in neither question nor evidence are found, unless listed as law from memory", () => {
  const said = {
    answer: "By art. 427 and Súmula 473 it binds.",
    rationale: ["Lei 9.784, of 1999."],
    law_from_memory: [],
  };
  const open = question("Was it so in 1999?", { choices: [] });
  const authorities = [authority("p1", { title: "art. 427" })];
  expect(unseenNumbers(open, said, authorities)).toEqual(["473", "9.784"]);
  expect(unseenNumbers(open, { ...said, law_from_memory: ["Súmula 473 do STF"] }, authorities)).toEqual(["9.784"]);
});

test("the output language is the tag's, else that of the question's words", () => {
  expect(outputLanguageOf({ language: "pt-BR", text: "What is the law?" })).toBe("pt");
  expect(outputLanguageOf({ language: null, text: "Qual é o prazo para a interposição do recurso?" })).toBe("pt");
  expect(outputLanguageOf({ language: null, text: "Which is the time limit for an appeal?" })).toBe("en");
  expect(outputLanguageOf({ language: "pts", text: "que não é" })).toBe("en");
});

test("a case is named by its question: whole where it is short, else by the sentence that asks", () => {
  expect(titleOfCase("Is there a contract?")).toBe("Is there a contract?");
  const facts =
    "A merchant offers in a signed writing to sell a van, and withdraws the offer on the fourth day of ten.";
  expect(titleOfCase(`${facts} The buyer accepts on the fifth. Is there a contract?`)).toBe("Is there a contract?");
  expect(titleOfCase(`${facts} The buyer accepts on the fifth day, by letter.`)).toBe(facts);
  expect(titleOfCase("word ".repeat(60))).toMatch(/^(word )+word…$/);
});

test("a checklist names no point on authorities as unmet where there are none", () => {
  const unmet = { met: false, note: "None." };
  const conclusion: Conclusion = {
    answer: "A",
    confidence: 0.6,
    stop_reason: "judged",
    rationale: [],
    checklist: {
      doctrine_named: unmet,
      on_point_authority: unmet,
      accurate_use: unmet,
      logical_application: unmet,
      opponent_addressed: unmet,
    },
    options_considered: [],
    issues: [],
    citations: [],
    law_from_memory: [],
    relied: null,
    other_winner: null,
    rounds: 2,
    sides: [],
  };
  const context = { question: question("Is it binding?"), run: { isTestMode: false } } as Context;
  const cautions = (authorities: Authority[]) =>
    summary(context, conclusion, { authorities, missing: [], not_shown: [] }, String).match(/\*\*Not met.*/)![0];
  expect(cautions([authority("p1", {})])).toContain("Authority on point");
  expect(cautions([])).not.toMatch(/authorit/i);
});
