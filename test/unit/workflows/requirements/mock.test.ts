import { describe, expect, test } from "vitest";
import type { Action } from "#workflow-kit/action";
import { hasOpenFence } from "#llm/code-fences";
import {
  actions,
  answerQuestion,
  checkRequirement,
  extractEntity,
  extractRelation,
  reviseReqDraft,
  speakUserStories,
  writeReqDraft,
  writeSrs,
} from "#workflows/requirements/actions/index";
import type { CheckMessage } from "#workflows/requirements/artifacts";
import { assembleSpecification } from "#workflows/requirements/reports/specification";
import { applyChanges, changedLines, idLines } from "#workflows/requirements/rules/draft-lines";
import { A_PERSON } from "#workflows/requirements/inputs/index";
import { allowedPairs, resolvePairs } from "#workflows/requirements/rules/pairs";
import { understand } from "#workflows/requirements/mock/concept";
import { numberEntities, sameSmells } from "#workflows/requirements/rules/requirement-model";
import { IDEAS } from "../ideas";
import { bareInputs, fullInputs, roughIdea } from "#workflows/requirements/samples";

const ALL = actions as readonly Action[];
const INPUTS = Object.entries(IDEAS).flatMap(([name, idea]) => [
  { name, inputs: fullInputs(idea) as Record<string, unknown> },
  { name: `${name}, bare`, inputs: bareInputs(idea) as Record<string, unknown> },
  { name: `${name}, as a problem diagram`, inputs: fullInputs(idea, "problem") as Record<string, unknown> },
  { name: `${name}, as a goal model`, inputs: fullInputs(idea, "goal") as Record<string, unknown> },
]);

