import { blanks, line, material, repeated } from "../../../src/engine/material";
import type { RequirementModel, RoughIdea } from "../artifacts";
import type { Improvement, Rejection, Round, StoriesOf } from "../inputs";
import { describeRelations } from "../requirement-model";

export { blanks, line, material, repeated };

export const ideaValues = (idea: RoughIdea) => ({
  idea: material(idea.title ? `${idea.title}\n\n${idea.idea}` : idea.idea),
  background: idea.background && material(idea.background),
});

export const storiesValues = (stories: readonly StoriesOf[]) =>
  stories.map((one) => ({ stakeholder: line(one.stakeholder), lines: one.stories.map(line) }));

export const roundsValues = (rounds: readonly Round[]) =>
  rounds.map(({ questions, answers }) => ({
    questions: questions.map(({ id, question }) => ({ id: line(id), question: line(question) })),
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
  improving: improvement && { previous: improvement.previous.map(line), report: material(improvement.report) },
});

export const modelValues = (model: RequirementModel) => ({
  entities: model.entities.map(({ name, type, description }) => ({
    name: line(name),
    type,
    description: line(description),
  })),
  relations: describeRelations(model).map(line),
});
