import type { Feedback } from "#workflow-kit/action";
import type { CrossQuestion, Misconceptions, SideAnswer } from "../artifacts";
import type { AnswerQuestionInput, AskCrossQuestionInput, FindMisconceptionsInput } from "../inputs";
import { phrasesFor, mockCitations, short, shortPosition } from "./words";

export function mockMisconceptions(
  { question, statement }: FindMisconceptionsInput,
  outcome: string,
  feedback?: Feedback<Misconceptions>,
): Misconceptions {
  const phrases = phrasesFor(question);
  const claim = short(statement.brief.claims[0] ?? "");
  const found = { claim, correction: phrases.misconception(shortPosition(statement.position)) };
  if (feedback) return { misconceptions: [found, { claim, correction: phrases.remark(short(feedback.comment)) }] };
  return { misconceptions: outcome === "none" ? [] : [found] };
}

export function mockCrossQuestion(
  { question, position }: AskCrossQuestionInput,
  feedback?: Feedback<CrossQuestion>,
): CrossQuestion {
  const phrases = phrasesFor(question);
  const asked = phrases.asked(shortPosition(position));
  return { question: feedback ? `${asked} ${phrases.remark(short(feedback.comment))}` : asked };
}

export function mockAnswer(input: AnswerQuestionInput, outcome: string, feedback?: Feedback<SideAnswer>): SideAnswer {
  const { question, authorities, position, asked } = input;
  const phrases = phrasesFor(question);
  const answer = phrases.answered(short(asked), shortPosition(position));
  return {
    answer: feedback ? `${answer} ${phrases.remark(short(feedback.comment))}` : answer,
    citations: mockCitations(
      question,
      authorities,
      position.statement,
      outcome === "concede" ? "no_citation" : outcome,
    ),
    concedes: outcome === "concede" ? [phrases.conceded(shortPosition(position))] : [],
  };
}
