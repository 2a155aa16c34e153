import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeUntrusted, repeated } from "#workflow-kit/prompt-values";
import critiqueIdeasPrompt from "../../../prompts/ideation/critique_ideas.md";
import proposeIdeasPrompt from "../../../prompts/ideation/propose_ideas.md";
import paperCritiqueIdeasPrompt from "../../../prompts/ideation/paper/critique_ideas.md";
import paperProposeIdeasPrompt from "../../../prompts/ideation/paper/propose_ideas.md";
import paperReviseIdeasPrompt from "../../../prompts/ideation/paper/revise_ideas.md";
import reviseIdeasPrompt from "../../../prompts/ideation/revise_ideas.md";
import {
  IDEA_FIELDS,
  ideasSchema,
  ownCritiqueSchema,
  paperCritiqueSchema,
  revisionSchema,
  type Critique,
  type Ideas,
  type Revision,
} from "../artifacts";
import type { CritiqueIdeasInput, ProposeIdeasInput, ReviseIdeasInput } from "../inputs";
import { criticismErrors } from "../rules/criticisms";
import { longParts, WORD_LIMITS } from "../rules/limits";
import { ideaNameKey } from "../rules/names";
import { keyOf } from "../rules/papers";
import { revised } from "../rules/revisions";
import { mockCritique, mockPaperCritique, mockPaperRevision, mockProposal, mockRevision } from "../mock/dialogue";
import {
  answeredCritiques,
  criticismIds,
  critiqueValues,
  ideaValues,
  methodValue,
  numberedCritiques,
  paperValues,
} from "./prompt-values";

/** Errors of a batch of ideas that a schema cannot state: a wrong count, empty fields, repeated names. */
function ideasErrors({ ideas }: Ideas, count: number): string[] {
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
  topic: escapeUntrusted(topic),
  method: methodValue(method),
  persona: escapeUntrusted(persona),
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
  check: (output, { count }) => [
    ...ideasErrors(output, count),
    ...output.ideas.flatMap((idea, index) => longParts(idea, `idea ${index + 1}`)),
  ],
  paper: {
    prompt: paperProposeIdeasPrompt,
    variables: proposeVariables,
    check: (output: Ideas, { count }) => ideasErrors(output, count),
  },
  outcomes: ["distinct", "duplicate", "same_names"],
  mock: (input, outcome, feedback) => mockProposal(input, outcome, feedback),
});

const critiqueVariables = ({ topic, persona, ideas, most }: CritiqueIdeasInput) => ({
  topic: escapeUntrusted(topic),
  persona: escapeUntrusted(persona),
  ideas: ideas.map(ideaValues),
  most,
});

const FIELD_NAMES = {
  problem: "problem",
  existing_methods: "existing methods",
  motivation: "motivation",
  proposed_method: "proposed method",
  experiment_plan: "experiment plan",
} as const satisfies Record<(typeof IDEA_FIELDS)[number], string>;

/** The ideas as a later round's critics see them: the method, by which an idea is known, and what has changed. */
const shownIdeas = ({ ideas, changed }: CritiqueIdeasInput) =>
  ideas.map((idea, at) => {
    const fields = changed?.[at];
    const hidden = fields ? IDEA_FIELDS.filter((field) => field !== "proposed_method" && !fields.includes(field)) : [];
    return {
      ...ideaValues(idea),
      ...Object.fromEntries(hidden.map((field) => [field, null])),
      same: hidden.map((field) => FIELD_NAMES[field]).join(", "),
    };
  });

/** The papers; critics of a later round know them, and read those again that earlier criticisms name. */
function shownPapers({ papers, earlier, changed }: CritiqueIdeasInput) {
  if (papers === null) return null;
  const named = new Set(earlier.flatMap(({ criticisms }) => criticisms.flatMap(({ papers: cited = [] }) => cited)));
  return papers.map((paper, index) => {
    const values = paperValues(paper, index);
    return changed === null || named.has(values.key) ? values : { ...values, abstract: null };
  });
}

