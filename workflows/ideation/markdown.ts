import type { Proposal, SourcedIdea } from "./artifacts";

/** Ideas and proposals as documents. What models wrote stands in them as text: a line of it never begins a heading or a list of ours. */

/** Keeps a text from being read as markup where it begins a line, and from opening HTML anywhere. */
const prose = (text: string): string =>
  text
    .trim()
    .replace(/<(?=[a-z/!?])/giu, "\\<")
    .replace(/^(\s*)(#{1,6}\s|[-=]{3,}\s*$|```|~~~)/gmu, "$1\\$2");

const heading = (text: string): string => prose(text).replace(/\s+/gu, " ");

export function ideaMarkdown(idea: SourcedIdea, level = "##"): string {
  const origin = idea.trial === null ? "added by a person" : `${idea.configuration}, trial ${idea.trial}`;
  return [
    `${level} ${heading(idea.name)}`,
    `*${idea.id}, ${origin}*`,
    `**Problem.** ${prose(idea.problem)}`,
    `**Existing methods.** ${prose(idea.existing_methods)}`,
    `**Motivation.** ${prose(idea.motivation)}`,
    `**Proposed method.** ${prose(idea.proposed_method)}`,
    `**Experiment plan.** ${prose(idea.experiment_plan)}`,
  ].join("\n\n");
}

/** The ideas in the order given. */
export const ideasMarkdown = (topic: string, ideas: readonly SourcedIdea[]): string =>
  [
    "# Ideas",
    `On the topic: ${heading(topic)}`,
    ...(ideas.length ? ideas.map((idea) => ideaMarkdown(idea)) : ["No idea is left."]),
  ].join("\n\n") + "\n";

/** What the judge of a tournament reads of an idea. */
export const judgedIdea = (idea: SourcedIdea): string =>
  [
    `Name: ${idea.name}`,
    `Problem: ${idea.problem}`,
    `Existing methods: ${idea.existing_methods}`,
    `Motivation: ${idea.motivation}`,
    `Proposed method: ${idea.proposed_method}`,
    `Experiment plan: ${idea.experiment_plan}`,
  ].join("\n");

/** What the judge reads of a proposal: test cases and fallback plan are hidden (spec, step 8). */
export const judgedProposal = (proposal: Proposal): string =>
  [
    `Title: ${proposal.title}`,
    `Problem statement: ${proposal.problem_statement}`,
    `Motivation: ${proposal.motivation}`,
    `Proposed method: ${proposal.proposed_method}`,
    "Step-by-step experiment plan:",
    ...proposal.experiment_plan.map(({ step, details }, index) => `${index + 1}. ${step}: ${details}`),
  ].join("\n");

export function proposalMarkdown(proposal: Proposal): string {
  const { baseline_fails, method_succeeds } = proposal.test_cases;
  const testCase = (title: string, one: typeof baseline_fails) => [
    `### ${title}`,
    `- **Input:** ${oneLine(one.input)}\n- **Baseline:** ${oneLine(one.baseline)}\n- **Method:** ${oneLine(one.method)}\n- **Why:** ${oneLine(one.explanation)}`,
  ];
  return (
    [
      `# ${heading(proposal.title)}`,
      "## Problem statement",
      prose(proposal.problem_statement),
      "## Motivation",
      prose(proposal.motivation),
      "## Proposed method",
      prose(proposal.proposed_method),
      "## Step-by-step experiment plan",
      proposal.experiment_plan
        .map(({ step, details }, index) => `${index + 1}. **${heading(step)}.** ${oneLine(details)}`)
        .join("\n"),
      "## Test case examples",
      ...testCase("Where the baseline fails", baseline_fails),
      ...testCase("Where the method succeeds", method_succeeds),
      "## Fallback plan",
      prose(proposal.fallback_plan),
    ].join("\n\n") + "\n"
  );
}

const oneLine = (text: string): string => prose(text).replace(/\s*\n\s*/gu, " ");
