import type { CheckMessage, Criteria, RequirementModel, RoughIdea } from "../artifacts";
import type { Stakeholder } from "../contract";
import type { Improvement, Rejection, Round, StoriesOf } from "../inputs";
import { describeRelations } from "../requirement-model";

/**
 * Makes a text safe to stand inside `<material>` of a prompt: it cannot close the tag, nor open another. Whatever comes from
 * callers, people or models passes through here.
 */
export const material = (text: string): string => text.replace(/<(?=\/?\s*material)/giu, "‹");

/** The same for what must stay on one line of a list. */
export const line = (text: string): string => material(text).replace(/\s+/gu, " ").trim();

export const ideaValues = (idea: RoughIdea) => ({
  idea: material(idea.title ? `${idea.title}\n\n${idea.idea}` : idea.idea),
  background: idea.background && material(idea.background),
});

export const stakeholdersValues = (stakeholders: readonly Stakeholder[]) =>
  stakeholders.map(({ name, profile }) => ({ name: line(name), profile: line(profile) }));

export const criteriaValues = (criteria: Criteria["criteria"]) =>
  criteria.map(({ name, description }) => ({ name: line(name), description: line(description) }));

export const storiesValues = (stories: readonly StoriesOf[]) =>
  stories.map((one) => ({ stakeholder: line(one.stakeholder), lines: one.stories.map(line) }));

export const roundsValues = (rounds: readonly Round[]) =>
  rounds.map(({ questions, answers }) => ({
    questions: questions.map(({ id, to, question }) => ({ id: line(id), to: line(to), question: line(question) })),
    answers: answers.map((one) => ({
      from: line(one.from),
      lines: one.answers.map(({ question, answer }) => `${line(question)}: ${line(answer)}`),
    })),
  }));

export const rejectionValues = (rejection: Rejection | null) => ({
  draft: rejection && material(rejection.draft),
  report: rejection && material(rejection.report),
});

export const improvementValues = (improvement: Improvement | null) => ({
  improving: improvement && {
    previous: improvement.previous.map(line),
    findings: improvement.findings.length > 0 && { lines: improvement.findings.map(line) },
  },
});

export const modelValues = (model: RequirementModel) => ({
  entities: model.entities.map(({ name, type, description }) => ({
    name: line(name),
    type,
    description: line(description),
  })),
  relations: describeRelations(model).map(line),
});

export const smellsValues = (smells: CheckMessage["smells"]) =>
  smells.map((smell) => ({
    ...smell,
    id: line(smell.id),
    location: line(smell.location),
    explanation: line(smell.explanation),
  }));

/** Says which of some texts are blank, which strict schemas cannot forbid. */
export const blanks = (texts: readonly (readonly [where: string, text: string])[]): string[] =>
  texts.filter(([, text]) => text.trim() === "").map(([where]) => `${where} is empty.`);

/** Says which ids or names stand more than once. */
export const repeated = (what: string, names: readonly string[]): string[] =>
  [...new Set(names.filter((name, index) => names.indexOf(name) < index))].map(
    (name) => `The ${what} "${name}" stands more than once.`,
  );
