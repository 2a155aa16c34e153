import { describe, expect, test } from "vitest";
import { critiqueIdeas } from "#workflows/ideation/actions/index";
import { criticismFaults, standsIn } from "#workflows/ideation/rules/criticisms";
import { mostCriticisms } from "#workflows/ideation/rules/limits";
import { quoteFaults } from "#workflows/ideation/rules/proposals";
import { ideasOf, rehearsedInputs, TOPIC } from "./rehearsed";

const ideas = ideasOf(1);
const [idea] = ideas as [(typeof ideas)[number]];
const given = { ideas, papers: ["p1", "p2"], most: 5 };
const criticism = {
  idea: idea.name,
  quote: idea.proposed_method.slice(0, 30),
  criticism: "Why?",
  category: "substance" as const,
  papers: [] as string[],
};
const faultsOf = (change: Partial<typeof criticism>) =>
  criticismFaults({ criticisms: [{ ...criticism, ...change }] }, given);

describe("a criticism", () => {
  test("of a sentence that stands in the idea has no fault, however quotes and blanks are set", () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ idea: `“${idea.name.toUpperCase()}”`, papers: ["p2"] })).toEqual([]);
    expect(
      standsIn("“It asks  TWICE” … then stops", { ...idea, proposed_method: "It asks twice; it waits, then stops." }),
    ).toBe(true);
  });

  test("must name an idea, quote it, and cite papers that were given", () => {
    expect(faultsOf({ idea: "Another" })).toEqual([expect.stringContaining('"Another", which is no idea\'s name')]);
    expect(faultsOf({ quote: "Nobody wrote this." })).toEqual([expect.stringContaining("does not stand in the idea")]);
    expect(faultsOf({ quote: "" })).toHaveLength(1);
    expect(faultsOf({ quote: ideas[1]!.proposed_method })).toHaveLength(1);
    expect(faultsOf({ papers: ["p3"] })).toEqual([expect.stringContaining('"p3"')]);
    expect(faultsOf({ criticism: " " })).toHaveLength(1);
  });

  test("the action refuses what is not so, and asks again up to ten times, as the published code does", () => {
    const input = rehearsedInputs(TOPIC).critique_ideas as Parameters<typeof critiqueIdeas.rehearse>[0];
    const output = { criticisms: [{ ...criticism, quote: "Nobody wrote this." }] };
    expect(critiqueIdeas.check!(output, { ...input, ideas })).toHaveLength(1);
    expect(critiqueIdeas.tries).toBe(10);
  });

  test("most are five, and one for each idea of a larger batch", () => {
    expect([1, 5, 6, 20].map(mostCriticisms)).toEqual([5, 5, 6, 20]);
    const six = { criticisms: Array.from({ length: 6 }, () => criticism) };
    expect(criticismFaults(six, given)).toEqual(["There are 6 criticisms; raise at most 5."]);
    expect(criticismFaults(six, { ...given, most: 6 })).toEqual([]);
  });
});

test("a finding of the final check quotes the proposal", () => {
  const { check_proposal } = rehearsedInputs(TOPIC) as any;
  const finding = (quote: string) => [{ section: "summary", quote, fault: "x", mend: "y" }];
  const { proposal } = check_proposal;
  expect(quoteFaults(finding(proposal.experiment_plan[0].details.slice(3, 40)), proposal)).toEqual([]);
  expect(quoteFaults(finding("Nobody wrote this."), proposal)).toHaveLength(1);
});
