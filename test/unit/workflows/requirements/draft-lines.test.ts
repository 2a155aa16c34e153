import { describe, expect, test } from "vitest";
import {
  applyChanges,
  changedPlaces,
  changedIds,
  changedLines,
  changeErrors,
  idLines,
  idRanges,
  linesNamedIn,
  modelChanges,
  modelText,
  numberedLines,
  sourcesOf,
  withoutSources,
  type LineChange,
} from "#workflows/requirements/rules/draft-lines";

const DRAFT = [
  "# Requirements draft: Badges",
  "",
  "## Functional requirements",
  "- **R1** The system shall allow a clerk to print a badge. [idea]",
  "- **R2** The system shall void a lost badge. (assumed, A1) [Ann]",
  "",
  "## Assumptions",
  "- **A1** (R2) Badges get lost.",
].join("\n");

const change = (line: number, kind: LineChange["change"], text = ""): LineChange => ({ line, change: kind, text });

test.each([
  ["- **R1** Text", "R1"],
  ["* R12: Text", "R12"],
  ["1. **Q3**: Text", "Q3"],
  ["NFR4 Text", "NFR4"],
  ["## R1 Heading", undefined],
  ["See R1.", undefined],
])("the id of %j is %s", (row, id) => {
  expect(idLines(row)[0]?.id).toBe(id);
});

test("lines with ids are found in any template, each id once", () => {
  expect(idLines(DRAFT).map(({ id }) => id)).toEqual(["R1", "R2", "A1"]);
  expect(idLines(`${DRAFT}\n- **R1** Again`).map(({ id }) => id)).toEqual(["R1", "R2", "A1"]);
});

describe("changes", () => {
  test("touch the named lines only", () => {
    const revised = applyChanges(DRAFT, [
      change(5, "replace", "- **R2** The system shall void a badge that a clerk reports as lost. [idea]"),
      change(4, "insert_after", "- **R3** The system shall number badges. [idea]"),
      change(8, "remove"),
    ]);
    const rows = DRAFT.split("\n");
    expect(revised.split("\n")).toEqual([
      ...rows.slice(0, 4),
      "- **R3** The system shall number badges. [idea]",
      "- **R2** The system shall void a badge that a clerk reports as lost. [idea]",
      ...rows.slice(5, 7),
    ]);
  });

  test("of no line leave the draft as it is", () => {
    expect(applyChanges(DRAFT, [])).toBe(DRAFT);
  });

  test("keep the order of lines inserted at one place, after a replaced one", () => {
    const both = [change(4, "insert_after", "b"), change(4, "insert_after", "c"), change(4, "replace", "a")];
    expect(applyChanges(DRAFT, both).split("\n").slice(3, 6)).toEqual(["a", "b", "c"]);
  });

  test("numbers are those of the whole draft, without blank lines", () => {
    expect(numberedLines(DRAFT).map(({ number }) => number)).toEqual([1, 3, 4, 5, 7, 8]);
  });

  test.each([
    ["a line that is not shown", [change(2, "remove"), change(99, "replace", "x")], 2],
    ["a line replaced twice", [change(4, "replace", "x"), change(4, "remove")], 1],
    ["an empty text", [change(4, "replace", " ")], 1],
    ["several lines", [change(4, "insert_after", "x\ny")], 1],
    ["an id that is taken", [change(5, "insert_after", "- **R1** Again")], 1],
    ["nothing", [change(5, "insert_after", "- **R3** New"), change(8, "remove")], 0],
  ])("are refused for %s", (_name, changes, count) => {
    expect(changeErrors(DRAFT, changes)).toHaveLength(count);
  });
});

