import type { Answers, CheckMessage, Criteria, Entity, Questions, RequirementModel, RoughIdea } from "./artifacts";
import type { Options, Stakeholder } from "./contract";
import type { EntityType, Metamodel } from "./metamodels";
import type { Pair } from "./pairs";
import { describeRelations } from "./requirement-model";
import defaultDraftTemplate from "./templates/draft.md";
import defaultSrsTemplate from "./templates/srs.md";
import type { Desk } from "./workspace";

/** What each action is given (MARE, Table II): artifacts from the agent's desk, and configured knowledge. */

export interface StoriesOf {
  stakeholder: string;
  stories: readonly string[];
}

/** One round of the interview. */
export interface Round {
  questions: Questions["questions"];
  answers: readonly { from: string; answers: Answers["answers"] }[];
}

/** A draft that was not accepted, and why. */
export interface Rejection {
  draft: string;
  report: string;
}

export interface SpeakUserStoriesInput {
  idea: RoughIdea;
  stakeholder: Stakeholder;
  count: number;
}

export interface ProposeQuestionInput {
  idea: RoughIdea;
  stories: readonly StoriesOf[];
  /** Earlier rounds; those of an interview that went into a draft come without answers. */
  rounds: readonly Round[];
  round: number;
  rounds_planned: number;
  /** Set when the Collector asks because of an error report. */
  rejection: Rejection | null;
}

export interface AnswerQuestionInput {
  idea: RoughIdea;
  stakeholder: Stakeholder;
  questions: Questions["questions"];
}

export interface WriteReqDraftInput {
  idea: RoughIdea;
  template: string;
  stories: readonly StoriesOf[];
  rounds: readonly Round[];
  rejection: Rejection | null;
}

/** The earlier model and what was wrong, when the Modeler improves it. */
export interface Improvement {
  previous: readonly string[];
  report: string;
}

export interface ExtractEntityInput {
  draft: string;
  types: readonly EntityType[];
  type: EntityType;
  improvement: Improvement | null;
}

export interface ExtractRelationInput {
  draft: string;
  metamodel: Metamodel;
  pairs: readonly Pair[];
  improvement: Improvement | null;
  /** The pairs were asked before and left undecided. */
  again: boolean;
}

export interface ExtractModelInput {
  draft: string;
  metamodel: Metamodel;
  improvement: Improvement | null;
}

export interface DeriveAcceptanceCriteriaInput {
  idea: RoughIdea;
}

export interface CheckRequirementInput {
  idea: RoughIdea;
  criteria: Criteria["criteria"];
  draft: string;
  model: RequirementModel;
  iteration: number;
}

export interface WriteSrsInput {
  idea: RoughIdea;
  template: string;
  draft: string;
  model: RequirementModel;
}

export interface WriteCheckReportInput {
  check: CheckMessage;
  iteration: number;
}

const stories = (desk: Desk): StoriesOf[] =>
  desk.all("user_stories").map(({ subject, content }) => ({ stakeholder: subject, stories: content.stories }));

/** Subjects tie answers to their round: questions of `round_1` are answered by `round_1/Alice`. */
function rounds(desk: Desk): Round[] {
  const answers = desk.all("stakeholders_answer");
  return desk.all("requirement_question").map((question) => ({
    questions: question.content.questions,
    answers: answers
      .filter(({ subject }) => subject.startsWith(`${question.subject}/`))
      .map(({ sent_from, content }) => ({ from: sent_from, answers: content.answers })),
  }));
}

function rejection(desk: Desk): Rejection | null {
  const report = desk.maybe("error_report");
  return report ? { draft: desk.one("requirement_draft").content, report: report.content } : null;
}

function improvement(desk: Desk, previous: (model: RequirementModel) => string[]): Improvement | null {
  const report = desk.maybe("error_report");
  return report ? { previous: previous(desk.one("requirement_model").content), report: report.content } : null;
}

export const speakUserStoriesInput = (
  desk: Desk,
  stakeholder: Stakeholder,
  options: Options,
): SpeakUserStoriesInput => ({
  idea: desk.one("rough_idea").content,
  stakeholder,
  count: options.num_user_stories,
});

export const proposeQuestionInput = (desk: Desk, round: number, options: Options): ProposeQuestionInput => ({
  idea: desk.one("rough_idea").content,
  stories: stories(desk),
  rounds: rounds(desk),
  round,
  rounds_planned: options.qa_rounds,
  rejection: rejection(desk),
});

export const answerQuestionInput = (desk: Desk, stakeholder: Stakeholder): AnswerQuestionInput => ({
  idea: desk.one("rough_idea").content,
  stakeholder,
  questions: desk.one("requirement_question").content.questions,
});

export const writeReqDraftInput = (desk: Desk, options: Options): WriteReqDraftInput => ({
  idea: desk.one("rough_idea").content,
  template: options.draft_template ?? defaultDraftTemplate,
  stories: stories(desk),
  rounds: rounds(desk).filter((round) => round.answers.length > 0),
  rejection: rejection(desk),
});

export const extractEntityInput = (desk: Desk, metamodel: Metamodel, type: EntityType): ExtractEntityInput => ({
  draft: desk.one("requirement_draft").content,
  types: metamodel.entity_types,
  type,
  improvement: improvement(desk, (model) =>
    model.entities.filter((one) => one.type === type.name).map((one) => one.name),
  ),
});

export const extractRelationInput = (
  desk: Desk,
  metamodel: Metamodel,
  pairs: readonly Pair[],
  again: boolean,
): ExtractRelationInput => ({
  draft: desk.one("requirement_draft").content,
  metamodel,
  pairs,
  improvement: improvement(desk, describeRelations),
  again,
});

export const extractModelInput = (desk: Desk, metamodel: Metamodel): ExtractModelInput => ({
  draft: desk.one("requirement_draft").content,
  metamodel,
  improvement: improvement(desk, (model) => [...model.entities.map(describeEntity), ...describeRelations(model)]),
});

export const deriveAcceptanceCriteriaInput = (desk: Desk): DeriveAcceptanceCriteriaInput => ({
  idea: desk.one("rough_idea").content,
});

export const checkRequirementInput = (desk: Desk, iteration: number): CheckRequirementInput => ({
  idea: desk.one("rough_idea").content,
  criteria: desk.one("acceptance_criteria").content.criteria,
  draft: desk.one("requirement_draft").content,
  model: desk.one("requirement_model").content,
  iteration,
});

export const writeSrsInput = (desk: Desk, options: Options): WriteSrsInput => ({
  idea: desk.one("rough_idea").content,
  template: options.srs_template ?? defaultSrsTemplate,
  draft: desk.one("requirement_draft").content,
  model: desk.one("requirement_model").content,
});

export const writeCheckReportInput = (desk: Desk, iteration: number): WriteCheckReportInput => ({
  check: desk.one("check_message").content,
  iteration,
});

const describeEntity = ({ name, type }: Entity): string => `${name} (${type})`;
