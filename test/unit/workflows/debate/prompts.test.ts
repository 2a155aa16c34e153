import { describe, expect, test } from "vitest";
import { renderPrompt } from "#engine/calls/prompt";
import { type Action, inProfile } from "#workflow-kit/action";
import {
  actions,
  answerAlone,
  answerBriefly,
  judgeDebate,
  writeOpening,
  writeRebuttal,
} from "#workflows/debate/actions/index";
import {
  aloneSchema,
  briefSchema,
  rankingSchema,
  shortAnswerSchema,
  verdictSchema,
} from "#workflows/debate/artifacts/index";
import { briefTokens } from "#workflows/debate/rules/briefs";
import { optionsSchema } from "#workflows/debate/contract";
import { IDEAS } from "../ideas";
import { authority, bareInputs, question, fullInputs } from "#workflows/debate/samples";

const every = (actions as readonly Action[]).map((action) => ({ action, name: action.name }));
const IDEA = IDEAS["a paragraph"]!;

describe("prompts share their beginning, so that a provider's cache serves all calls of a run", () => {
  const commonStart = (texts: readonly string[]) => {
    const [first = "", ...others] = texts;
    let length = 0;
    while (length < first.length && others.every((text) => text[length] === first[length])) length++;
    return first.slice(0, length);
  };

  test.each(["default", "paper"] as const)(
    "%s: rules, question and authorities are the same for every role",
    (profile) => {
      const inputs = fullInputs(IDEA);
      const rendered = every
        .filter(({ name }) => !/fram/u.test(name))
        .map(({ action, name }) => renderPrompt(inProfile(action, profile), inputs[name]));
      expect(new Set(rendered.map(({ system }) => system)).size).toBe(1);
      const shared = commonStart(rendered.map(({ user }) => user));
      expect(shared).toContain("A proposta de contrato obriga o proponente.\n</material>");
      expect(shared.trimEnd()).toMatch(/# Your role:/);
    },
  );

  test("an authority that is found later comes after those of before", () => {
    const { write_rebuttal } = fullInputs(IDEA) as {
      write_rebuttal: Parameters<typeof writeRebuttal.mock>[0];
    };
    const later = { ...write_rebuttal, authorities: [...write_rebuttal.authorities, authority("p3")] };
    const [one, other] = [write_rebuttal, later].map((input) => renderPrompt(writeRebuttal, input).user);
    const start = commonStart([one!, other!]);
    expect(start).toContain("A proposta de contrato obriga o proponente.");
  });
});

describe.each(every)("under the profile paper the prompt of $name", ({ action, name }) => {
  const faithful = inProfile(action, "paper");

  test.each([
    ["full", fullInputs(IDEA)],
    ["bare", bareInputs(IDEA)],
    ["hostile", fullInputs(IDEAS.hostile!)],
  ])("renders a %s input, whose text stays inside its tags", (how, inputs) => {
    const { system, user } = renderPrompt(faithful, inputs[name]);
    // The hostile text has braces of its own.
    if (how !== "hostile") expect(`${system}${user}`).not.toMatch(/\{\{|undefined|\[object/);
    expect(user.match(/<\/material/g)?.length).toBe(user.match(/^<material name="[a-z: ]+[0-9]*">$/gm)?.length);
  });

  test("asks for what its schema requires", () => {
    const { prompt, output } = faithful;
    const parsed = output!.safeParse({});
    const missing = parsed.error!.issues.map(({ path }) => String(path[0]));
    for (const property of missing) expect(prompt).toContain(`"${property}"`);
  });
});

const missingIn = (value: object, { safeParse }: NonNullable<Action["output"]>): string[] =>
  safeParse(value).error?.issues.map(({ path }) => String(path[0])) ?? [];

test("without authorities, no form asks for citations or their checks, and the checklist has no points on them", () => {
  const inputs = bareInputs(IDEA);
  for (const { action, name } of every.filter(({ name: one }) => one !== "check_citations")) {
    const { system, user } = renderPrompt(action, inputs[name]);
    expect(`${system}${user}`, name).not.toMatch(/citation|authority_id|rests_on|on_point|accurate_use|brackets/);
    expect(renderPrompt(action, fullInputs(IDEA)[name]).system).toMatch(/`quote` is a passage/);
  }
  const met = { note: "The rule applies.", met: true };
  const checklist = { doctrine_named: met, logical_application: met, opponent_addressed: met };
  const verdict = { rationale: ["One.", "Two.", "Three."], answer: "A", winner: null, confidence: 0.5, checklist };
  expect(verdictSchema.parse(verdict).checklist).toMatchObject({
    on_point_authority: { met: false },
    accurate_use: { met: true },
  });
});

test("a form asks for the options of a question or for the issues of an open one, and for a change of position only where it may be", () => {
  const shown = (action: Action, input: unknown) => renderPrompt(action, input).user;
  const [choices, open] = [fullInputs(IDEA), fullInputs(IDEA, true)] as Record<string, any>[];
  for (const [name, action] of [
    ["judge_debate", judgeDebate],
    ["answer_alone", answerAlone],
  ] as const) {
    expect(shown(action, choices![name])).not.toContain('"issues"');
    expect(shown(action, open![name])).not.toContain('"options_considered"');
  }
  expect(shown(writeRebuttal, choices!.write_rebuttal)).toContain("switches_to");
  expect(shown(writeRebuttal, { ...choices!.write_rebuttal, open_positions: [] })).not.toContain("switches_to");
});

test("solvers share everything but the way in which they work", () => {
  const { answer_briefly } = fullInputs(IDEA) as Record<string, any>;
  const ways = [1, 2, 3].map((solver) => renderPrompt(answerBriefly, { ...answer_briefly, solver }).user);
  expect(new Set(ways).size).toBe(3);
  const [one, ...others] = ways.map((text) => text.split("How you work here:")[0]!);
  expect(others).toEqual([one, one]);
});

test("an answer and its runner-up differ, and are options", () => {
  const { answer_briefly } = fullInputs(IDEA) as Record<string, any>;
  const said = { reasoning: "The rule applies.", citations: [], answer: "A", runner_up: "B", confidence: 0.7 };
  const errors = (more: object) => answerBriefly.check!({ ...said, ...more }, answer_briefly);
  expect(errors({})).toEqual([]);
  expect(errors({ runner_up: "(a)" })).toEqual(["`runner_up` is your answer; name another option."]);
  expect(errors({ answer: "Z" })).toHaveLength(1);
});

test("a brief has at most five claims, under the paper's profile eight", () => {
  const { write_opening } = fullInputs(IDEA) as Record<string, any>;
  const brief = briefSchema.parse({
    concedes: [],
    application: "The rule applies.",
    claims: Array.from({ length: 6 }, (_, index) => `Claim ${index}.`),
    confidence: 0.5,
  });
  expect(writeOpening.check!(brief, write_opening)).toEqual(["There are 6 claims; write at most 5."]);
  expect(inProfile(writeOpening as Action, "paper").check!(brief, write_opening)).toEqual([]);
});

test("the form in a prompt lists the properties in the schema's order: reasons come before verdicts", () => {
  for (const { action } of every)
    for (const profile of ["default", "paper"] as const) {
      const { prompt, output } = inProfile(action, profile);
      const properties = Object.keys((output as unknown as { shape: object }).shape);
      const form = prompt.slice(prompt.lastIndexOf('\n{"'));
      // What has a default may be left out of a form.
      const optional = new Set(properties.filter((property) => !missingIn({}, output!).includes(property)));
      const all = properties.map((property) => ({ property, place: form.indexOf(`"${property}"`) }));
      expect(all.filter(({ property, place }) => place < 0 && !optional.has(property))).toEqual([]);
      const places = all.map(({ place }) => place).filter((place) => place >= 0);
      expect(places, `${action.name}: ${properties.join()}`).toEqual(places.toSorted((one, other) => one - other));
    }
  for (const schema of [verdictSchema, aloneSchema]) {
    const order = Object.keys(schema.shape);
    const places = ["analysis", "options_considered", "rationale", "answer", "confidence"].map((one) =>
      order.indexOf(one),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  }
});

test("the judge reads no brief twice: of earlier rounds only citations and concessions that the last brief does not repeat", () => {
  const { judge_debate } = fullInputs(IDEA) as { judge_debate: Parameters<typeof judgeDebate.mock>[0] };
  const [party] = judge_debate.parties;
  const { user } = renderPrompt(judgeDebate, { ...judge_debate, parties: [party!] });
  const { claims, application } = party!.briefs.at(-1)!;
  for (const text of [...claims, application]) expect(user.split(text)).toHaveLength(2);
  expect(user).not.toContain("A claim that is given up.");
  expect(user).toContain("Citations that the last brief does not repeat:\n- C4");
});

test("briefs are asked for 400 tokens, and 900 where the question is open; an option overrides both", () => {
  const tokens = (options: object, choices: { choices?: [] } = {}) =>
    briefTokens(optionsSchema.parse(options), question("x", choices));
  expect([tokens({}), tokens({}, { choices: [] }), tokens({ brief_tokens: 70 })]).toEqual([400, 900, 70]);
});

describe("an artifact of the first version still parses:", () => {
  const point = { met: true, note: "The rule applies." };
  const checklist = Object.fromEntries(
    ["doctrine_named", "on_point_authority", "accurate_use", "logical_application", "opponent_addressed"].map(
      (name) => [name, point],
    ),
  );
  const old = { answer: "A", law_from_memory: [], rationale: ["One.", "Two.", "Three."], checklist, confidence: 0.5 };

  test("a verdict, a sole answer, a ranking", () => {
    const checks = [{ citation: "C1", supported: true, note: "It says so." }];
    const verdict = verdictSchema.parse({ ...old, winner: null, citation_checks: checks });
    expect(verdict).toMatchObject({
      analysis: "",
      options_considered: [],
      issues: [],
      rests_on: [],
      citations: [],
      adopts: null,
    });
    expect(aloneSchema.parse({ ...old, citations: [] })).toMatchObject({ analysis: "", options_considered: [] });
    expect(rankingSchema.parse({ options: [{ label: "A", probability: 1 }] })).toEqual({
      issue: "",
      options: [{ label: "A", reason: "", probability: 1 }],
      rival: null,
    });
  });
});

test("what forms without authorities leave out is said by the schema, which requires it of every answer", () => {
  for (const { shape } of [shortAnswerSchema, briefSchema, aloneSchema, verdictSchema])
    expect(shape.citations.description).toMatch(/; empty when no(ne| authorities) are given$/);
  for (const { shape } of [aloneSchema, verdictSchema])
    for (const point of ["on_point_authority", "accurate_use"] as const)
      expect(shape.checklist.shape[point].description).toMatch(/^When no authorities are given: an empty note/);
});
