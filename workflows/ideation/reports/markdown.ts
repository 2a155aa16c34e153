import type { Paper, Place, Proposal, SourcedIdea } from "../artifacts";
import { paperKey } from "../rules/papers";

/** Ideas and proposals as documents. Text of models stays text: no line of it begins a heading or a list. */

/**
 * Each line of a text as a paragraph that starts no block markup, no HTML and no image. It uses entities, because an existing backslash
 * would cancel an escaping one. Do not apply it twice.
 */
export const paragraphs = (text: string): string =>
  text
    .trim()
    .replace(/\s*\n\s*/gu, "\n\n")
    .replace(/<(?=[a-z/!?])/giu, "&lt;")
    .replace(/!(?=\[)/gu, "&#33;")
    .replace(/^(#{1,6}\s|[-=]{3,}\s*$|```|~~~)/gmu, "\\$1");

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();

export const heading = (text: string): string => paragraphs(oneLine(text));

/** An entry of a list; paragraphs after the first are indented under its text. */
export const entry = (mark: string, text: string): string =>
  `${mark} ${paragraphs(text).replace(/\n\n/gu, `\n\n${" ".repeat(mark.length + 1)}`)}`;

/** The origin of an idea. */
export const originOf = (idea: SourcedIdea): string =>
  idea.trial === null ? "added by a person" : `${idea.configuration}, trial ${idea.trial}`;

export function ideaMarkdown(idea: SourcedIdea, level = "##", standing: string | null = null): string {
  return [
    `${level} ${heading(idea.name)}`,
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
    `On the topic: ${heading(topic)}`,
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

/** A proposal as the judge reads it: without test cases and fallback plan (spec, step 8), and without our section on closest work. */
export const judgedProposal = (proposal: Proposal): string =>
  [
    `Title: ${proposal.title}`,
    `Problem statement: ${proposal.problem_statement}`,
    `Motivation: ${proposal.motivation}`,
    `Proposed method: ${proposal.proposed_method}`,
    "Step-by-step experiment plan:",
    ...proposal.experiment_plan.map(({ step, details }, index) => `${index + 1}. ${step}: ${details}`),
  ].join("\n");

/** @param papers the papers of the prompt, in its order: `closest_work` names them by their place */
export function proposalMarkdown(proposal: Proposal, papers: readonly Paper[]): string {
  const { baseline_fails, method_succeeds } = proposal.test_cases;
  const testCase = (title: string, example: typeof baseline_fails) => [
    `### ${title}`,
    [
      entry("-", `**Input:** ${example.input}`),
      entry("-", `**Baseline:** ${example.baseline}`),
      entry("-", `**Method:** ${example.method}`),
      entry("-", `**Why:** ${example.explanation}`),
    ].join("\n"),
  ];
  return (
    [
      `# ${heading(proposal.title)}`,
      "## Problem statement",
      paragraphs(proposal.problem_statement),
      "## Motivation",
      paragraphs(proposal.motivation),
      ...closestWork(proposal, papers),
      "## Proposed method",
      paragraphs(proposal.proposed_method),
      "## Step-by-step experiment plan",
      proposal.experiment_plan
        .map(({ step, details }, index) => entry(`${index + 1}.`, `**${oneLine(step)}.** ${details}`))
        .join("\n"),
      "## Test case examples",
      "*Expected, not observed: nothing has been run.*",
      ...testCase("Where the baseline fails", baseline_fails),
      ...testCase("Where the method succeeds", method_succeeds),
      "## Fallback plan",
      paragraphs(proposal.fallback_plan),
    ].join("\n\n") + "\n"
  );
}

/** Lists the closest works: papers of the prompt by their own titles, others as remembered, because they may not exist. */
function closestWork({ closest_work }: Proposal, papers: readonly Paper[]): string[] {
  if (closest_work.length === 0) return [];
  const works = closest_work.map(({ paper, work, new_here }) => {
    const known = papers.find((_, index) => paperKey(index) === paper);
    const source = known
      ? `**${oneLine(known.title)}**${yearOf(known)}`
      : `**${oneLine(work)}** (from memory, to be checked)`;
    return entry("-", `${source}: ${new_here}`);
  });
  return ["## Closest work", works.join("\n")];
}

export const yearOf = ({ year }: Paper): string => (year === null ? "" : ` (${year})`);
