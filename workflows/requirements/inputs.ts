import type {
  Answers,
  CheckMessage,
  Criteria,
  Entity,
  Questions,
  RequirementModel,
  RoughIdea,
  Smell,
} from "./artifacts";
import type { Options, Stakeholder } from "./contract";
import { idLines, type LineChanges } from "./rules/draft-lines";
import { metamodelOf } from "./rules/metamodels";
import type { Pair } from "./rules/pairs";
import { describeRelations } from "./rules/requirement-model";
import defaultDraftTemplate from "./templates/draft.md";
import paperDraftTemplate from "./templates/paper/draft.md";
import paperSrsTemplate from "./templates/paper/srs.md";
import defaultSrsTemplate from "./templates/srs.md";
import type { RoleInbox } from "./rules/workspace";
import type { EntityType, Metamodel } from "./rules/metamodel";

/** The input of each action (MARE, Table II): artifacts from the agent's inbox, and configured knowledge. */

export interface StoriesOf {
  stakeholder: string;
  stories: readonly string[];
}

/** Suffix of the name of a simulated stakeholder, wherever a model reads it. */
export const SIMULATED = " (simulated)";
/** Suffix of the sender's name when a simulated stakeholder answered because no person did. */
export const STOOD_IN = " (simulated: no person answered in time)";
/** The sender of a person's answers. */
export const PERSON = "human";
/** The same, where a model reads it. */
export const A_PERSON = "a person";

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
  /** The stakeholder stands for everybody who uses or runs the system. */
  for_all: boolean;
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
  /** What the stakeholder answered in earlier rounds. */
  answered: readonly { question: string; answer: string }[];
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

/** What the Collector needs to name the lines of a draft that change. */
export interface ReviseReqDraftInput {
  idea: RoughIdea;
  stories: readonly StoriesOf[];
  rounds: readonly Round[];
  draft: string;
  findings: readonly Smell[];
}

/** The previous model and the Checker's findings about it, for the Modeler to improve it. */
export interface Improvement {
  previous: readonly string[];
  findings: readonly string[];
}

export interface ExtractEntityInput {
  idea: RoughIdea;
  draft: string;
  types: readonly EntityType[];
  /** The types to find: all, or some of many. */
  wanted: readonly EntityType[];
  /** An improvement reads the changed lines in place of the draft. */
  improvement: (Improvement & { changes: LineChanges }) | null;
}

export interface ListRelationsInput {
  idea: RoughIdea;
  /** The whole draft, or the requirements on which the open entities rest. */
  draft: string;
  metamodel: Metamodel;
  entities: readonly Entity[];
  /** Only relations with an end among these are listed; null: all. */
  open: readonly Entity[] | null;
  /** Relations that stay. */
  settled: readonly string[];
  /** Relations of the earlier model that are decided anew. */
  dropped: readonly string[];
  findings: readonly string[];
}

export interface ExtractRelationInput {
  idea: RoughIdea;
  draft: string;
  metamodel: Metamodel;
  pairs: readonly Pair[];
  improvement: Improvement | null;
  /** An earlier call gave no usable decision on these pairs. */
  again: boolean;
}

export interface ExtractModelInput {
  idea: RoughIdea;
  draft: string;
  metamodel: Metamodel;
  improvement: Improvement | null;
}

export interface DeriveAcceptanceCriteriaInput {
  idea: RoughIdea;
  stakeholders: readonly Stakeholder[];
  metamodel: Metamodel;
}

export interface CheckRequirementInput {
  idea: RoughIdea;
  metamodel: Metamodel;
  accept_at: Options["accept_at"];
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
  /** Names of those who were heard; simulated stakeholders are marked. */
  sources: readonly string[];
  draft: string;
  model: RequirementModel;
}

export interface WriteCheckReportInput {
  check: CheckMessage;
  iteration: number;
}

const stories = (inbox: RoleInbox): StoriesOf[] =>
  inbox
    .takeAll("user_stories")
    .map(({ subject, content }) => ({ stakeholder: subject + SIMULATED, stories: content.stories }));

/** How models read who answered: a person, or a stakeholder marked as simulated. */
const marked = (sender: string): string =>
  sender === PERSON ? A_PERSON : sender.endsWith(STOOD_IN) ? sender : sender + SIMULATED;

