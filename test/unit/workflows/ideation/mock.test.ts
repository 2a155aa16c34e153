import { describe, expect, test } from "vitest";
import type { Action } from "#workflow-kit/action";
import { mockVector } from "#llm/mock/mock-vector";
import { actions, judgePair, proposeIdeas, reviseIdeas } from "#workflows/ideation/actions/index";
import { dropDuplicates } from "#workflows/ideation/rules/deduplication";
import { byVectors } from "#workflows/ideation/rules/cosine-similarity";
import { comparedText, THRESHOLDS } from "#workflows/ideation/rules/similarity";
import { revised } from "#workflows/ideation/rules/revisions";
import { byWords } from "#workflows/ideation/rules/lexical-similarity";
import { IDEAS } from "../ideas";
import { bareInputs, ideasOf, proposal, fullInputs, TOPIC } from "#workflows/ideation/samples";

const ALL = actions as readonly Action[];
const INPUTS = Object.entries(IDEAS).flatMap(([name, topic]) => [
  { name, inputs: fullInputs(topic) },
  { name: `${name}, bare`, inputs: bareInputs(topic) },
]);

describe.each(ALL.map((action) => ({ action, name: action.name })))("the mock of $name", ({ action, name }) => {
  test.each(INPUTS)("fits its own schema and check: $name", ({ inputs }) => {
    for (const outcome of action.outcomes) {
      for (const feedback of [
        undefined,
        { comment: "Please heed the **fire brigade**.", previous: action.mock(inputs[name], outcome) },
      ]) {
        const output = action.mock(inputs[name], outcome, feedback);
        expect(action.output!.safeParse(output).error?.issues ?? []).toEqual([]);
        expect(action.check?.(output, inputs[name]) ?? []).toEqual([]);
        expect(JSON.stringify(output)).not.toMatch(/undefined|\[object|<script/);
      }
    }
  });

  test("is the same each time", () => {
    const { inputs } = INPUTS[0]!;
    const [outcome] = action.outcomes;
    expect(action.mock(structuredClone(inputs[name]), outcome)).toEqual(action.mock(inputs[name], outcome));
  });

  test.skipIf(action === (judgePair as Action))("is another after a person's comment", () => {
    const { inputs } = INPUTS[0]!;
    const first = action.mock(inputs[name], action.outcomes[0]);
    const feedback = { comment: "Heed the fire brigade.", previous: first };
    expect(action.mock(inputs[name], action.outcomes[0], feedback)).not.toEqual(first);
  });
});

const texts = (ideas: ReturnType<typeof ideasOf>) => ideas.map(comparedText);
const keptOf = (ideas: ReturnType<typeof ideasOf>) => [
  dropDuplicates(ideas, byVectors(texts(ideas).map(mockVector)), THRESHOLDS.embedding).kept.length,
  dropDuplicates(ideas, byWords(texts(ideas)), THRESHOLDS.lexical).kept.length,
];

describe("mock ideas", () => {
  test("are about the topic, and differ within a batch", () => {
    const ideas = ideasOf(1);
    expect(ideas.every(({ problem }) => problem.includes("uncertainty"))).toBe(true);
    expect(keptOf(ideas)).toEqual([5, 5]);
  });

  test("differ by seed", () => {
    const [one, other] = [1, 2].map((seed) =>
      proposeIdeas.mock(proposal(seed), "distinct").ideas.map(({ name }) => name),
    );
    expect(one).not.toEqual(other);
  });

  test("repeat themselves over many trials, so that there are duplicates to find", () => {
    for (const kept of keptOf(ideasOf(20))) {
      expect(kept).toBeGreaterThanOrEqual(10);
      expect(kept).toBeLessThan(100);
    }
  });

  test("repeat the first trial by outcome: by content, or by name", () => {
    expect(keptOf([...ideasOf(1), ...ideasOf(1, "duplicate")].map((idea, at) => ({ ...idea, id: `x${at}` })))).toEqual([
      5, 5,
    ]);
    const [first, second] = [ideasOf(1), ideasOf(2, "same_names").slice(5)];
    expect(second.map(({ name }) => name)).toEqual(first.map(({ name }) => name));
    expect(second.map(({ proposed_method }) => proposed_method)).not.toEqual(first.map((idea) => idea.proposed_method));
  });

  test("twenty at once have twenty names", () => {
    const names = ideasOf(1, "distinct", { count: 20 }).map(({ name }) => name);
    expect(new Set(names).size).toBe(20);
  });

  test("are revised where a critic objected, and one is replaced by outcome", () => {
    const inputs = fullInputs(TOPIC) as any;
    const { ideas } = inputs.revise_ideas;
    const played = (outcome: string) => revised(ideas, reviseIdeas.mock(inputs.revise_ideas, outcome));
    expect(played("revise").map(({ name }) => name)).toEqual(ideas.map(({ name }: any) => name));
    expect(played("revise")).not.toEqual(ideas);
    expect(played("replace").at(-1)!.name).not.toBe(ideas.at(-1).name);
    expect(played("replace")).toHaveLength(ideas.length);
  });
});
