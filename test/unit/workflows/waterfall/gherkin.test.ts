import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { describeError, gherkinOf, parseGherkin, readRequirement } from "#workflows/waterfall/rules/gherkin";
import { sharedPath } from "../../../support/shared";

/** Acceptance data of Cucumber. */
const DATA = sharedPath("data/gherkin");
const features = (folder: string) =>
  DATA ? readdirSync(join(DATA, folder)).filter((file) => file.endsWith(".feature")) : [];
const read = (folder: string, file: string) => readFileSync(join(DATA!, folder, file), "utf8");

describe.skipIf(!DATA)("Cucumber's acceptance data", () => {
  test.each(features("good"))("good/%s is parsed, to the tree that Cucumber expects", (file) => {
    const parsed = parseGherkin(read("good", file));
    expect(parsed.ok).toBe(true);
    const { uri: _, ...expected } = JSON.parse(read("good", `${file}.ast.ndjson`).trim()).gherkinDocument;
    expect(parsed.ok && JSON.parse(JSON.stringify(parsed.ast))).toEqual(expected);
  });

  test.each(features("bad"))("bad/%s is refused, with the lines that Cucumber names", (file) => {
    const parsed = parseGherkin(read("bad", file));
    const expected = read("bad", `${file}.errors.ndjson`)
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row).parseError);
    expect(!parsed.ok && parsed.errors.map(({ line }) => line)).toEqual(
      expected.map(({ source }) => source.location.line),
    );
    for (const fieldError of parsed.ok ? [] : parsed.errors)
      expect(describeError(fieldError)).toMatch(/^Line \d+.*: \S/);
  });
});

describe("a requirement", () => {
  it("has a feature with scenarios that have steps", () => {
    expect(readRequirement("Feature: a\n  Scenario: b\n    Given c").ok).toBe(true);
    expect(readRequirement("Feature: a\n  Rule: r\n    Scenario: b\n      Given c").ok).toBe(true);
  });

  test.each([
    ["", "There is no Feature."],
    ["Feature: a", "The Feature has no Scenario."],
    ["Feature: a\n  Background:\n    Given b", "The Feature has no Scenario."],
    ["Feature: a\n  Scenario: b", 'The Scenario "b" has no step.'],
  ])("is not %j", (text, message) => {
    const read_ = readRequirement(text);
    expect(!read_.ok && read_.errors[0]!.message).toBe(message);
  });
});

test("Gherkin is extracted from words and code blocks around it", () => {
  const plain = "Feature: a\n  Scenario: b\n    Given c";
  expect(gherkinOf(plain)).toBe(plain);
  expect(gherkinOf(`Here it is:\n\`\`\`gherkin\n${plain}\n\`\`\`\nI hope it helps.`)).toBe(plain);
});