/** Subjects connect answers with questions: `round_1/Alice` answers `round_1`. */
function rounds(inbox: RoleInbox): Round[] {
  const answers = inbox.takeAll("stakeholders_answer");
  return inbox.takeAll("requirement_question").map((question) => ({
    questions: question.content.questions,
    answers: answers
      .filter(({ subject }) => subject.startsWith(`${question.subject}/`))
      .map(({ sent_from, content }) => ({ from: marked(sent_from), answers: content.answers })),
  }));
}

const answeredRounds = (inbox: RoleInbox): Round[] => rounds(inbox).filter((round) => round.answers.length > 0);

function rejection(inbox: RoleInbox): Rejection | null {
  const report = inbox.takeIfAny("error_report");
  return report ? { draft: inbox.take("requirement_draft").content, report: report.content } : null;
}

/** The draft has been improved already, so findings about the draft alone would mislead the Modeler. */
export const modelFindings = (smells: readonly Smell[]): string[] =>
  smells
    .filter(({ concerns }) => concerns !== "draft")
    .map(({ location, explanation }) => `${location}: ${explanation}`);

/** Under `profile: paper` the Modeler reads the draft anew and nothing else (MARE, Table II). */
function improvement(
  inbox: RoleInbox,
  { profile }: Options,
  previous: (model: RequirementModel) => string[],
): Improvement | null {
  const check = profile === "paper" ? undefined : inbox.takeIfAny("check_message");
  if (!check) return null;
  return {
    previous: previous(inbox.take("requirement_model").content),
    findings: modelFindings(check.content.smells),
  };
}

export const speakUserStoriesInput = (
  inbox: RoleInbox,
  stakeholder: Stakeholder,
  for_all: boolean,
  options: Options,
): SpeakUserStoriesInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholder,
  count: options.num_user_stories,
  for_all,
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

/** @param question the act's own round, by its subject */
export const answerQuestionInput = (
  inbox: RoleInbox,
  question: string,
  stakeholder: Stakeholder,
  stakeholders: readonly Stakeholder[],
): AnswerQuestionInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholder,
  stories: inbox.takeIfAny("user_stories", stakeholder.name)?.content.stories ?? [],
  answered: answeredBy(inbox, stakeholder),
  questions: questionsFor(stakeholder, inbox.take("requirement_question", question).content, stakeholders),
});

/** What a stakeholder answered in earlier rounds, with the questions. */
function answeredBy(inbox: RoleInbox, { name }: Stakeholder): AnswerQuestionInput["answered"] {
  const asked = inbox.takeAll("requirement_question");
  return asked.flatMap(({ subject, content: { questions } }) =>
    (inbox.takeIfAny("stakeholders_answer", `${subject}/${name}`)?.content.answers ?? []).map(
      ({ question, answer }) => ({
        question: questions.find(({ id }) => id === question)?.question ?? question,
        answer,
      }),
    ),
  );
}

/** The questions that a stakeholder answers: those addressed to it, and those addressed to no stakeholder by name. */
export function questionsFor(
  stakeholder: Stakeholder,
  { questions }: Questions,
  stakeholders: readonly Stakeholder[],
): Questions["questions"] {
  return questions.filter(({ to }) => isNamed(to, stakeholder) || !isForOne(to, stakeholders));
}

const isNamed = (to: string, { name }: Stakeholder): boolean => to.trim().toLowerCase() === name.trim().toLowerCase();

/** Whether a question is meant for one of several stakeholders. */
export const isForOne = (to: string, stakeholders: readonly Stakeholder[]): boolean =>
  stakeholders.length > 1 && stakeholders.some((stakeholder) => isNamed(to, stakeholder));

export const writeReqDraftInput = (inbox: RoleInbox, options: Options): WriteReqDraftInput => ({
  idea: inbox.take("rough_idea").content,
  template: options.draft_template ?? (options.profile === "paper" ? paperDraftTemplate : defaultDraftTemplate),
  criteria: inbox.take("acceptance_criteria").content.criteria,
  stories: stories(inbox),
  rounds: answeredRounds(inbox),
  rejection: rejection(inbox),
});

export const reviseReqDraftInput = (inbox: RoleInbox): ReviseReqDraftInput => ({
  idea: inbox.take("rough_idea").content,
  stories: stories(inbox),
  rounds: answeredRounds(inbox),
  draft: inbox.take("requirement_draft").content,
  findings: inbox.take("check_message").content.smells.filter(({ concerns }) => concerns !== "model"),
});

