import { describe, expect, test } from "vitest";
import { parseCsv } from "../../../../console/src/shared/csv";
import { trialsCsv } from "#workflows/experiment/reports/csv";
import { trialsNdjson } from "#workflows/experiment/reports/ndjson";
import { measure, trial } from "./samples";

const csvOf = (answer: string | null, scores = {}) =>
  parseCsv(
    trialsCsv({ results: [trial({ variant: "a", item: "q1", answer, scores })], measures: [measure("accuracy")] }),
  );
const answerIn = (answer: string | null): string => {
  const [head, line] = csvOf(answer);
  return line![head!.indexOf("answer")]!;
};

describe("the CSV of trials", () => {
  test("has a column for every measure; a missing value is an empty cell", () => {
    const [head, line, ...rest] = csvOf("A", { accuracy: 0.25 });
    expect(rest).toEqual([]);
    expect(line).toHaveLength(head!.length);
    expect(Object.fromEntries(head!.map((name, place) => [name, line![place]]))).toMatchObject({
      variant: "a",
      item: "q1",
      repetition: "0",
      status: "completed",
      answer: "A",
      confidence: "",
      cost_usd: "0.01",
      "score:accuracy": "0.25",
    });
    expect(csvOf("A")[1]!.at(-1)).toBe("");
  });

  test("quotes commas, quotes and line breaks, and ends lines with CRLF", () => {
    const answer = 'He said "no", then\r\nleft\n';
    expect(answerIn(answer)).toBe(answer);
    const text = trialsCsv({ results: [], measures: [] });
    expect(text).toMatch(/^[^\r\n]+\r\n$/u);
  });

  test.each(["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", " =1", "\t=1", "\r=1", "|x", ";=1+1", "; -2+3"])(
    "keeps %j a text for spreadsheets",
    (answer) => expect(answerIn(answer)).toBe(`'${answer}`),
  );

  test.each(["=1+1", ";=1+1", "a;=1+1", "a;b"])("quotes %j, where semicolons separate cells", (answer) => {
    const text = trialsCsv({ results: [trial({ variant: "a", item: "q1", answer })], measures: [] });
    expect(text).toMatch(/,"'?[^",]+",/u);
  });

  test("leaves a negative number as it is", () => {
    expect(answerIn("-5")).toBe("-5");
    expect(answerIn("+3.25")).toBe("+3.25");
  });
});

test("the NDJSON of trials has one object a line", () => {
  const results = [trial({ variant: "a", item: "q1", answer: "two\nlines" }), trial({ variant: "b", item: "q1" })];
  const lines = trialsNdjson({ results }).split("\n");
  expect(lines.pop()).toBe("");
  expect(lines.map((line) => JSON.parse(line))).toEqual(results);
});
