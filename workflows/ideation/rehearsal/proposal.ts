import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import { paperKey } from "../rules/papers";
import type { Proposal } from "../artifacts";
import type { ExpandIdeaInput } from "../inputs";

export function rehearseExpansion({ topic, idea, papers }: ExpandIdeaInput, feedback?: Feedback<Proposal>): Proposal {
  const about = quoted(topic, 90) || "the topic";
  const name = quoted(idea.name, 120);
  return {
    title: `${name}: a study on ${about}`,
    problem_statement: idea.problem,
    motivation: `${idea.existing_methods} ${idea.motivation}`,
    closest_work: papers
      ? [
          ...papers.slice(0, 2).map(({ title: work }, index) => ({
            paper: paperKey(index),
            work: quoted(work, 120),
            new_here: `It stays with the usual steps; ${name} adds its own.`,
          })),
          { paper: null, work: "Plain prompting with as many calls", new_here: "It has no step that looks back." },
        ]
      : [],
    proposed_method: `${idea.proposed_method}\n\nEach step is one call. The prompt of the first reads: "Here is the input. Do the first step of ${name}, and nothing else."`,
    experiment_plan: [
      { step: "Gather the data", details: idea.experiment_plan },
      { step: "Build the prompts", details: `One prompt for each step of ${name}; the direct prompt as baseline.` },
      { step: "Run the models", details: "Two models behind an API, temperature 0, three seeds." },
      { step: "Measure", details: "The metrics named above, with bootstrap intervals over items." },
      ...(feedback ? [{ step: "As asked", details: quoted(feedback.comment, 300) }] : []),
    ],
    test_cases: {
      baseline_fails: {
        input: `A question about ${about} in which one detail misleads.`,
        baseline: "Asked directly, it answers by the misleading detail.",
        method: `With ${name}, the detail is set aside, and the answer holds.`,
        explanation: "The baseline never looks back at what it has used.",
      },
      method_succeeds: {
        input: `A question about ${about} that takes three steps.`,
        baseline: "Two steps right, the third guessed.",
        method: "Each step is checked before the next one begins.",
        explanation: "What is wrong is found where it happens.",
      },
    },
    fallback_plan: `If ${name} does not beat the baseline, its steps are removed one by one to see which does harm, and the failures are sorted by kind.`,
  };
}
