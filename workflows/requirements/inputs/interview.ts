import type { Answers, Questions } from "../artifacts";
import type { RoleInbox } from "../rules/workspace";

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

export const stories = (inbox: RoleInbox): StoriesOf[] =>
  inbox
    .takeAll("user_stories")
    .map(({ subject, content }) => ({ stakeholder: subject + SIMULATED, stories: content.stories }));

/** How models read who answered: a person, or a stakeholder marked as simulated. */
export const marked = (sender: string): string =>
  sender === PERSON ? A_PERSON : sender.endsWith(STOOD_IN) ? sender : sender + SIMULATED;

/**
 * Subjects connect answers with questions: `round_1/Alice` answers `round_1`.
 * @param only the subject of one round; by default all rounds
 */
export function rounds(inbox: RoleInbox, only?: string): Round[] {
  const answers = inbox.takeAll("stakeholders_answer");
  const questions = inbox.takeAll("requirement_question").filter(({ subject }) => !only || subject === only);
  return questions.map((question) => ({
    questions: question.content.questions,
    answers: answers
      .filter(({ subject }) => subject.startsWith(`${question.subject}/`))
      .map(({ sent_from, content }) => ({ from: marked(sent_from), answers: content.answers })),
  }));
}

export const answeredRounds = (inbox: RoleInbox): Round[] => rounds(inbox).filter((round) => round.answers.length > 0);

/** The rounds that an error report caused before this check. */
export const roundsOfReview = (inbox: RoleInbox, iteration: number): Round[] =>
  rounds(inbox, `review_${iteration}`).filter((round) => round.answers.length > 0);
