import type { Answers, CheckMessage, Criteria, Entity, Questions, RequirementModel, RoughIdea } from "./artifacts";
import type { Options, Stakeholder } from "./contract";
import type { Pair } from "./rules/pairs";
import { describeRelations } from "./rules/requirement-model";
import defaultDraftTemplate from "./templates/draft.md";
import defaultSrsTemplate from "./templates/srs.md";
import type { RoleInbox } from "./rules/workspace";
import type { EntityType, Metamodel } from "./rules/metamodel";

/** The input of each action (MARE, Table II): artifacts from the agent's inbox, and configured knowledge. */

export interface StoriesOf {
  stakeholder: string;
  stories: readonly string[];
}

/** Suffix of the sender's name when a simulated stakeholder answered because no person did. */
export const SIMULATED = " (simulated: no person answered in time)";

/** One round of the interview. */
export interface Round {
  questions: Questions["questions"];
  answers: readonly { from: string; answers: Answers["answers"] }[];
}

/** A draft that was not accepted, with the error report. */
export interface Rejection {
  draft: string;
  report: string;
}

export interface SpeakUserStoriesInput {
  idea: RoughIdea;
  stakeholder: Stakeholder;
  /** The most stories. */
  count: number;
}

export interface ProposeQuestionInput {
  idea: RoughIdea;
  stakeholders: readonly Stakeholder[];
  stories: readonly StoriesOf[];
  /** Earlier rounds. */
  rounds: readonly Round[];
  round: number;
  rounds_planned: number;
  /** null unless an error report caused the questions. */
  rejection: Rejection | null;
}

export interface AnswerQuestionInput {
  idea: RoughIdea;
  stakeholder: Stakeholder;
  /** The stakeholder's own stories. */
  stories: readonly string[];
  questions: Questions["questions"];
}

export interface WriteReqDraftInput {
  idea: RoughIdea;
  template: string;
  criteria: Criteria["criteria"];
  stories: readonly StoriesOf[];
  rounds: readonly Round[];
  rejection: Rejection | null;
}

/** The previous model and the Checker's findings about it, for the Modeler to improve it. */
export interface Improvement {
  previous: readonly string[];
  findings: readonly string[];
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
  /** An earlier call gave no usable decision on these pairs. */
  again: boolean;
}

export interface ExtractModelInput {
  draft: string;
  metamodel: Metamodel;
  improvement: Improvement | null;
}

export interface DeriveAcceptanceCriteriaInput {
  idea: RoughIdea;
  stakeholders: readonly Stakeholder[];
}

export interface CheckRequirementInput {
  idea: RoughIdea;
  criteria: Criteria["criteria"];
  stories: readonly StoriesOf[];
  rounds: readonly Round[];
  draft: string;
  model: RequirementModel;
  /** The smells of the previous check; null in the first check. */
  earlier: CheckMessage["smells"] | null;
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

const stories = (inbox: RoleInbox): StoriesOf[] =>
  inbox.takeAll("user_stories").map(({ subject, content }) => ({ stakeholder: subject, stories: content.stories }));

/** Subjects connect answers with questions: `round_1/Alice` answers `round_1`. */
function rounds(inbox: RoleInbox): Round[] {
  const answers = inbox.takeAll("stakeholders_answer");
  return inbox.takeAll("requirement_question").map((question) => ({
    questions: question.content.questions,
    answers: answers
      .filter(({ subject }) => subject.startsWith(`${question.subject}/`))
      .map(({ sent_from, content }) => ({ from: sent_from, answers: content.answers })),
  }));
}

const answeredRounds = (inbox: RoleInbox): Round[] => rounds(inbox).filter((round) => round.answers.length > 0);

function rejection(inbox: RoleInbox): Rejection | null {
  const report = inbox.takeIfAny("error_report");
  return report ? { draft: inbox.take("requirement_draft").content, report: report.content } : null;
}

function improvement(inbox: RoleInbox, previous: (model: RequirementModel) => string[]): Improvement | null {
  const check = inbox.takeIfAny("check_message");
  if (!check) return null;
  return {
    previous: previous(inbox.take("requirement_model").content),
    // The draft has been improved already, so findings about the draft alone would mislead the Modeler.
    findings: check.content.smells
      .filter(({ concerns }) => concerns !== "draft")
      .map(({ location, explanation }) => `${location}: ${explanation}`),
  };
}

export const speakUserStoriesInput = (
  inbox: RoleInbox,
  stakeholder: Stakeholder,
  options: Options,
): SpeakUserStoriesInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholder,
  count: options.num_user_stories,
});

