import { describe, expect, test } from "vitest";
import { judgeDebate } from "#workflows/debate/actions/index";
import { CHECKLIST, type Verdict, verdictSchema } from "#workflows/debate/artifacts/index";
import { inputSchema, optionsSchema, PAPER_OPTIONS, requestErrors } from "#workflows/debate/contract";
import { debate } from "#workflows/debate/workflow";

const paper = { profile: "paper", ...PAPER_OPTIONS };
const choices = [
  { label: "A", text: "Yes" },
  { label: "B", text: "No" },
  { label: "C", text: "It depends" },
];
const errors = (input: object, options: object) =>
  requestErrors(inputSchema.parse({ question: "Is it so?", ...input }), optionsSchema.parse(options)).map(
    ({ path }) => path,
  );
const paths = (schema: typeof inputSchema | typeof optionsSchema, value: object) =>
  schema.safeParse(value).error?.issues.map(({ path }) => path.join(".")) ?? [];

describe("options", () => {
  test("have the defaults of the design", () => {
    expect(optionsSchema.parse({})).toEqual({
      strategy: "debate",
      debaters: 2,
      rounds: 2,
      positions: "ranked",
      topology: "sparse_ring",
      free_to_switch: false,
      early_stop: false,
      top_k: 5,
      snippets_per_rebuttal: 1,
      cross_examiner: false,
      judging: "blind",
      samples: 5,
      solvers: 3,
      skip_debate_above: 0.8,
      interventions: [],
      human_review: false,
      judge_each_round: false,
      profile: "default",
      reviews: [],
      interaction_timeout: "7d",
      on_expiry: "proceed",
    });
  });

  test.each([
    ["debaters", 1],
    ["debaters", 7],
    ["rounds", 0],
    ["rounds", 7],
    ["positions", "any"],
    ["positions", ["A"]],
    ["topology", "sparse"],
    ["top_k", 21],
    ["snippets_per_rebuttal", 4],
    ["brief_tokens", 49],
    ["brief_tokens", 2001],
    ["judging", "open"],
    ["samples", 0],
    ["samples", 41],
    ["solvers", 6],
    ["skip_debate_above", 1.1],
    ["interventions", ["pruning"]],
    ["reviews", ["debate_report"]],
  ])("refuse %s: %j", (name, value) => {
    expect(paths(optionsSchema, { [name]: value })[0]).toMatch(new RegExp(`^${name}`));
  });
});

describe("input", () => {
  test.each([
    ["no question", { question: " " }, "question"],
    ["one choice", { question: "x", choices: choices.slice(0, 1) }, "choices"],
    ["a label twice", { question: "x", choices: [...choices, { label: "a ", text: "Maybe" }] }, "choices.3.label"],
    [
      "labels that read alike",
      { question: "x", choices: [...choices, { label: "(A)", text: "Maybe" }] },
      "choices.3.label",
    ],
    ["a text twice", { question: "x", choices: [...choices, { label: "D", text: "yes" }] }, "choices.3.text"],
    ["no language tag", { question: "x", language: "Portuguese!" }, "language"],
    ["evidence without text", { question: "x", evidence: [{ source: "Act", text: "" }] }, "evidence.0.text"],
  ])("refuses %s", (_what, value, path) => {
    expect(paths(inputSchema, value)).toEqual([path]);
  });
});

describe("a request is refused when input and options contradict each other:", () => {
  test.each([
    ["every option of an open question", {}, { positions: "all_options" }, ["options.positions"]],
    ["a vote on an open question", {}, { strategy: "self_consistency" }, ["options.strategy"]],
    ["positions that are no choices", { choices }, { positions: ["A", "Z"] }, ["options.positions.1"]],
    ["one position twice", { choices }, { positions: ["A", "yes"] }, ["options.positions.1"]],
    ["one thesis twice", {}, { positions: ["It is.", " it is."] }, ["options.positions.1"]],
    ["solvers under the paper's profile", { choices }, { ...paper, solvers: 2 }, ["options.solvers"]],
    ["a skipped debate of the paper", { choices }, { ...paper, skip_debate_above: 0.9 }, ["options.skip_debate_above"]],
  ])("%s", (_what, input, options, found) => {
    expect(errors(input, options)).toEqual(found);
  });

  test("and is accepted otherwise", () => {
    expect(errors({ choices }, { positions: ["C", "Yes"] })).toEqual([]);
    expect(errors({}, { positions: ["It is.", "It is not."] })).toEqual([]);
    expect(errors({ choices }, { positions: "all_options", strategy: "self_consistency" })).toEqual([]);
    expect(errors({ choices }, paper)).toEqual([]);
  });
});

test.each([2, 4])("a verdict of %i reasons is invalid: it must have three", (count) => {
  const point = { met: true, note: "The rule applies." };
  const verdict = {
    answer: "A",
    winner: null,
    law_from_memory: [],
    rationale: ["One.", "Two.", "Three."],
    checklist: Object.fromEntries(CHECKLIST.map((name) => [name, point])),
    confidence: 0.5,
  };
  expect(verdictSchema.safeParse(verdict).success).toBe(true);
  const { error } = verdictSchema.safeParse({ ...verdict, rationale: Array(count).fill("A reason.") });
  expect(error?.issues.map(({ path }) => path)).toEqual([["rationale"]]);
});

test("reasons and open answers without a word are sent back; a label may be punctuation", () => {
  const check = (answer: string, rationale: string[], signs: boolean) => {
    const question = {
      text: "x",
      choices: signs ? [{ label: "+", text: "Yes" }] : [],
      jurisdiction: null,
      language: null,
    };
    const verdict = {
      analysis: "The rule applies.",
      options_considered: [{ label: "+", why_not: "It is not." }],
      issues: [{ issue: "Whether it is", resolution: "It is." }],
      answer,
      rationale,
    } as Verdict;
    return judgeDebate.check!(verdict, {
      question,
      authorities: [],
      parties: [],
      note: null,
      outside: null,
    });
  };
  expect(check("+", ["One.", "…", " "], true)).toEqual([
    "Point 2 of the rationale says nothing.",
    "Point 3 of the rationale says nothing.",
  ]);
  expect(check("…", ["One.", "Two.", "Three."], false)).toEqual(["`answer` says nothing."]);
});

test("the example is a valid request", () => {
  const { input, options } = debate.example;
  expect(inputSchema.parse(input)).toEqual(input);
  expect(optionsSchema.safeParse(options).success).toBe(true);
});
