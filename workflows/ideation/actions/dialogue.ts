import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeMaterial, repeated } from "#workflow-kit/prompt-values";
import critiqueIdeasPrompt from "../../../prompts/ideation/critique_ideas.md";
import proposeIdeasPrompt from "../../../prompts/ideation/propose_ideas.md";
import reviseIdeasPrompt from "../../../prompts/ideation/revise_ideas.md";
import { critiqueSchema, ideasSchema, IDEA_FIELDS, type Critique, type Ideas } from "../artifacts";
import type { CritiqueIdeasInput, ProposeIdeasInput, ReviseIdeasInput } from "../inputs";
import { ideaNameKey } from "../rules/names";
import { rehearseCritique, rehearseProposal, rehearseRevision } from "../rehearsal/dialogue";
import { critiqueValues, ideaValues, paperValues } from "./prompt-values";

/** Faults of a batch of ideas that a schema cannot state: a wrong count, empty fields, repeated names. */
function ideasFaults({ ideas }: Ideas, count: number): string[] {
  const fields = ideas.flatMap((idea, index) =>
    (["name", ...IDEA_FIELDS] as const).map((field) => [`\`${field}\` of idea ${index + 1}`, idea[field]] as const),
  );
  return [
    ...(ideas.length === count ? [] : [`There are ${ideas.length} ideas; write exactly ${count}.`]),
    ...blanks(fields),
    ...repeated(
      "name",
      ideas.map(({ name }) => ideaNameKey(name)),
    ),
  ];
}

export const proposeIdeas = defineAction<ProposeIdeasInput, Ideas>({
  name: "propose_ideas",
  role: "proposer",
  kind: "proposed_ideas",
  summary: "Writes a batch of ideas on the topic, from papers and as a persona.",
  prompt: proposeIdeasPrompt,
  output: ideasSchema,
  variables: ({ topic, method, persona, papers, examples, existing, count }) => ({
    topic: escapeMaterial(topic),
    method: line(method),
    persona: escapeMaterial(persona),
    papers: papers.map(paperValues),
    examples: examples.map(ideaValues),
    existing: existing.map(line),
    count,
  }),
  check: (output, { count }) => ideasFaults(output, count),
  outcomes: ["distinct", "duplicate", "same_names"],
  rehearse: (input, outcome, feedback) => rehearseProposal(input, outcome, feedback),
});

export const critiqueIdeas = defineAction<CritiqueIdeasInput, Critique>({
  name: "critique_ideas",
  role: "critic",
  kind: "critique",
  summary: "Raises one to five criticisms of a batch of ideas, each of a quoted sentence.",
  prompt: critiqueIdeasPrompt,
  output: critiqueSchema,
  variables: ({ topic, persona, ideas, papers, earlier }) => ({
    topic: escapeMaterial(topic),
    persona: escapeMaterial(persona),
    ideas: ideas.map(ideaValues),
    novelty: papers && { papers: papers.map(paperValues) },
    earlier: earlier.length > 0 && { critiques: earlier.map(critiqueValues) },
  }),
  check: ({ criticisms }) =>
    blanks(criticisms.map(({ criticism }, index) => [`\`criticism\` ${index + 1}`, criticism] as const)),
  outcomes: ["critical"],
  rehearse: (input, _outcome, feedback) => rehearseCritique(input, feedback),
});

export const reviseIdeas = defineAction<ReviseIdeasInput, Ideas>({
  name: "revise_ideas",
  role: "reviser",
  kind: "revised_ideas",
  summary: "Revises the batch so that every criticism is met; the number of ideas stays the same.",
  prompt: reviseIdeasPrompt,
  output: ideasSchema,
  variables: ({ topic, method, persona, ideas, critiques }) => ({
    topic: escapeMaterial(topic),
    method: line(method),
    persona: escapeMaterial(persona),
    count: ideas.length,
    ideas: ideas.map(ideaValues),
    critiques: critiques.map(critiqueValues),
  }),
  check: (output, { ideas }) => ideasFaults(output, ideas.length),
  outcomes: ["revise", "replace"],
  rehearse: (input, outcome, feedback) => rehearseRevision(input, outcome, feedback),
});