export const proposeQuestionInput = (
  inbox: RoleInbox,
  stakeholders: readonly Stakeholder[],
  round: number,
  options: Options,
): ProposeQuestionInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholders,
  stories: stories(inbox),
  rounds: rounds(inbox),
  round,
  rounds_planned: options.qa_rounds,
  rejection: rejection(inbox),
});

export const answerQuestionInput = (
  inbox: RoleInbox,
  stakeholder: Stakeholder,
  stakeholders: readonly Stakeholder[],
): AnswerQuestionInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholder,
  stories: inbox.take("user_stories", stakeholder.name).content.stories,
  questions: questionsFor(stakeholder, inbox.take("requirement_question").content, stakeholders),
});

/** The questions that a stakeholder answers: those addressed to it, and those addressed to no stakeholder by name. */
export function questionsFor(
  stakeholder: Stakeholder,
  { questions }: Questions,
  stakeholders: readonly Stakeholder[],
): Questions["questions"] {
  const isNamed = (to: string, { name }: Stakeholder) => to.trim().toLowerCase() === name.trim().toLowerCase();
  return questions.filter(({ to }) => isNamed(to, stakeholder) || !stakeholders.some((other) => isNamed(to, other)));
}

export const writeReqDraftInput = (inbox: RoleInbox, options: Options): WriteReqDraftInput => ({
  idea: inbox.take("rough_idea").content,
  template: options.draft_template ?? defaultDraftTemplate,
  criteria: inbox.take("acceptance_criteria").content.criteria,
  stories: stories(inbox),
  rounds: answeredRounds(inbox),
  rejection: rejection(inbox),
});

export const extractEntityInput = (inbox: RoleInbox, metamodel: Metamodel, type: EntityType): ExtractEntityInput => ({
  draft: inbox.take("requirement_draft").content,
  types: metamodel.entity_types,
  type,
  improvement: improvement(inbox, (model) =>
    model.entities
      .filter((entity) => entity.type === type.name)
      .map(({ name, description }) => (description ? `${name}: ${description}` : name)),
  ),
});

export const extractRelationInput = (
  inbox: RoleInbox,
  metamodel: Metamodel,
  pairs: readonly Pair[],
  again: boolean,
): ExtractRelationInput => ({
  draft: inbox.take("requirement_draft").content,
  metamodel,
  pairs,
  improvement: improvement(inbox, describeRelations),
  again,
});

export const extractModelInput = (inbox: RoleInbox, metamodel: Metamodel): ExtractModelInput => ({
  draft: inbox.take("requirement_draft").content,
  metamodel,
  improvement: improvement(inbox, (model) => [...model.entities.map(describeEntity), ...describeRelations(model)]),
});

export const deriveAcceptanceCriteriaInput = (
  inbox: RoleInbox,
  stakeholders: readonly Stakeholder[],
): DeriveAcceptanceCriteriaInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholders,
});

export const checkRequirementInput = (inbox: RoleInbox, iteration: number): CheckRequirementInput => ({
  idea: inbox.take("rough_idea").content,
  criteria: inbox.take("acceptance_criteria").content.criteria,
  stories: stories(inbox),
  rounds: answeredRounds(inbox),
  draft: inbox.take("requirement_draft").content,
  model: inbox.take("requirement_model").content,
  earlier: inbox.takeIfAny("check_message")?.content.smells ?? null,
  iteration,
});

export const writeSrsInput = (inbox: RoleInbox, options: Options): WriteSrsInput => ({
  idea: inbox.take("rough_idea").content,
  template: options.srs_template ?? defaultSrsTemplate,
  draft: inbox.take("requirement_draft").content,
  model: inbox.take("requirement_model").content,
});

export const writeCheckReportInput = (inbox: RoleInbox, iteration: number): WriteCheckReportInput => ({
  check: inbox.take("check_message").content,
  iteration,
});

const describeEntity = ({ name, type }: Entity): string => `${name} (${type})`;