export const critiqueIdeas = defineAction<CritiqueIdeasInput, Critique>({
  name: "critique_ideas",
  role: "critic",
  kind: "critique",
  summary: "Raises the criticisms of a batch of ideas that matter most, each of a quoted sentence.",
  prompt: critiqueIdeasPrompt,
  output: ownCritiqueSchema,
  tries: TRIES,
  variables: (input) => {
    const papers = shownPapers(input);
    return {
      ...critiqueVariables(input),
      ideas: shownIdeas(input),
      ...WORD_LIMITS,
      novelty: papers && { papers },
      earlier: input.earlier.length > 0 && { critiques: answeredCritiques(input.earlier, input.replies) },
    };
  },
  check: (output, { ideas, papers, most }) =>
    criticismErrors(output, { ideas, papers: (papers ?? []).map(keyOf), most }),
  paper: {
    prompt: paperCritiqueIdeasPrompt,
    output: paperCritiqueSchema,
    variables: critiqueVariables,
    mock: (input, _outcome, feedback) => mockPaperCritique(input, feedback),
  },
  outcomes: ["critical"],
  mock: (input, _outcome, feedback) => mockCritique(input, feedback),
});

const reviseVariables = ({ topic, method, persona, ideas, critiques }: ReviseIdeasInput) => ({
  topic: escapeUntrusted(topic),
  method: methodValue(method),
  persona: escapeUntrusted(persona),
  ideas: ideas.map(ideaValues),
  critiques: critiques.map(critiqueValues),
});

/** Errors of a revision: of the batch that it makes, and of what it says of ideas and criticisms. */
function revisionFaults(revision: Revision, { ideas, critiques }: ReviseIdeasInput): string[] {
  const keys = ideas.map(({ name }) => ideaNameKey(name));
  const ids = criticismIds(critiques).flat();
  const unknown = revision.ideas.filter(({ idea }) => !keys.includes(ideaNameKey(idea)));
  const unchanged = revision.ideas.filter((change) =>
    ["name" as const, ...IDEA_FIELDS].every((one) => change[one] === null),
  );
  return [
    ...unknown.map(({ idea }) => `"${idea}" is no idea's name; copy one of the names.`),
    ...unchanged.map(({ idea }) => `Nothing of "${idea}" changes; leave it out.`),
    ...repeated(
      "idea",
      revision.ideas.map(({ idea }) => ideaNameKey(idea)),
    ),
    ...revision.replies
      .filter(({ criticism }) => !ids.includes(criticism.trim()))
      .map(({ criticism }) => `"${criticism}" is not the id of a criticism.`),
    ...blanks(revision.replies.map(({ criticism, reply }) => [`\`reply\` to ${criticism}`, reply] as const)),
    ...revision.ideas.flatMap((change) => longParts(change, `"${change.idea}"`)),
    ...(unknown.length ? [] : ideasErrors({ ideas: revised(ideas, revision) }, ideas.length)),
  ];
}

export const reviseIdeas = defineAction<ReviseIdeasInput, Revision>({
  name: "revise_ideas",
  role: "reviser",
  kind: "revised_ideas",
  summary: "Revises the batch so that every criticism is met or replied to; writes only what changes.",
  prompt: reviseIdeasPrompt,
  output: revisionSchema,
  tries: TRIES,
  variables: (input) => ({
    ...reviseVariables(input),
    ...WORD_LIMITS,
    critiques: numberedCritiques(input.critiques),
    papers: input.papers.map(paperValues),
  }),
  check: revisionFaults,
  paper: {
    prompt: paperReviseIdeasPrompt,
    output: ideasSchema,
    variables: (input) => ({ ...reviseVariables(input), count: input.ideas.length }),
    check: (output: Ideas, { ideas }) => ideasErrors(output, ideas.length),
    mock: (input, outcome, feedback) => mockPaperRevision(input, outcome, feedback),
  },
  outcomes: ["revise", "replace"],
  mock: (input, outcome, feedback) => mockRevision(input, outcome, feedback),
});