/** @param changes the lines that an improvement changed; null: the entities are found in the whole draft */
export const extractEntityInput = (
  inbox: RoleInbox,
  metamodel: Metamodel,
  wanted: readonly EntityType[],
  changes: LineChanges | null,
): ExtractEntityInput => {
  const check = changes && inbox.takeIfAny("check_message");
  const model = changes && inbox.take("requirement_model").content;
  return {
    idea: inbox.take("rough_idea").content,
    draft: inbox.take("requirement_draft").content,
    types: metamodel.entity_types,
    wanted,
    improvement: changes && {
      changes,
      previous: model!.entities.filter(({ type }) => wanted.some(({ name }) => name === type)).map(describeFully),
      findings: modelFindings(check?.content.smells ?? []),
    },
  };
};

/** @param scope the part of the relations that is listed; by default all */
export const listRelationsInput = (
  inbox: RoleInbox,
  metamodel: Metamodel,
  entities: readonly Entity[],
  scope: Pick<ListRelationsInput, "open" | "settled" | "dropped">,
): ListRelationsInput => ({
  idea: inbox.take("rough_idea").content,
  draft: excerpt(inbox.take("requirement_draft").content, scope.open),
  metamodel,
  entities,
  ...scope,
  findings: modelFindings(inbox.takeIfAny("check_message")?.content.smells ?? []),
});

/** The requirements on which the open entities rest; the whole draft when all are open, or one names no requirement. */
function excerpt(draft: string, open: readonly Entity[] | null): string {
  if (!open || !open.every(({ requirements }) => requirements && requirements.length > 0)) return draft;
  const wanted = new Set(open.flatMap(({ requirements }) => requirements!));
  const lines = idLines(draft).filter(({ id }) => wanted.has(id));
  return lines.length > 0 ? lines.map(({ text }) => `- ${text}`).join("\n") : draft;
}

export const extractRelationInput = (
  inbox: RoleInbox,
  options: Options,
  pairs: readonly Pair[],
  again: boolean,
): ExtractRelationInput => ({
  idea: inbox.take("rough_idea").content,
  draft: inbox.take("requirement_draft").content,
  metamodel: metamodelOf(options),
  pairs,
  improvement: improvement(inbox, options, describeRelations),
  again,
});

export const extractModelInput = (inbox: RoleInbox, options: Options): ExtractModelInput => ({
  idea: inbox.take("rough_idea").content,
  draft: inbox.take("requirement_draft").content,
  metamodel: metamodelOf(options),
  improvement: improvement(inbox, options, (model) => [
    ...model.entities.map(describeEntity),
    ...describeRelations(model),
  ]),
});

export const deriveAcceptanceCriteriaInput = (
  inbox: RoleInbox,
  stakeholders: readonly Stakeholder[],
  options: Options,
): DeriveAcceptanceCriteriaInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholders,
  metamodel: metamodelOf(options),
});

export const checkRequirementInput = (
  inbox: RoleInbox,
  iteration: number,
  options: Options,
): CheckRequirementInput => ({
  idea: inbox.take("rough_idea").content,
  metamodel: metamodelOf(options),
  accept_at: options.accept_at,
  criteria: inbox.take("acceptance_criteria").content.criteria,
  stories: stories(inbox),
  rounds: answeredRounds(inbox),
  draft: inbox.take("requirement_draft").content,
  model: inbox.take("requirement_model").content,
  earlier: options.profile === "paper" ? null : (inbox.takeIfAny("check_message")?.content.smells ?? null),
  iteration,
});

export const srsTemplateOf = ({ srs_template, profile }: Options): string =>
  srs_template ?? (profile === "paper" ? paperSrsTemplate : defaultSrsTemplate);

export const writeSrsInput = (inbox: RoleInbox, options: Options): WriteSrsInput => {
  const told = stories(inbox).map(({ stakeholder }) => stakeholder);
  const answered = inbox.takeAll("stakeholders_answer").map(({ sent_from }) => marked(sent_from));
  return {
    idea: inbox.take("rough_idea").content,
    template: srsTemplateOf(options),
    sources: [...new Set([...told, ...answered])],
    draft: inbox.take("requirement_draft").content,
    model: inbox.take("requirement_model").content,
  };
};

export const writeCheckReportInput = (inbox: RoleInbox, iteration: number): WriteCheckReportInput => ({
  check: inbox.take("check_message").content,
  iteration,
});

const describeEntity = ({ name, type }: Entity): string => `${name} (${type})`;

function describeFully({ name, type, description, requirements }: Entity): string {
  const ids = requirements && requirements.length > 0 ? ` [${requirements.join(", ")}]` : "";
  return `${name} (${type})${ids}${description ? `: ${description}` : ""}`;
}
