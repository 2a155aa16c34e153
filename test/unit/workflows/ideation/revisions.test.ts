/** A revision has only what changes; code puts it together with what stays. */
import { describe, expect, test } from "vitest";
import { inProfile, type Action } from "#workflow-kit/action";
import { reviseIdeas } from "#workflows/ideation/actions/index";
import type { Revision } from "#workflows/ideation/artifacts/index";
import { changedFields, repliesIn, revised } from "#workflows/ideation/rules/revisions";
import { verdictsOn } from "#workflows/ideation/rules/verdicts";
import { ideasOf, fullInputs, TOPIC } from "#workflows/ideation/samples";

const ideas = ideasOf(1);
const [one, two] = ideas as [(typeof ideas)[number], (typeof ideas)[number]];
const SAME = {
  name: null,
  problem: null,
  existing_methods: null,
  motivation: null,
  proposed_method: null,
  experiment_plan: null,
};
const change = (idea: string, more: object = {}): Revision["ideas"][number] => ({ idea, ...SAME, ...more });

describe("a revision", () => {
  test("changes the fields that it has, of the ideas that it names", () => {
    const revision = { replies: [], ideas: [change(`"${two.name.toUpperCase()}"`, { motivation: "Another reason." })] };
    const after = revised(ideas, revision);
    expect(after).toEqual(ideas.map((idea) => (idea === two ? { ...two, motivation: "Another reason." } : idea)));
    expect(changedFields(ideas, after)).toEqual(ideas.map((idea) => (idea === two ? ["motivation"] : [])));
  });

  test("that renames an idea replaces it: all of it is new to critics", () => {
    const after = revised(ideas, { replies: [], ideas: [change(one.name, { name: "Another" })] });
    expect(after[0]!.name).toBe("Another");
    expect(changedFields(ideas, after)[0]).toHaveLength(5);
  });

  test("with whole ideas, of the paper's profile or an earlier version, replaces them all", () => {
    const whole = { ideas: [{ ...one, name: "Another" }] };
    expect(revised([one], whole)).toEqual(whole.ideas);
    expect(repliesIn(whole)).toEqual([]);
  });
});

describe("a revision is sent back", () => {
  const input = { ...(fullInputs(TOPIC).revise_ideas as Parameters<typeof reviseIdeas.mock>[0]), ideas };
  const errors = (...changes: Revision["ideas"]) => reviseIdeas.check!({ replies: [], ideas: changes }, input);

  test.each([
    ["that names no idea", change("Nobody", { motivation: "x" }), /no idea's name/],
    ["that changes nothing of an idea it lists", change(one.name), /Nothing of/],
    ["with an empty field", change(one.name, { motivation: " " }), /`motivation` of idea 1/],
    ["that takes another idea's name", change(one.name, { name: two.name }), /name/],
    ["with a field far above its limit", change(one.name, { problem: "word ".repeat(140) }), /140 words; at most 100/],
  ])("%s", (_what, changed, fieldError) => {
    expect(errors(changed)).toEqual([expect.stringMatching(fieldError)]);
  });

  test("that replies to a criticism that is not there, or with nothing", () => {
    const replies = [
      { criticism: "c99", reply: "No." },
      { criticism: "c1", reply: " " },
    ];
    expect(reviseIdeas.check!({ replies, ideas: [] }, input)).toEqual([
      expect.stringMatching(/"c99"/),
      expect.stringMatching(/`reply` to c1/),
    ]);
  });

  test("but not one that follows no criticism", () => {
    expect(reviseIdeas.check!({ replies: [{ criticism: "c1", reply: "It has one." }], ideas: [] }, input)).toEqual([]);
  });

  test("under the paper's profile every idea is written anew", () => {
    const paper = inProfile(reviseIdeas as Action, "paper");
    expect(paper.check!({ ideas: ideas.slice(1) }, input)).toHaveLength(1);
    expect(paper.check!({ ideas }, input)).toEqual([]);
  });
});

test("what the judge said for the loser is kept for the proposal of the winner, its reason for that of the loser", () => {
  const match = {
    a: "i1",
    b: "i2",
    first: "i1",
    winner: "i1",
    reasons: ["i1 is sounder."],
    points: ["i2 is cheaper."],
  };
  const ranking = {
    of: "ideas" as const,
    rounds: [{ round: 1, matches: [match], bye: null, scores: {} }],
    play_off: [],
    places: [],
  };
  const onIdea = (id: string) => verdictsOn(id, ranking, (other) => other)[0];
  expect(onIdea("i1")).toMatchObject({ outcome: "won", although: "i2 is cheaper." });
  expect(onIdea("i2")).toMatchObject({ outcome: "lost", reason: "i1 is sounder.", although: null });
  const without = { ...ranking, rounds: [{ ...ranking.rounds[0]!, matches: [{ ...match, points: [] }] }] };
  expect(verdictsOn("i1", without, (id) => id)[0]).toMatchObject({ although: null });
});
