import type { Answers, CheckMessage, Criteria, Entity, Questions, RequirementModel, RoughIdea } from "./artifacts";
import type { Options, Stakeholder } from "./contract";
import type { Pair } from "./rules/pairs";
import { describeRelations } from "./rules/requirement-model";
import defaultDraftTemplate from "./templates/draft.md";
import defaultSrsTemplate from "./templates/srs.md";
import type { RoleInbox } from "./rules/workspace";
import type { EntityType, Metamodel } from "./rules/metamodel";

/** What each action is given (MARE, Table II): artifacts from the agent's desk, and configured knowledge. */

export interface StoriesOf {
  stakeholder: string;
  stories: readonly string[];
}

/** Ends the sender's name of answers that a simulated stakeholder gave because no person did. */
export const STOOD_IN = " (simulated: no person answered in time)";

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
  /** At most. */
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
  /** Set when the Collector asks because of an error report. */
  rejection: Rejection | null;
}

export interface AnswerQuestionInput {
  idea: RoughIdea;
  stakeholder: Stakeholder;
  /** What this stakeholder told before. */
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

/** The earlier model, and what the Checker found wrong with it, when the Modeler improves it. */
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
  /** The pairs were asked before and got no usable decision. */
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
  /** What the check before found; null in the first. */
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

const stories = (desk: RoleInbox): StoriesOf[] =>
  desk.all("user_stories").map(({ subject, content }) => ({ stakeholder: subject, stories: content.stories }));

/** Subjects tie answers to their round: questions of `round_1` are answered by `round_1/Alice`. */
function rounds(desk: RoleInbox): Round[] {
  const answers = desk.all("stakeholders_answer");
  return desk.all("requirement_question").map((question) => ({
    questions: question.content.questions,
    answers: answers
      .filter(({ subject }) => subject.startsWith(`${question.subject}/`))
      .map(({ sent_from, content }) => ({ from: sent_from, answers: content.answers })),
  }));
}

const answeredRounds = (desk: RoleInbox): Round[] => rounds(desk).filter((round) => round.answers.length > 0);

function rejection(desk: RoleInbox): Rejection | null {
  const report = desk.maybe("error_report");
  return report ? { draft: desk.one("requirement_draft").content, report: report.content } : null;
}

function improvement(desk: RoleInbox, previous: (model: RequirementModel) => string[]): Improvement | null {
  const check = desk.maybe("check_message");
  if (!check) return null;
  return {
    previous: previous(desk.one("requirement_model").content),
    // The draft was improved already: faults of it alone would lead the Modeler astray.
    findings: check.content.smells
      .filter(({ concerns }) => concerns !== "draft")
      .map(({ location, explanation }) => `${location}: ${explanation}`),
  };
}

export const speakUserStoriesInput = (
  desk: RoleInbox,
  stakeholder: Stakeholder,
  options: Options,
): SpeakUserStoriesInput => ({
  idea: desk.one("rough_idea").content,
  stakeholder,
  count: options.num_user_stories,
});

export const proposeQuestionInput = (
  desk: RoleInbox,
  stakeholders: readonly Stakeholder[],
  round: number,
  options: Options,
): ProposeQuestionInput => ({
  idea: desk.one("rough_idea").content,
  stakeholders,
  stories: stories(desk),
  rounds: rounds(desk),
  round,
  rounds_planned: options.qa_rounds,
  rejection: rejection(desk),
});

export const answerQuestionInput = (
  desk: RoleInbox,
  stakeholder: Stakeholder,
  everybody: readonly Stakeholder[],
): AnswerQuestionInput => ({
  idea: desk.one("rough_idea").content,
  stakeholder,
  stories: desk.one("user_stories", stakeholder.name).content.stories,
  questions: questionsFor(stakeholder, desk.one("requirement_question").content, everybody),
});

/** Those of the questions that a stakeholder is to answer: its own, and all that are meant for nobody in particular. */
export function questionsFor(
  stakeholder: Stakeholder,
  { questions }: Questions,
  everybody: readonly Stakeholder[],
): Questions["questions"] {
  const isNamed = (to: string, { name }: Stakeholder) => to.trim().toLowerCase() === name.trim().toLowerCase();
  return questions.filter(({ to }) => isNamed(to, stakeholder) || !everybody.some((one) => isNamed(to, one)));
}

export const writeReqDraftInput = (desk: RoleInbox, options: Options): WriteReqDraftInput => ({
  idea: desk.one("rough_idea").content,
  template: options.draft_template ?? defaultDraftTemplate,
  criteria: desk.one("acceptance_criteria").content.criteria,
  stories: stories(desk),
  rounds: answeredRounds(desk),
  rejection: rejection(desk),
});

export const extractEntityInput = (desk: RoleInbox, metamodel: Metamodel, type: EntityType): ExtractEntityInput => ({
  draft: desk.one("requirement_draft").content,
  types: metamodel.entity_types,
  type,
  improvement: improvement(desk, (model) =>
    model.entities
      .filter((one) => one.type === type.name)
      .map(({ name, description }) => (description ? `${name}: ${description}` : name)),
  ),
});

export const extractRelationInput = (
  desk: RoleInbox,
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

export const extractModelInput = (desk: RoleInbox, metamodel: Metamodel): ExtractModelInput => ({
  draft: desk.one("requirement_draft").content,
  metamodel,
  improvement: improvement(desk, (model) => [...model.entities.map(describeEntity), ...describeRelations(model)]),
});

export const deriveAcceptanceCriteriaInput = (
  desk: RoleInbox,
  stakeholders: readonly Stakeholder[],
): DeriveAcceptanceCriteriaInput => ({
  idea: desk.one("rough_idea").content,
  stakeholders,
});

export const checkRequirementInput = (desk: RoleInbox, iteration: number): CheckRequirementInput => ({
  idea: desk.one("rough_idea").content,
  criteria: desk.one("acceptance_criteria").content.criteria,
  stories: stories(desk),
  rounds: answeredRounds(desk),
  draft: desk.one("requirement_draft").content,
  model: desk.one("requirement_model").content,
  earlier: desk.maybe("check_message")?.content.smells ?? null,
  iteration,
});

export const writeSrsInput = (desk: RoleInbox, options: Options): WriteSrsInput => ({
  idea: desk.one("rough_idea").content,
  template: options.srs_template ?? defaultSrsTemplate,
  draft: desk.one("requirement_draft").content,
  model: desk.one("requirement_model").content,
});

export const writeCheckReportInput = (desk: RoleInbox, iteration: number): WriteCheckReportInput => ({
  check: desk.one("check_message").content,
  iteration,
});

const describeEntity = ({ name, type }: Entity): string => `${name} (${type})`;
