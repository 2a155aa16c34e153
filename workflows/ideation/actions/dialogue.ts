import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeMaterial, repeated } from "#workflow-kit/prompt-values";
import critiqueIdeasPrompt from "../../../prompts/ideation/critique_ideas.md";
import proposeIdeasPrompt from "../../../prompts/ideation/propose_ideas.md";
import paperCritiqueIdeasPrompt from "../../../prompts/ideation/paper/critique_ideas.md";
import paperProposeIdeasPrompt from "../../../prompts/ideation/paper/propose_ideas.md";
import paperReviseIdeasPrompt from "../../../prompts/ideation/paper/revise_ideas.md";
import reviseIdeasPrompt from "../../../prompts/ideation/revise_ideas.md";
import { critiqueSchema, ideasSchema, IDEA_FIELDS, type Critique, type Ideas } from "../artifacts";
import type { CritiqueIdeasInput, ProposeIdeasInput, ReviseIdeasInput } from "../inputs";
import { criticismFaults } from "../rules/criticisms";
import { WORD_LIMITS } from "../rules/limits";
import { ideaNameKey } from "../rules/names";
import { paperKey } from "../rules/papers";
import { rehearseCritique, rehearsePaperCritique, rehearseProposal, rehearseRevision } from "../rehearsal/dialogue";
import { critiqueValues, ideaValues, methodValue, paperValues } from "./prompt-values";

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

/** The published code asks up to ten times for a batch that can be read (spec, step 2). */
const TRIES = 10;

const proposeVariables = ({ topic, method, persona, papers, examples, existing, count }: ProposeIdeasInput) => ({
  topic: escapeMaterial(topic),
  method: methodValue(method),
  persona: escapeMaterial(persona),
  papers: papers.map(paperValues),
  examples: examples.map(ideaValues),
  existing: existing.map(line),
  count,
});

export const proposeIdeas = defineAction<ProposeIdeasInput, Ideas>({
  name: "propose_ideas",
  role: "proposer",
  kind: "proposed_ideas",
  summary: "Writes a batch of ideas on the topic, from papers and as a persona.",
  prompt: proposeIdeasPrompt,
  output: ideasSchema,
  tries: TRIES,
  variables: (input) => ({ ...proposeVariables(input), ...WORD_LIMITS }),
  check: (output, { count }) => ideasFaults(output, count),
  paper: { prompt: paperProposeIdeasPrompt, variables: proposeVariables },
  outcomes: ["distinct", "duplicate", "same_names"],
  rehearse: (input, outcome, feedback) => rehearseProposal(input, outcome, feedback),
});

const critiqueVariables = ({ topic, persona, ideas, most }: CritiqueIdeasInput) => ({
  topic: escapeMaterial(topic),
  persona: escapeMaterial(persona),
  ideas: ideas.map(ideaValues),
  most,
});

export const critiqueIdeas = defineAction<CritiqueIdeasInput, Critique>({
  name: "critique_ideas",
  role: "critic",
  kind: "critique",
  summary: "Raises the criticisms of a batch of ideas that matter most, each of a quoted sentence.",
  prompt: critiqueIdeasPrompt,
  output: critiqueSchema,
  tries: TRIES,
  variables: (input) => ({
    ...critiqueVariables(input),
    ...WORD_LIMITS,
    novelty: input.papers && { papers: input.papers.map(paperValues) },
    earlier: input.earlier.length > 0 && { critiques: input.earlier.map(critiqueValues) },
  }),
  check: (output, { ideas, papers, most }) =>
    criticismFaults(output, { ideas, papers: (papers ?? []).map((_, index) => paperKey(index)), most }),
  paper: {
    prompt: paperCritiqueIdeasPrompt,
    variables: critiqueVariables,
    rehearse: (input, _outcome, feedback) => rehearsePaperCritique(input, feedback),
  },
  outcomes: ["critical"],
  rehearse: (input, _outcome, feedback) => rehearseCritique(input, feedback),
});

const reviseVariables = ({ topic, method, persona, ideas, critiques }: ReviseIdeasInput) => ({
  topic: escapeMaterial(topic),
  method: methodValue(method),
  persona: escapeMaterial(persona),
  count: ideas.length,
  ideas: ideas.map(ideaValues),
  critiques: critiques.map(critiqueValues),
});

export const reviseIdeas = defineAction<ReviseIdeasInput, Ideas>({
  name: "revise_ideas",
  role: "reviser",
  kind: "revised_ideas",
  summary: "Revises the batch so that every criticism is met; the number of ideas stays the same.",
  prompt: reviseIdeasPrompt,
  output: ideasSchema,
  tries: TRIES,
  variables: (input) => ({ ...reviseVariables(input), ...WORD_LIMITS, papers: input.papers.map(paperValues) }),
  paper: { prompt: paperReviseIdeasPrompt, variables: reviseVariables },
  check: (output, { ideas }) => ideasFaults(output, ideas.length),
  outcomes: ["revise", "replace"],
  rehearse: (input, outcome, feedback) => rehearseRevision(input, outcome, feedback),
});
