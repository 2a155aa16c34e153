import { describe, expect, test } from "vitest";
import { critiqueIdeas } from "#workflows/ideation/actions/index";
import { proposalMarkdown } from "#workflows/ideation/reports/markdown";
import { criticismErrors, isQuoteOf } from "#workflows/ideation/rules/criticisms";
import { mostCriticisms } from "#workflows/ideation/rules/limits";
import type { Proposal, SECTIONS } from "#workflows/ideation/artifacts/index";
import { changedSections, revisedProposal, quoteErrors } from "#workflows/ideation/rules/proposals";
import { ideasOf, fullInputs, TOPIC } from "#workflows/ideation/samples";

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
const errorsOf = (change: Partial<typeof criticism>) =>
  criticismErrors({ criticisms: [{ ...criticism, ...change }] }, given);

describe("a criticism", () => {
  test("of a sentence that is in the idea has no error, however quotes and blanks are set", () => {
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ idea: `“${idea.name.toUpperCase()}”`, papers: ["p2"] })).toEqual([]);
    expect(
      isQuoteOf("“It asks  TWICE” … then stops", { ...idea, proposed_method: "It asks twice; it waits, then stops." }),
    ).toBe(true);
  });

  test("must name an idea, quote it, and cite papers that were given", () => {
    expect(errorsOf({ idea: "Another" })).toEqual([expect.stringContaining('"Another", which is no idea\'s name')]);
    expect(errorsOf({ quote: "Nobody wrote this." })).toEqual([expect.stringContaining("is not in the idea")]);
    expect(errorsOf({ quote: "" })).toHaveLength(1);
    expect(errorsOf({ quote: ideas[1]!.proposed_method })).toHaveLength(1);
    expect(errorsOf({ papers: ["p3"] })).toEqual([expect.stringContaining('"p3"')]);
    expect(errorsOf({ criticism: " " })).toHaveLength(1);
  });

  test("the action refuses what is not so, and asks again up to ten times, as the published code does", () => {
    const input = fullInputs(TOPIC).critique_ideas as Parameters<typeof critiqueIdeas.mock>[0];
    const output = { criticisms: [{ ...criticism, quote: "Nobody wrote this." }] };
    expect(critiqueIdeas.check!(output, { ...input, ideas })).toHaveLength(1);
    expect(critiqueIdeas.tries).toBe(10);
  });

  test("most are five, and one for each idea of a larger batch", () => {
    expect([1, 5, 6, 20].map(mostCriticisms)).toEqual([5, 5, 6, 20]);
    const six = { criticisms: Array.from({ length: 6 }, () => criticism) };
    expect(criticismErrors(six, given)).toEqual(["There are 6 criticisms; raise at most 5."]);
    expect(criticismErrors(six, { ...given, most: 6 })).toEqual([]);
  });
});

type Section = (typeof SECTIONS)[number];

describe("the final check", () => {
  const { proposal } = (fullInputs(TOPIC) as any).check_proposal as { proposal: Proposal };
  const check = (section: Section, quote: string, instead = "y") => ({
    findings: [{ section, quote, fault: "x", instead }],
  });
  const passage = proposal.experiment_plan[0]!.details.slice(3, 40);

  test("quotes a passage that stands once in its section", () => {
    expect(quoteErrors(check("experiment_plan", passage), proposal)).toEqual([]);
    expect(quoteErrors(check("summary", passage), proposal)).toEqual([expect.stringContaining("does not say")]);
    expect(quoteErrors(check("summary", " "), proposal)).toHaveLength(1);
    const twice = { ...proposal, summary: "It binds. It binds." };
    expect(quoteErrors(check("summary", "It binds."), twice)).toEqual([expect.stringContaining("2 times")]);
  });

  test("replaces its passages and nothing else, ids of papers included", () => {
    const after = revisedProposal(proposal, check("experiment_plan", passage, "costs $& or $1"));
    const [first, ...others] = after.experiment_plan;
    expect(first!.details).toBe(proposal.experiment_plan[0]!.details.replace(passage, () => "costs $& or $1"));
    expect(others).toEqual(proposal.experiment_plan.slice(1));
    expect({ ...after, experiment_plan: null }).toEqual({ ...proposal, experiment_plan: null });
    const paper = proposal.closest_work[0]!.paper!;
    expect(quoteErrors(check("closest_work", `${paper}$`), proposal)).toHaveLength(1);
  });

  test("cuts a passage, and names the sections that it changes as they are afterwards", () => {
    const cut = check("summary", proposal.summary.slice(0, 10), "");
    expect(changedSections(proposal, cut)).toEqual({ summary: proposal.summary.slice(10) });
  });
});

test("steps are numbered once, whatever numbers their titles have", () => {
  const { proposal } = (fullInputs(TOPIC) as any).check_proposal as { proposal: Proposal };
  const titles = ["1. Planted omissions.", "Step 2: Data", "3) Cost", "4 seeds"];
  const document = proposalMarkdown(
    { ...proposal, experiment_plan: titles.map((step) => ({ step, details: "Done in a day." })) },
    [],
  );
  expect(document.match(/^\d+\. \*\*.*?\*\*/gmu)).toEqual([
    "1. **Planted omissions.**",
    "2. **Data.**",
    "3. **Cost.**",
    "4. **4 seeds.**",
  ]);
});
