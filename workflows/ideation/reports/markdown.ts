import { inline, listItem, paragraphs } from "#workflow-kit/markdown";
import type { Paper, Place, Proposal, SourcedIdea } from "../artifacts";
import { keyOf } from "../rules/papers";

/** Ideas and proposals as documents. Text of models opens no heading, no HTML and no link. */

/** The origin of an idea. */
export const originOf = (idea: SourcedIdea): string =>
  idea.trial === null ? "added by a person" : `${idea.configuration}, trial ${idea.trial}`;

export function ideaMarkdown(idea: SourcedIdea, level = "##", standing: string | null = null): string {
  return [
    `${level} ${inline(idea.name)}`,
    `*${[idea.id, originOf(idea), standing].filter(Boolean).join("; ")}*`,
    `**Problem.** ${paragraphs(idea.problem)}`,
    `**Existing methods.** ${paragraphs(idea.existing_methods)}`,
    `**Motivation.** ${paragraphs(idea.motivation)}`,
    `**Proposed method.** ${paragraphs(idea.proposed_method)}`,
    `**Experiment plan.** ${paragraphs(idea.experiment_plan)}`,
  ].join("\n\n");
}

/** "place 2 of 9, score 4" */
export function standingOf(id: string, places: readonly Place[]): string | null {
  const index = places.findIndex((place) => place.id === id);
  const place = places[index];
  if (!place) return null;
  return `place ${index + 1} of ${places.length}, score ${place.score}${place.tied ? ", placed by the draw" : ""}`;
}

/** The ideas in the order given. */
export const ideasMarkdown = (topic: string, ideas: readonly SourcedIdea[], places: readonly Place[]): string =>
  [
    "# Ideas",
    `On the topic: ${inline(topic)}`,
    ...(ideas.length
      ? ideas.map((idea) => ideaMarkdown(idea, "##", standingOf(idea.id, places)))
      : ["No idea is left."]),
  ].join("\n\n") + "\n";

/** An idea as the judge of the tournament reads it. */
export const judgedIdea = (idea: SourcedIdea): string =>
  [
    `Name: ${idea.name}`,
    `Problem: ${idea.problem}`,
    `Existing methods: ${idea.existing_methods}`,
    `Motivation: ${idea.motivation}`,
    `Proposed method: ${idea.proposed_method}`,
    `Experiment plan: ${idea.experiment_plan}`,
  ].join("\n");

/** A step's title without a number of its own and without a full stop: the plan numbers its steps. */
const withoutNumber = (step: string): string =>
  step.replace(/^\s*(?:step\s+)?\d+\s*[.):]\s*/iu, "").replace(/[.\s]+$/u, "");

/** A proposal as the judge reads it: without test cases and fallback plan (spec, step 8), and without our section on closest work. */
export const judgedProposal = (proposal: Proposal): string =>
  [
    `Title: ${proposal.title}`,
    `Problem statement: ${proposal.problem_statement}`,
    `Motivation: ${proposal.motivation}`,
    `Proposed method: ${proposal.proposed_method}`,
    "Step-by-step experiment plan:",
    ...proposal.experiment_plan.map(({ step, details }, index) => `${index + 1}. ${withoutNumber(step)}: ${details}`),
  ].join("\n");

/** A heading with its parts; nothing without parts. */
const section = (title: string, parts: readonly string[], separator = "\n\n"): string[] =>
  parts.length ? [`## ${title}`, parts.join(separator)] : [];

/** @param papers the papers of the prompt, in its order */
export function proposalMarkdown(proposal: Proposal, papers: readonly Paper[]): string {
  const { baseline_fails, method_succeeds } = proposal.test_cases;
  const testCase = (title: string, example: typeof baseline_fails) => [
    `### ${title}`,
    [
      listItem("-", `**Input:** ${paragraphs(example.input)}`),
      listItem("-", `**Baseline:** ${paragraphs(example.baseline)}`),
      listItem("-", `**Method:** ${paragraphs(example.method)}`),
      listItem("-", `**Why:** ${paragraphs(example.explanation)}`),
    ].join("\n"),
  ];
  return (
    [
      `# ${inline(proposal.title)}`,
      ...section("Summary", proposal.summary ? [paragraphs(proposal.summary)] : []),
      "## Problem statement",
      paragraphs(proposal.problem_statement),
      "## Motivation",
      paragraphs(proposal.motivation),
      ...closestWork(proposal, papers),
      "## Proposed method",
      paragraphs(proposal.proposed_method),
      "## Step-by-step experiment plan",
      proposal.experiment_plan
        .map(({ step, details }, index) =>
          listItem(`${index + 1}.`, `**${inline(withoutNumber(step))}.** ${paragraphs(details)}`),
        )
        .join("\n"),
      "## Test case examples",
      "*Expected, not observed: nothing has been run.*",
      ...testCase("Where the baseline fails", baseline_fails),
      ...testCase("Where the method succeeds", method_succeeds),
      "## Fallback plan",
      paragraphs(proposal.fallback_plan),
      ...section(
        "Appendix",
        proposal.appendix.flatMap(({ title, text }) => [`### ${inline(title)}`, paragraphs(text)]),
      ),
    ].join("\n\n") + "\n"
  );
}

/** Lists the closest works: papers of the prompt by their own titles, others as remembered, because they may not exist. */
function closestWork({ closest_work }: Proposal, papers: readonly Paper[]): string[] {
  const works = closest_work.map(({ paper, work, new_here }) => {
    const known = papers.find((one, index) => keyOf(one, index) === paper);
    const source = known
      ? `**${inline(known.title)}**${yearOf(known)}${known.key ? `, ${known.key}` : ""}`
      : `**${inline(work)}** (from memory, to be checked)`;
    return listItem("-", `${source}: ${paragraphs(new_here)}`);
  });
  return section("Closest work", works, "\n");
}

export const yearOf = ({ year }: Paper): string => (year === null ? "" : ` (${year})`);
