import { describe, expect, test } from "vitest";
import type { RequirementModel, Smell } from "#workflows/requirements/artifacts";
import { errorReport } from "#workflows/requirements/reports/error-report";
import { assembleSpecification, type SpecificationParts } from "#workflows/requirements/reports/specification";

const DRAFT = [
  "# Requirements draft: Badges",
  "- **R1** The system shall allow a clerk to print a badge. [idea]",
  "- **R2** The system shall void a badge. (assumed, A1) [Ann (simulated)]",
  "- **R3** The system shall number badges. [idea]",
  "- **Q1** A badge shall be printed within 5 seconds. (assumed, A1) [idea]",
  "- **A1** (R2, Q1) Badges get lost.",
  "- **O1** Who may void a badge?",
].join("\n");

const model: RequirementModel = {
  model_kind: "use_case",
  title: "Badges",
  entities: [
    { id: "e1", type: "actor", name: "Clerk", description: "Prints badges", requirements: ["R1"] },
    { id: "e2", type: "use_case", name: "Print badge", description: "A | badge", requirements: ["R1", "R3"] },
    { id: "e3", type: "use_case", name: "Void badge", description: "", requirements: ["R2"] },
  ],
  relations: [
    { type: "association", from: "e1", to: "e2" },
    { type: "extend", from: "e3", to: "e2" },
  ],
  pairs: null,
};

const finding: Smell = {
  id: "s1",
  location: "R2",
  explanation: "It is open who voids *it*.",
  kind: "ambiguous",
  concerns: "both",
  severity: "minor",
};

const assembled = (text: string, change: Partial<SpecificationParts> = {}) =>
  assembleSpecification({
    text,
    template: "",
    draft: DRAFT,
    model,
    findings: [],
    accepted: true,
    iteration: 2,
    ...change,
  });
const PLACES = "# SRS\n\n[[R1, R2]]\n\n[[R3]]\n\n[[Q]]\n\n[[A]]\n\n[[O]]";
const rows = (text: string) => text.split("\n").filter((row) => row.startsWith("- **"));

describe("requirements in a specification", () => {
  test("stand where the Documenter placed them, word for word", () => {
    expect(rows(assembled(PLACES))).toEqual(DRAFT.split("\n").slice(1));
    expect(assembled(PLACES)).not.toContain("[[");
  });

  test.each(["[[R1–R3]]", "[[R1-R3]]", "[[R]]", "[[R1 R2 R3]]", "- [[R1; R2, R3]]"])("are found by %s", (place) => {
    expect(rows(assembled(`# SRS\n\n${place}`)).slice(0, 3)).toEqual(DRAFT.split("\n").slice(1, 4));
  });

  test("that were forgotten stand after the last of their letter, and none stands twice", () => {
    const srs = assembled("# SRS\n\n[[R3]]\n\n[[R1, R3]]\n\n## Qualities\n\n[[Q]]");
    expect(rows(srs).map((row) => row.slice(4, 6))).toEqual(["R3", "R1", "R2", "Q1", "A1", "O1"]);
    expect(srs.indexOf("R2")).toBeLessThan(srs.indexOf("## Qualities"));
  });

  test("that the Documenter wrote out are not added once more", () => {
    expect(assembled("# SRS\n\n- **R1** In other words.\n\n[[R2]]").match(/\*\*R1\*\*/g)).toHaveLength(1);
  });

  test("are at their place although a list elsewhere begins with their id", () => {
    const srs = assembled("# SRS\n\n[[R1]]\n\n## Tests\n\n- R1 is tested by hand.\n- R2, R3: inspection.");
    expect(srs).toContain("- **R1** The system shall allow");
  });

  test("that a sentence names stay ids, and lists have room around them", () => {
    const srs = assembled("# SRS\nThe clerk (see [[R1, R3]]) starts.\n[[R1]]\nThen more.");
    expect(srs).toContain("(see R1, R3) starts.\n\n- **R1** The system");
    expect(srs).toMatch(/\[idea\]\n\nThen more\./);
  });

  test("a place for lines that the draft does not have holds a dash", () => {
    expect(assembled("# SRS\n\n[[C]]\n\n[[R]]")).toContain("# SRS\n\n–\n");
  });
});