describe("what changed between two drafts", () => {
  test("is lines, and the ids at their beginnings", () => {
    const after = DRAFT.replace("a lost badge", "a badge");
    expect(changedLines(DRAFT, after).added).toEqual(["- **R2** The system shall void a badge. (assumed, A1) [Ann]"]);
    expect([...changedIds(changedLines(DRAFT, after))]).toEqual(["R2"]);
    expect(changedLines(DRAFT, DRAFT)).toEqual({ removed: [], added: [] });
  });

  test("matters to the model, but for assumptions and open questions", () => {
    const after = DRAFT.replace("Badges get lost", "Badges break").replace("print a badge", "print badges");
    expect(modelChanges(DRAFT, after)).toEqual({
      removed: [],
      added: ["- **R1** The system shall allow a clerk to print badges."],
    });
  });

  test("does not matter to the model in sources and marks; a lost id does", () => {
    expect(modelChanges(DRAFT, DRAFT.replace("(assumed, A1) [Ann]", "[idea]"))).toEqual({ removed: [], added: [] });
    const without = DRAFT.split("\n").toSpliced(4, 1).join("\n");
    expect(modelChanges(DRAFT, without).removed).toEqual(["- **R2** The system shall void a lost badge."]);
  });

  test("is told in few words by ids, and by the line where there is none", () => {
    const after = `${DRAFT.replace("a lost badge", "a badge").replace("- **A1** (R2) Badges get lost.", "- **A2** Loss.")}\nNote.`;
    expect(changedPlaces(DRAFT, after)).toEqual(["R2", "A2", "Note.", "A1"]);
  });
});

test("elements of a model rest on a draft without assumptions, open questions, sources and marks", () => {
  const text = `${DRAFT}\n\n## Constraints\nNone of [these] (see R1).`;
  expect(modelText(text)).toBe(
    [
      ...DRAFT.split("\n").slice(0, 3),
      "- **R1** The system shall allow a clerk to print a badge.",
      "- **R2** The system shall void a lost badge.",
      "",
      "## Constraints",
      "None of [these] (see R1).",
    ].join("\n"),
  );
  expect(modelText("- **R1** Print on paper (A4). [idea]\n- **R2** Void (see O1)")).toBe(
    "- **R1** Print on paper (A4).\n- **R2** Void",
  );
});

test.each([
  "R1 The system shall answer (assumed, A1) (see O2) [idea, Ann]",
  "R1 The system shall answer [idea, Ann] (assumed, A1) (see O2).",
  "R1 The system shall answer (assumed, A1) [idea, Ann] (see O2)",
])("sources and marks end a requirement in any order: %s", (line) => {
  expect(sourcesOf(line)).toBe("idea, Ann");
  expect(modelText(line)).toBe("R1 The system shall answer");
});

test("brackets within a requirement are no sources", () => {
  expect(sourcesOf("R1 The system shall show [new] on each tool (assumed, A1)")).toBeNull();
});

test("a draft without sources keeps marks and all other lines, and the sources of lines that are named", () => {
  const rows = DRAFT.split("\n");
  expect(withoutSources(DRAFT).split("\n")).toEqual([
    ...rows.slice(0, 3),
    "- **R1** The system shall allow a clerk to print a badge.",
    "- **R2** The system shall void a lost badge. (assumed, A1)",
    ...rows.slice(5),
  ]);
  expect(withoutSources(DRAFT, ["R2"]).split("\n")[4]).toBe(rows[4]);
});

test("ids in a row are one range", () => {
  expect(idRanges(["R1", "R2", "R4", "R5", "R6", "Q1", "Q2", "Q3"])).toEqual(["R1", "R2", "R4–R6", "Q1–Q3"]);
  expect(idRanges([])).toEqual([]);
});

describe("a list of ids names lines", () => {
  test.each([
    ["R1–R9, A1", ["R1", "R2", "A1"]],
    ["R1 - R2", ["R1", "R2"]],
    ["R", ["R1", "R2"]],
    ["a Rule of R9", []],
  ])("%s", (text, ids) => {
    expect(linesNamedIn(text, idLines(DRAFT)).map(({ id }) => id)).toEqual(ids);
  });
});
