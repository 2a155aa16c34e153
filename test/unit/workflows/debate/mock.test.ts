import { describe, expect, test } from "vitest";
import type { Action } from "#workflow-kit/action";
import { actions, judgeDebate, rankOptions, writeOpening, writeRebuttal } from "#workflows/debate/actions/index";
import { checkCitations } from "#workflows/debate/rules/citations";
import { IDEAS } from "../ideas";
import { authority, bareInputs, position, question, fullInputs } from "#workflows/debate/samples";

const PORTUGUESE =
  "João, advogado, publica toda semana as alegações de seus processos em uma coluna de jornal. Segundo o Estatuto da Advocacia, assinale a afirmativa correta.";
const QUESTIONS = { ...IDEAS, Portuguese: PORTUGUESE };
const INPUTS = Object.entries(QUESTIONS).flatMap(([name, text]) => [
  { name, inputs: fullInputs(text) },
  { name: `${name}, open`, inputs: fullInputs(text, true) },
  { name: `${name}, bare`, inputs: bareInputs(text) },
]);
const comment = "Please heed the **fire brigade**.";

describe.each((actions as readonly Action[]).map((action) => ({ action, name: action.name })))(
  "the mock of $name",
  ({ action, name }) => {
    test.each(INPUTS)("fits its own schema and check: $name", ({ inputs }) => {
      for (const outcome of action.outcomes) {
        const first = action.mock(inputs[name], outcome);
        for (const feedback of [undefined, { comment, previous: first }]) {
          const output = action.mock(inputs[name], outcome, feedback);
          expect(action.output!.safeParse(output).error?.issues ?? []).toEqual([]);
          expect(action.check?.(output, inputs[name]) ?? []).toEqual([]);
          expect(JSON.stringify(output)).not.toMatch(/undefined|\[object/);
        }
      }
    });

    test("is the same each time, and another after a person's comment", () => {
      const { inputs } = INPUTS[0]!;
      const [outcome] = action.outcomes;
      const first = action.mock(inputs[name], outcome);
      expect(action.mock(structuredClone(inputs[name]), outcome)).toEqual(first);
      expect(action.mock(inputs[name], outcome, { comment, previous: first })).not.toEqual(first);
    });
  },
);

describe("a mock side", () => {
  const authorities = [authority("p1"), authority("p2", { jurisdiction: "BR" })];
  const asked = question("Can the offer be accepted on the fifth day?");
  const side = {
    question: asked,
    authorities: authorities,
    position: position("A", "The offer stands."),
    brief_tokens: 400,
  };
  const checked = (outcome: string) => {
    const { citations } = writeOpening.mock(side, outcome);
    return checkCitations([{ debater: "debater_1", round: 1, citations, shown: ["p1", "p2"] }], authorities, "US");
  };

  test("quotes verbatim by default, and cites no foreign law", () => {
    expect(checked("ok")).toMatchObject([{ authority: "shown", quote_found: true, foreign: false }]);
  });

  test.each([
    ["a sentence that is long", `Art. 52. O crédito ${"por honorários advocatícios ".repeat(30)}não autoriza o saque.`],
    ["a text without blanks", "要約は撤回することができない期間を定めたときは".repeat(30)],
    ["characters of two units", `The offer binds ${"👍🏽👩‍👩‍👧‍👦".repeat(60)}.`],
  ])("quotes no half words of %s", (_what, excerpt) => {
    const long = [authority("p1", { excerpt })];
    const { citations } = writeOpening.mock({ ...side, authorities: long }, "ok");
    expect(checkCitations([{ debater: "debater_1", round: 1, citations, shown: ["p1"] }], long, "US")).toMatchObject([
      { quote_found: true },
    ]);
    expect(citations[0]!.quote.isWellFormed()).toBe(true);
  });

  test.each([
    ["cite_invented", { authority: "unknown", supported: false }],
    ["misquote", { authority: "shown", quote_found: false }],
    ["foreign_jurisdiction", { authority: "shown", quote_found: true, foreign: true }],
  ])("under %s has exactly that fault", (outcome, found) => {
    expect(checked(outcome)).toMatchObject([found]);
  });

  test("under no_citation cites nothing", () => {
    expect(checked("no_citation")).toEqual([]);
  });

  test("writes Portuguese about a Portuguese question, with or without a tag", () => {
    for (const language of ["pt-BR", null]) {
      const brief = writeOpening.mock({ ...side, question: question(PORTUGUESE, { language }) }, "concede");
      expect(brief.claims[0]).toBe("Diante destes fatos, o direito conduz a esta resposta: The offer stands.");
      expect(brief.application).toContain("João, advogado, publica toda semana");
      expect(brief.concedes[0]).toMatch(/^Um jurista/);
    }
  });

  test("under switch changes to the first position, so that all can agree", () => {
    const open_positions = [position("B", "It was revoked."), position("A", "The offer stands.")];
    const rebuttal = { ...side, round: 2, own: [], opponents: [], requested: [], open_positions };
    expect(writeRebuttal.mock(rebuttal, "switch").switches_to).toBeNull();
    expect(writeRebuttal.mock({ ...rebuttal, position: open_positions[0]! }, "switch").switches_to).toBe("A");
    expect(writeRebuttal.mock({ ...rebuttal, open_positions: [] }, "switch").switches_to).toBeNull();
  });
});

test("mock probabilities add up to one", () => {
  const { options } = rankOptions.mock({ question: question("x"), authorities: [] }, "ok");
  expect(options.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 3);
});

test("a mock judge decides the same in any order of the parties", () => {
  const input = fullInputs("Can the offer be accepted?").judge_debate as Parameters<typeof judgeDebate.mock>[0];
  const turned = { ...input, parties: input.parties.toReversed() };
  expect(judgeDebate.mock(turned, "decide").answer).toBe(judgeDebate.mock(input, "decide").answer);
});
