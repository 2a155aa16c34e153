import type { Feedback } from "#workflow-kit/action";
import { at, clip, quoted } from "#workflow-kit/text";
import type { Answers, Questions, UserStories } from "../artifacts";
import type { AnswerQuestionInput, ProposeQuestionInput, SpeakUserStoriesInput } from "../inputs";
import { isOnlyName, understandIdea, withArticle } from "./concept";

export function mockStories({ idea, stakeholder, count }: SpeakUserStoriesInput, feedback?: Feedback): UserStories {
  const { features, actors } = understandIdea(idea);
  const assumed = isOnlyName(idea) ? " (I assume)" : "";
  const stories = Array.from({ length: count }, (_, index) => {
    const { actor, does } = at(features, index + [...stakeholder.name].length);
    const again = index < features.length ? "" : ` (Once more, as number ${index + 1}.)`;
    return `As ${withArticle(actor)}, I want to ${does}, so that nothing is forgotten.${again}${assumed}`;
  });
  if (feedback)
    stories[count - 1] = `As ${withArticle(actors[0]!)}, I want this to be heeded: ${quoted(feedback.comment)}.`;
  return { stories };
}

/** A topic, the question about a wish, and two answers, so that stakeholders can disagree. */
const TOPICS = [
  ["permissions", "Who may $, and who must never be able to?", "only people who have signed in", "each for themselves"],
  ["failure", "What should happen when the attempt to $ fails half way?", "nothing is changed then", "a draft is kept"],
  ["amounts", "How often a day does somebody want to $?", "about 200 times", "50 times, and at most 5 for one person"],
  ["privacy", "Who may see who wanted to $?", "only those concerned", "whoever takes part, for one year"],
  ["speed", "How long may it take to $ before it hurts?", "up to 2 seconds is fine", "1 second at most"],
] as const;

export function mockQuestions(input: ProposeQuestionInput, feedback?: Feedback): Questions {
  const { idea, stakeholders, rounds, rejection } = input;
  const { features } = understandIdea(idea);
  const asked = rounds.length;
  const questions = [0, 1].map((offset) => {
    const index = asked * 2 + offset;
    const [topic, text] = at(TOPICS, index);
    const again = index < TOPICS.length ? "" : " You may answer for the time after the first year.";
    const to = offset === 1 && stakeholders.length > 1 ? at(stakeholders, asked).name : "all";
    const question = clip(text.replace("$", () => at(features, asked + offset).does) + again, 500);
    return { id: `q${offset + 1}`, topic: topic as string, to, question };
  });
  const instead = (topic: string, question: string, about: string) => ({
    topic,
    to: "all",
    question: question + quoted(about),
  });
  const fault = rejection && (/^1\.\s.*$/mu.exec(rejection.report)?.[0] ?? rejection.report);
  if (fault) questions[0] = { id: "q1", ...instead("error report", "How should this point be settled? ", fault) };
  if (feedback) questions[1] = { id: "q2", ...instead("comment", "What do you need, given this? ", feedback.comment) };
  return { questions };
}

export function mockAnswers({ stakeholder, questions }: AnswerQuestionInput, feedback?: Feedback): Answers {
  const answers = questions.map(({ id, topic }) => {
    const known = TOPICS.find(([name]) => name === topic)?.slice(2) ?? ["what is usual in such a system"];
    return { question: id, answer: `I assume ${at(known, [...stakeholder.name].length)}.` };
  });
  if (feedback) answers[0]!.answer = `I have thought again, because of "${quoted(feedback.comment)}": that I want.`;
  return { answers };
}
