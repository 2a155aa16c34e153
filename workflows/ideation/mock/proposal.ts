import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import { keyOf } from "../rules/papers";
import type { Proposal, ProposalCheck } from "../artifacts";
import type { CheckProposalInput, ExpandIdeaInput } from "../inputs";

/** The paper's seven sections. */
export function mockPaperExpansion(input: ExpandIdeaInput, feedback?: Feedback<Proposal>): Proposal {
  const { topic, idea } = input;
  const about = quoted(topic, 90) || "the topic";
  const name = quoted(idea.name, 120);
  return {
    corrections: [],
    title: `${name}: a study on ${about}`,
    summary: "",
    problem_statement: idea.problem,
    motivation: `${idea.existing_methods} ${idea.motivation}`,
    closest_work: [],
    appendix: [],
    proposed_method: idea.proposed_method,
    experiment_plan: [
      { step: "Gather the data", details: idea.experiment_plan },
      { step: "Build the method and the baselines", details: `Each step of ${name}; the direct way as baseline.` },
      { step: "Run", details: "Two models behind an API, temperature 0, three seeds." },
      { step: "Measure", details: "The metrics named above, with bootstrap intervals over items." },
      ...(feedback ? [{ step: "As asked", details: quoted(feedback.comment, 300) }] : []),
    ],
    test_cases: {
      baseline_fails: {
        input: `A question about ${about} in which one detail misleads.`,
        baseline: "Asked directly; expected: an answer by the misleading detail.",
        method: `With ${name}; expected: the detail is set aside, and the answer holds.`,
        explanation: "The baseline never looks back at what it has used.",
      },
      method_succeeds: {
        input: `A question about ${about} that takes three steps.`,
        baseline: "Expected: two steps right, the third guessed.",
        method: "Expected: each step is checked before the next one begins.",
        explanation: "What is wrong is found where it happens.",
      },
    },
    fallback_plan: `If ${name} does not beat the baseline, its steps are removed one by one to see which does harm, and the failures are sorted by kind.`,
  };
}

/** With our sections: a summary, the closest works, the decisive experiment first, the costs last, an appendix. */
export function mockExpansion(input: ExpandIdeaInput, feedback?: Feedback<Proposal>): Proposal {
  const { topic, idea, papers, criticisms, verdicts } = input;
  const base = mockPaperExpansion(input, feedback);
  const name = quoted(idea.name, 120);
  const [criticism] = criticisms;
  const lost = verdicts.find(({ outcome }) => outcome === "lost");
  return {
    ...base,
    summary: `${quoted(idea.problem, 200)}. ${name} goes at it: ${quoted(idea.proposed_method, 200)}. A test of a day decides whether it is worth more.`,
    closest_work: papers
      ? [
          ...papers.slice(0, 2).map((paper, index) => ({
            paper: keyOf(paper, index),
            work: quoted(paper.title, 120),
            new_here: `It stays with the usual steps; ${name} adds its own.`,
          })),
          { paper: null, work: "The plain method with as much effort", new_here: "It has no step that looks back." },
        ]
      : [],
    experiment_plan: [
      {
        step: "The test that could end it",
        details: `Fifty cases on ${quoted(topic, 90) || "the topic"}, in one day: without a gain of five points the project ends.`,
      },
      ...base.experiment_plan,
      ...(criticism ? [{ step: "The critic's doubt", details: quoted(criticism.criticism, 200) }] : []),
      ...(lost ? [{ step: "The strongest rival", details: `"${quoted(lost.other, 100)}" runs beside it.` }] : []),
      { step: "Cost", details: "4 steps × 500 items × 3 seeds = 6,000 calls; two weeks of eight." },
    ],
    appendix: [{ title: "First step", text: `Here is the input. Do the first step of ${name}, and nothing else.` }],
  };
}

export function mockProposalCheck(
  { proposal }: CheckProposalInput,
  outcome: string,
  feedback?: Feedback<ProposalCheck>,
): ProposalCheck {
  if (outcome === "sound" && !feedback) return { findings: [] };
  const fault = feedback ? quoted(feedback.comment, 160) : "It does not say by which sign the failure would be seen.";
  const quote = proposal.fallback_plan;
  const instead = `${quote} The sign: no gain in the first test.`;
  return { findings: [{ section: "fallback_plan", quote, fault, instead }] };
}
