import type { Questions, RoughIdea } from "../artifacts";
import type { Options, Stakeholder } from "../contract";
import { IDENTITIES } from "../roles";
import type { RoleInbox } from "../rules/workspace";

export interface SpeakUserStoriesInput {
  idea: RoughIdea;
  stakeholder: Stakeholder;
  /** The most stories. */
  count: number;
  /** The stakeholder stands for everybody who uses or runs the system. */
  for_all: boolean;
}

export interface AnswerQuestionInput {
  idea: RoughIdea;
  stakeholder: Stakeholder;
  for_all: boolean;
  /** The stakeholder's own stories. */
  stories: readonly string[];
  /** What the stakeholder answered in earlier rounds. */
  answered: readonly { question: string; answer: string }[];
  questions: Questions["questions"];
}

export const speakUserStoriesInput = (
  inbox: RoleInbox,
  stakeholder: Stakeholder,
  options: Options,
): SpeakUserStoriesInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholder,
  count: options.num_user_stories,
  for_all: standsForAll(stakeholder),
});

/** The default stakeholder has no viewpoint of its own. */
const standsForAll = ({ name, profile }: Stakeholder): boolean =>
  name === IDENTITIES.stakeholder.name && profile === IDENTITIES.stakeholder.profile;

/** @param question the step's own round, by its subject */
export const answerQuestionInput = (
  inbox: RoleInbox,
  question: string,
  stakeholder: Stakeholder,
  stakeholders: readonly Stakeholder[],
): AnswerQuestionInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholder,
  for_all: standsForAll(stakeholder),
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