describe("tables of a specification", () => {
  test("the model: each element with its requirements and relations, under the given words", () => {
    const srs = assembled("# SRS\n\n[[model: Name | Art | Zweck | Anforderungen | Beziehungen]]");
    expect(srs).toContain("| Name | Art | Zweck | Anforderungen | Beziehungen |");
    expect(srs).toContain("| Clerk | actor | Prints badges | R1 | takes part in Print badge |");
    expect(srs).toContain(
      String.raw`| Print badge | use case | A \| badge | R1, R3 | actors: Clerk; is extended by Void badge |`,
    );
    expect(srs).toContain("| Void badge | use case | – | R2 | extends Print badge |");
  });

  test("the trace: each requirement with elements and sources", () => {
    const srs = assembled("# SRS\n\n[[traceability: only | two]]");
    expect(srs).toContain("| Requirement | Model elements | Sources |");
    expect(srs).toContain("| R1 | Clerk, Print badge | idea |");
    expect(srs).toContain("| R3 | Print badge | idea |");
    expect(srs).toContain("| R2 | Void badge | Ann (simulated) |");
    expect(srs).toContain("| Q1 | – | idea |");
    expect(srs).not.toContain("| A1 |");
  });

  test("have requirements with the same elements and sources in one row, by kind of requirement", () => {
    const entities = [{ ...model.entities[0]!, requirements: ["R1", "R2", "R3"] }];
    const draft = DRAFT.replace("[Ann (simulated)]", "[idea]");
    const srs = assembled("[[traceability]]\n\n[[model]]", { draft, model: { ...model, entities, relations: [] } });
    expect(srs).toContain("| R1–R3 | Clerk | idea |\n| Q1 | – | idea |");
    expect(srs).toContain("| Clerk | actor | Prints badges | R1–R3 |");
  });

  test("of another kind of model name its relations as the metamodel does", () => {
    const srs = assembled("[[model]]", { model: { ...model, model_kind: "custom" } });
    expect(srs).toContain("association ← Clerk; extend ← Void badge");
  });

  test("of the trace name the sources in place of the requirements", () => {
    expect(assembled("[[R1]]\n\n[[R2]]\n\n[[traceability]]")).toContain(
      "- **R1** The system shall allow a clerk to print a badge.\n\n- **R2** The system shall void a badge. (assumed, A1)\n",
    );
  });

  test("of a model without requirements rest on names", () => {
    const entities = model.entities.map(({ requirements: _, ...entity }) => ({ ...entity, name: entity.name }));
    for (const named of [entities, entities.map((entity) => ({ ...entity, requirements: [] }))]) {
      const srs = assembled("[[traceability]]\n\n[[model]]", { model: { ...model, entities: named } });
      expect(srs).toContain("| R1 | Clerk | idea |");
      expect(srs).toContain("| Clerk | actor | Prints badges | R1 |");
    }
  });

  test("that the template asks for are added when the text lost them", () => {
    const template = "# SRS\n\n[[model: A | B]]\n\n[[traceability: A | B]]";
    const srs = assembled("# SRS\n\n[[traceability]]", { template });
    expect(srs.match(/^## .*$/gm)).toEqual(["## Requirements model"]);
    expect(srs.match(/^\| --- /gm)).toHaveLength(2);
  });
});

describe("the index of assumptions and open questions", () => {
  test.each(["**A1** Badges get lost.", "**A1** (R9) Badges get lost.", "**A1** (R1, R3–R5) Badges get lost."])(
    "is made from the requirements that name them: %s",
    (line) => {
      const srs = assembled(PLACES, { draft: DRAFT.replace("**A1** (R2, Q1) Badges get lost.", line) });
      expect(srs).toContain("- **A1** (R2, Q1) Badges get lost.");
    },
  );

  test("leaves a line that no requirement names, and its other words in brackets", () => {
    expect(assembled(PLACES)).toContain("- **O1** Who may void a badge?");
    const draft = DRAFT.replace("(R2, Q1) Badges", "(by law) Badges");
    expect(assembled(PLACES, { draft })).toContain("- **A1** (R2, Q1) (by law) Badges get lost.");
  });
});

describe("the table of the verification", () => {
  const tableOf = (...lines: string[]) =>
    ["# SRS", "", "| Method | Ids | Passed |", "|---|---|---|", ...lines].join("\n");

  test("gets a row for requirements that it forgot", () => {
    const srs = assembled(`${tableOf("| Test | R1–R2 | It prints. |")}\n\nMore.`);
    expect(srs).toContain(
      "| Test | R1–R2 | It prints. |\n| Test | R3, Q1 | What the requirement says is observed. |\n\nMore.",
    );
  });

  test("has the ids in the column in which the others stand", () => {
    const reversed = "| Id | Method |\n|---|---|\n| R1, R2, R3 | Test |";
    expect(assembled(reversed)).toContain("| R1, R2, R3 | Test |\n| Q1 | Test |");
  });

  test("stays when it is complete, and when a table names few requirements", () => {
    expect(assembled(tableOf("| Test | R1 - R3 | a |", "| Analysis | Q | b |"))).not.toContain("is observed");
    expect(assembled(tableOf("| Test | R1 | a |"))).not.toContain("is observed");
  });
});

describe("findings of the last check", () => {
  test("that are not in the way are known weaknesses, and no open questions", () => {
    const srs = assembled(PLACES, { findings: [finding] });
    expect(srs).toMatch(/- \*\*O1\*\* .*\n\n## Known weaknesses\n/);
    expect(srs).toMatch(/\n- \*\*R2\*\* \(minor\): It is open who voids \\\*it\\\*\.$/);
    expect(srs).not.toContain("Not accepted");
  });

  test("that the Documenter put right are listed no more; marks and sources stay", () => {
    const text = `${PLACES}\n\n[[R2 = **R2** The system shall let a clerk void a badge. [Ann]]]`;
    const srs = assembled(text, { findings: [finding] });
    expect(srs).toContain("- **R2** The system shall let a clerk void a badge. (assumed, A1) [Ann (simulated)]\n");
    expect(srs).not.toContain("Known weaknesses");
    expect(srs).not.toContain("It is open who");
    expect(srs).not.toContain("[[");
  });

  test("let open questions and assumptions be worded anew, too", () => {
    const findings = ["O1", "A1"].map((location) => ({ ...finding, location }));
    const text = `${PLACES}\n\n[[O1 = May a clerk void a badge?]]\n[[A1 = Badges are stolen.]]`;
    const srs = assembled(text, { findings });
    expect(rows(srs)).toEqual(
      expect.arrayContaining(["- **O1** May a clerk void a badge?", "- **A1** (R2, Q1) Badges are stolen."]),
    );
    expect(srs).not.toContain("Known weaknesses");
    expect(srs).not.toContain("[[");
  });

  test("alone let a requirement be worded anew", () => {
    const text = `${PLACES}\n\n[[R1 = The system shall explode.]]`;
    for (const change of [{ findings: [finding] }, { findings: [{ ...finding, location: "R1" }], accepted: false }]) {
      const srs = assembled(text, change);
      expect(srs).not.toContain("explode");
      expect(srs).toContain("- **R1** The system shall allow a clerk to print a badge.");
    }
  });

  test("that are in the way mark the document and are at its end", () => {
    const srs = assembled(PLACES, { findings: [{ ...finding, severity: "major" }], accepted: false });
    expect(srs).toMatch(/^# SRS\n\n> \*\*Not accepted\.\*\* Check 2 found one error\./);
    expect(srs).toMatch(/## Open findings\n\n- \*\*R2\*\* \(major\): .*$/);
  });
});

describe("numbers of requirements", () => {
  const [title, r1, r2, r3, ...others] = DRAFT.split("\n");
  const added = "- **R9** The system shall log each badge, as R2 says. [idea]";
  const draft = [title, r1, added, r2, r3, ...others].join("\n");
  const text = "# SRS\n\nSee R2–R3, R9 and A1.\n\n[[R1, R9, R2–R3]]\n\n[[Q]]\n\n[[A]]\n\n[[O]]";
  const entities = [{ ...model.entities[0]!, requirements: ["R1", "R2", "R9"] }];

  test("follow their order, and everything that names them", () => {
    const srs = assembled(`${text}\n\n[[model]]`, {
      draft,
      model: { ...model, entities, relations: [] },
      findings: [finding],
    });
    expect(rows(srs).map((row) => row.slice(4, 6))).toEqual(["R1", "R2", "R3", "R4", "Q1", "A1", "O1", "R3"]);
    expect(srs).toContain("See R3, R4, R2 and A1.");
    expect(srs).toContain("log each badge, as R3 says.");
    expect(srs).toContain("- **A1** (R3, Q1) Badges get lost.");
    expect(srs).toContain("| Clerk | actor | Prints badges | R1–R3 | – |");
    expect(srs).toMatch(/\| In the draft \| Here \|\n\|.*\|\n\| R2–R3 \| R3–R4 \|\n\| R9 \| R2 \|$/);
  });

  test("stay where they rise", () => {
    const gap = DRAFT.replace("**R3**", "**R7**");
    expect(assembled("# SRS\n\n[[R]]", { draft: gap })).toContain("- **R7** The system shall number badges.");
    expect(assembled(PLACES)).not.toContain("Numbers in the draft");
  });

  test("of assumptions bring these into order", () => {
    const twisted = DRAFT.replace("- **A1**", "- **A12** Later.\n- **A2** Sooner.\n- **A1**");
    expect(rows(assembled("[[A]]", { draft: twisted })).map((row) => row.slice(4, 7))).toEqual(
      expect.arrayContaining(["A1*", "A2*", "A12"]),
    );
    expect(assembled("[[A]]", { draft: twisted })).toMatch(/A1\*\*[\s\S]*A2\*\*[\s\S]*A12\*\*/);
  });
});

test("the trace of a requirement that rests on an assumption alone names it", () => {
  for (const source of ["", " [assumed]"]) {
    const draft = DRAFT.replace(" [Ann (simulated)]", source);
    expect(assembled("[[traceability]]", { draft })).toContain("| R2 | Void badge | A1 |");
  }
});

test("an error report lists the findings, the gravest first, and who has to act", () => {
  const report = errorReport(
    [finding, { ...finding, id: "s2", severity: "critical", concerns: "draft", location: "R1" }],
    3,
  );
  expect(report).toBe(
    [
      "# Error report, check 3",
      "",
      "The check found 2 errors: 1 critical and 1 minor.",
      "",
      String.raw`1. **R1** (ambiguous, critical): It is open who voids \*it\*. To be put right by the Collector.`,
      String.raw`2. **R2** (ambiguous, minor): It is open who voids \*it\*. To be put right by the Collector and the Modeler.`,
    ].join("\n"),
  );
});
