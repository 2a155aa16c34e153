import { blanks, line, escapeUntrusted, repeated } from "#workflow-kit/prompt-values";
import type { Criteria, RequirementModel, RoughIdea, Smell } from "../artifacts";
import type { Stakeholder } from "../contract";
import type { Improvement, Rejection, Round, StoriesOf } from "../inputs";
import type { Metamodel } from "../rules/metamodel";
import { idLines, idRanges } from "../rules/draft-lines";
import { describeRelations, joinedRelations, requirementsOf } from "../rules/requirement-model";

export { blanks, line, escapeUntrusted, repeated };

export const ideaValues = (idea: RoughIdea) => ({
  idea: escapeUntrusted(idea.title ? `${idea.title}\n\n${idea.idea}` : idea.idea),
  background: idea.background && escapeUntrusted(idea.background),
});

export const stakeholdersValues = (stakeholders: readonly Stakeholder[]) =>
  stakeholders.map(({ name, profile }) => ({ name: line(name), profile: line(profile) }));

/** Stakeholders as the caller describes them: what a person said, beside idea and background. */
export const givenStakeholdersValues = (stakeholders: readonly Stakeholder[]) => ({
  profiles: stakeholders.length > 0 && { stakeholders: stakeholdersValues(stakeholders) },
});

export const criteriaValues = (criteria: Criteria["criteria"]) =>
  criteria.map(({ name, description }) => ({ name: line(name), description: line(description) }));

export const storiesValues = (stories: readonly StoriesOf[]) =>
  stories.map(({ stakeholder, stories: lines }) => ({ stakeholder: line(stakeholder), lines: lines.map(line) }));

export const roundsValues = (rounds: readonly Round[]) =>
  rounds.map(({ questions, answers }) => ({
    questions: questions.map(({ id, to, question }) => ({ id: line(id), to: line(to), question: line(question) })),
    answers: answers.map(({ from, answers: given }) => ({
      from: line(from),
      lines: given.map(({ question, answer }) => `${line(question)}: ${line(answer)}`),
    })),
  }));

export const rejectionValues = (rejection: Rejection | null) => ({
  draft: rejection && escapeUntrusted(rejection.draft),
  report: rejection && escapeUntrusted(rejection.report),
});

export const improvementValues = (improvement: Improvement | null) => ({
  improving: improvement && {
    previous: improvement.previous.map(line),
    findings: block(improvement.findings),
  },
});

/** Types with their meanings, for a reader of the model. */
export const metamodelValues = ({ entity_types, relation_types }: Metamodel) => ({
  entity_types: entity_types.map(({ name, meaning }) => ({ name, meaning: line(meaning) })),
  relation_types: relation_types.map(({ name, meaning }) => ({ name, meaning: line(meaning) })),
});

/** Entity types with examples, for the Modeler. */
export const entityTypeValues = (types: Metamodel["entity_types"]) =>
  types.map(({ name, meaning, examples }) => ({
    name,
    meaning: line(meaning),
    examples: examples.map(line).join(", "),
  }));

/** Relation types with what they may join, for the Modeler. */
export const relationTypeValues = ({ relation_types }: Metamodel) =>
  relation_types.map(({ name, meaning, from, to, same_type }) => ({
    name,
    meaning: line(meaning),
    from: from.join(" or "),
    to: same_type ? "the same type" : to.join(" or "),
  }));

/** A block of a prompt that is left out when it has no lines. */
export const block = (lines: readonly string[]) => lines.length > 0 && { lines: lines.map(line) };

/** The names of a model, by types: its tables are made by code. */
export const elementsValues = ({ entities }: RequirementModel) =>
  [...Map.groupBy(entities, ({ type }) => type)].map(([type, those]) => ({
    type,
    names: those.map(({ name }) => line(name)).join("; "),
  }));

export const modelValues = (model: RequirementModel) => ({
  entities: model.entities.map(({ name, type, description }) => ({
    name: line(name),
    type,
    description: line(description),
  })),
  relations: describeRelations(model).map(line),
});

/** A model as it is judged: its entities with their requirements, and the relations of one type from one entity in one line. */
export const judgedModelValues = (model: RequirementModel, draft: string) => {
  const lines = idLines(draft);
  return {
    entities: model.entities.map((entity) => ({
      name: line(entity.name),
      type: entity.type,
      requirements: idRanges(requirementsOf(entity, lines)).map(line).join(", "),
    })),
    relations: joinedRelations(model).map(line),
  };
};

export const smellsValues = (smells: readonly Smell[]) =>
  smells.map((smell) => ({
    ...smell,
    id: line(smell.id),
    location: line(smell.location),
    explanation: line(smell.explanation),
  }));