describe.each(ALL.map((action) => ({ action, name: action.name })))("the mock of $name", ({ action, name }) => {
  test.each(INPUTS)("fits its own schema and check: $name", ({ inputs }) => {
    for (const outcome of action.outcomes) {
      for (const feedback of [
        undefined,
        { comment: "Please heed the **fire brigade**.", previous: action.mock(inputs[name], outcome) },
      ]) {
        const output = action.mock(inputs[name], outcome, feedback);
        if (action.output) expect(action.output.safeParse(output).error?.issues ?? []).toEqual([]);
        else {
          expect(output).toMatch(/^# \S/);
          expect(hasOpenFence(output)).toBe(false);
          expect(output).not.toMatch(/undefined|\[object|<script|\(name of the system\)/);
        }
        expect(action.check?.(output, inputs[name]) ?? []).toEqual([]);
      }
    }
  });

  test("is the same each time, and another after a person's comment", () => {
    const { inputs } = INPUTS[0]!;
    const [outcome] = action.outcomes;
    const first = action.mock(inputs[name], outcome);
    expect(action.mock(structuredClone(inputs[name]), outcome)).toEqual(first);
    expect(action.mock(inputs[name], outcome, { comment: "Heed the fire brigade.", previous: first })).not.toEqual(
      first,
    );
  });
});

describe("the concept of a rough idea", () => {
  const featuresOf = (idea: string) => understand(idea).features.map(({ actor, does }) => `${actor}: ${does}`);

  test("people and their actions", () => {
    expect(featuresOf(IDEAS["a paragraph"]!)).toEqual([
      "neighbour: share garden tools",
      "owner: list their tools",
      "borrower: request them for certain days",
      "user: have this: everybody is reminded when a tool is due",
      "administrator: see who changed what and when",
    ]);
  });

  test("several actions of people, whose object comes last", () => {
    expect(featuresOf("A tool library: members find, reserve and return tools.")).toEqual([
      "user: use a tool library",
      "member: find, reserve and return tools",
      "administrator: see who changed what and when",
    ]);
  });

  test("what people do in a part of a sentence", () => {
    expect(featuresOf("A library where members borrow and reserve books online.")).toEqual([
      "member: borrow and reserve books online",
      "administrator: see who changed what and when",
    ]);
  });

  test("a text without people is completed with usual features", () => {
    expect(featuresOf("toaster")).toEqual([
      "user: have this: toaster",
      "user: enter a request",
      "user: withdraw a request",
      "administrator: see who changed what and when",
    ]);
  });

  test("statements in other languages are kept unchanged", () => {
    expect(featuresOf(IDEAS.Chinese!)).toContain("user: have this: 志愿者可以接单");
    expect(understand(IDEAS.Chinese!).name).toBe("一个帮助社区居民预约老人陪诊的小程序");
  });

  test("the items of a Markdown list", () => {
    expect(understand(IDEAS.Markdown!).name).toBe("My Garden app");
    expect(featuresOf(IDEAS.Markdown!)).toContain("user: have this: remind me to water my plants");
  });

  test("a draft gives the concept that it was made from", () => {
    for (const idea of Object.values(IDEAS)) {
      const { write_req_draft: input } = fullInputs(idea);
      const { background, ...rest } = input.idea;
      const before = understand([rest.idea, background].join("\n"));
      const after = understand(writeReqDraft.mock({ ...input, rejection: null }, "ok"));
      expect(after.features).toEqual(before.features);
      expect(after.name).toBe(before.name);
    }
  });
});

test("a metamodel of the caller's own gets entities and relations about the idea", () => {
  const { extract_entity: input } = fullInputs(IDEAS["a paragraph"]!);
  const types = [
    { name: "Persona", meaning: "Who.", examples: ["Guest"] },
    { name: "Thing", meaning: "What.", examples: ["Book"] },
    { name: "Task", meaning: "What is done.", examples: ["Read"] },
  ];
  const found = extractEntity.mock({ ...input, types, wanted: types, improvement: null }, "ok");
  const entities = numberEntities(found.entities);
  expect(entities.filter(({ type }) => type === "Thing").map(({ name }) => name)).toContain("Garden tools");
  expect(entities.filter(({ type }) => type === "Task").map(({ name }) => name)).toContain("Share garden tools");
  const metamodel = {
    entity_types: types,
    relation_types: [{ name: "works on", meaning: "Uses it.", from: ["Task"], to: ["Thing"] }],
  };
  const pairs = allowedPairs(entities, metamodel);
  const { decisions } = extractRelation.mock(
    { idea: input.idea, draft: input.draft, metamodel, pairs, improvement: null, again: false },
    "complete",
  );
  expect(resolvePairs(pairs, decisions).relations.length).toBeGreaterThan(0);
});

describe("documents", () => {
  const inputs = fullInputs(IDEAS["a paragraph"]!);

  test("a draft has a person's answers, and lists simulated ones as assumptions", () => {
    const [round] = inputs.write_req_draft.rounds;
    const answers = round!.questions.map(({ id }) => ({ question: id, answer: "At most three tools at a time" }));
    const draft = writeReqDraft.mock(
      { ...inputs.write_req_draft, rounds: [{ ...round!, answers: [{ from: A_PERSON, answers }] }] },
      "ok",
    );
    expect(draft).toMatch(
      /\*\*R\d+\*\* The system shall keep to what a person answered on \w+: At most three tools at a time\./,
    );
    const simulated = writeReqDraft.mock(inputs.write_req_draft, "ok");
    expect(simulated).toMatch(/\*\*R\d+\*\* .* \(assumed, A1\) \[Alice \(simulated\)\][\s\S]*- \*\*A1\*\* On \w+: /);
  });

  test("a draft uses the stories: their tellers are sources, and what goes beyond the idea is an open question", () => {
    const { write_req_draft: input } = inputs;
    const stories = [
      {
        stakeholder: "Ben (simulated)",
        stories: [
          "As an owner, I want to list their tools, so that I know.",
          "As an owner, I want to rate borrowers, so that I know.",
        ],
      },
    ];
    const draft = writeReqDraft.mock({ ...input, stories, rounds: [], rejection: null }, "ok");
    expect(draft).toMatch(/list their tools\. \[idea, Ben \(simulated\)\]/);
    expect(draft).toMatch(/\*\*O1\*\* Is this wanted: .*rate borrowers/);
    expect(draft).not.toMatch(/R\d+\*\* .*rate borrowers/);
  });

  test("functions of an idea that is only a name are assumed, from story to draft", () => {
    const named = fullInputs("The library system");
    const idea = roughIdea("The library system");
    const { stories } = speakUserStories.mock({ ...named.speak_user_stories, idea }, "ok");
    for (const story of stories) expect(story).toMatch(/\(I assume\)$/);
    const draft = writeReqDraft.mock({ ...named.write_req_draft, idea, rounds: [], rejection: null }, "ok");
    expect(draft).toMatch(/\*\*R1\*\* .* \(assumed, A1\)/);
    expect(draft).toMatch(/\*\*A1\*\* The idea is only a name/);
  });

  test("stakeholders mark what nobody stated", () => {
    const { answers } = answerQuestion.mock(inputs.answer_question, "ok");
    for (const { answer } of answers) expect(answer).toMatch(/^I assume /);
  });

  test("a revision adds a line for each finding, and leaves the others", () => {
    const { draft, findings } = inputs.revise_req_draft;
    const { changes } = reviseReqDraft.mock(inputs.revise_req_draft, "ok");
    expect(changes).toHaveLength(findings.length);
    const revised = applyChanges(draft, changes);
    expect(changedLines(draft, revised)).toEqual({ removed: [], added: changes.map(({ text }) => text) });
    expect(understand(revised).features).toEqual(understand(draft).features);
  });

  test("an improved draft answers each error of the report", () => {
    const { rejection } = inputs.write_req_draft;
    const errors = rejection.report.match(/^\d+\. /gm)!.length;
    expect(writeReqDraft.mock(inputs.write_req_draft, "ok").match(/what the check asked for/g)).toHaveLength(errors);
  });

  test("a specification fills every section of our template, invents nothing, and has a place for every requirement", () => {
    const { template, draft, model } = inputs.write_srs;
    const text = writeSrs.mock(inputs.write_srs, "ok");
    const { findings } = inputs.write_srs;
    const reworded = assembleSpecification({ text, template, draft, model, findings, accepted: true, iteration: 1 });
    expect(reworded).toContain(", each time, and at no other time.");
    const bare = writeSrs.mock({ ...inputs.write_srs, findings: [] }, "ok");
    const srs = assembleSpecification({
      text: bare,
      template,
      draft,
      model,
      findings: [],
      accepted: true,
      iteration: 1,
    });
    const unindexed = srs.replace(/^(- \*\*[AO]\d+\*\*) \([RQ][^)]*\)/gm, "$1");
    expect(unindexed).not.toBe(srs);
    for (const heading of template.match(/^## .*$/gm)!) expect(srs).toContain(heading);
    for (const { text: line } of idLines(draft))
      expect(unindexed.split(`- ${line.replace(/ \[[^\]]*\]$/, "")}`)).toHaveLength(2);
    expect(srs).not.toContain("Nothing was said on this.");
    expect(srs).not.toMatch(/^\(.*\)$/m);
    expect(srs).not.toContain("[[");
    expect(srs).not.toMatch(/priority|starts when/i);
    expect(srs).toContain("Alice (simulated)");
  });

  test("the caller's own template is followed", () => {
    const srs = writeSrs.mock(
      { ...inputs.write_srs, template: "# Pflichtenheft\n\n## Ziele\n(Was?)\n\n## Glossary\n" },
      "ok",
    );
    expect(srs.match(/^##? .*$/gm)).toEqual([
      "# Pflichtenheft",
      "## Ziele",
      "## Glossary",
      "## Functional requirements",
    ]);
    expect(srs).toMatch(/^\[\[R1/m);
  });
});

describe("scripted outcomes", () => {
  const { check_requirement: input, extract_relation: asked } = fullInputs(IDEAS["a paragraph"]!);
  const check = (outcome: string, iteration: number) => checkRequirement.mock({ ...input, iteration }, outcome);

  test("reject names other smells in each iteration, reject_same the same ones", () => {
    const accepted = check("accept", 2);
    expect(accepted).toMatchObject({ smells: [], accepted: true });
    expect(accepted.earlier.map(({ id, put_right }) => [id, put_right])).toEqual(
      input.earlier.map(({ id }) => [id, true]),
    );
    expect(check("accept_minor", 1)).toMatchObject({ smells: [{ severity: "minor" }], accepted: true });
    const same = (one: CheckMessage, other: CheckMessage) => sameSmells(one, other, () => true);
    for (const iteration of [1, 2, 3, 4]) {
      expect(check("reject", iteration).accepted).toBe(false);
      expect(same(check("reject", iteration), check("reject", iteration + 1))).toBe(false);
      expect(same(check("reject_same", iteration), check("reject_same", iteration + 1))).toBe(true);
    }
  });

  test.each([
    ["complete", false, 0],
    ["undecided_pair", false, 1],
    ["undecided_pair", true, 1],
    ["undecided_once", false, 1],
    ["undecided_once", true, 0],
  ])("extract_relation %s leaves pairs undecided (asked again: %s): %i", (outcome, again, count) => {
    const { decisions } = extractRelation.mock({ ...asked, again }, outcome);
    expect(decisions).toHaveLength(asked.pairs.length);
    expect(resolvePairs(asked.pairs, decisions).undecided).toHaveLength(count);
  });
});
