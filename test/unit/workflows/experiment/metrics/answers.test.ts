import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { finalNumber } from "#workflows/experiment/rules/metrics/answers";
import { sharedPath } from "../../../../support/shared";
import { score } from "./trial";

describe("accuracy", () => {
  test.each([
    ["B", "B", 1],
    [" b ", "B", 1],
    ["(B)", "B", 1],
    ["A", "B", 0],
    ["B and C", "B", 0],
    [null, "B", 0],
  ])("%j for %j is %d", (answer, choice, right) => expect(score("accuracy", { answer }, { choice })).toBe(right));
});

describe("the final number", () => {
  test.each([
    ["18", 18],
    ["She makes $18 every day.", 18],
    ["3 apples, then 4 more: Answer: 7 apples", 7],
    ["**Answer:** 1,234.50 dollars\nThat was for 3 days.", 1234.5],
    ["Answer: 7\nNo: 3 * 3 is 9.\nAnswer: 9", 9],
    ["From 5 to −12", -12],
    ["The total is 1,000,000", 1_000_000],
    ["12'500 francs", 12_500],
    ["It is 7.", 7],
    ["none", null],
    ["", null],
  ])("of %j is %j", (text, number) => expect(finalNumber(text)).toBe(number));

  test("counts as right to 1e-6", () => {
    expect(score("number_match", { answer: "0.3333333" }, { number: 1 / 3 })).toBe(1);
    expect(score("number_match", { answer: "0.333" }, { number: 1 / 3 })).toBe(0);
    expect(score("number_match", { answer: null }, { number: 0 })).toBe(0);
  });

  const path = sharedPath("data/mgsm/mgsm_en.jsonl");
  test.skipIf(!path)("reads the published answers of MGSM (skipped: the data set is absent)", () => {
    const lines = readFileSync(path!, "utf8").trim().split("\n");
    const wrong = lines
      .map((line) => JSON.parse(line) as { answer: string })
      .filter(({ answer }) => finalNumber(`Step 1 of 2.\nAnswer: ${answer}`) !== Number(answer.replaceAll(",", "")));
    expect(wrong).toEqual([]);
  });
});

describe("a text", () => {
  test.each([
    ["Paris.", ["paris"], 1],
    ["We look.\nAnswer: “Paris”", ["paris"], 1],
    ["the  River Seine", ["the river seine", "seine"], 1],
    ["Paris, France", ["paris"], 0],
    [null, ["paris"], 0],
  ])("%j for %j is %d", (answer, text, right) => expect(score("text_match", { answer }, { text })).toBe(right));
});
