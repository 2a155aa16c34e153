import type { Feedback } from "#workflow-kit/action";
import type { Framing, Framings, Preference, Ranking, Question } from "../artifacts";
import type { ChooseOptionInput, FramePositionsInput, ProposeFramingInput, RankOptionsInput } from "../inputs";
import { phrasesFor, sharedWords, short } from "./words";

/** Labels of the choices, those that share most words with the question first; feedback reverses the order. */
function ordered({ text, choices }: Question, feedback?: Feedback<unknown>): string[] {
  const labels = choices
    .toSorted((one, other) => sharedWords(other.text, text) - sharedWords(one.text, text))
    .map(({ label }) => label);
  return feedback ? labels.toReversed() : labels;
}

/** Each probability is half of the one before. */
export function rehearseRanking({ question }: RankOptionsInput, feedback?: Feedback<Ranking>): Ranking {
  const labels = ordered(question, feedback);
  const sum = 2 - 2 ** (1 - labels.length);
  return {
    options: labels.map((label, index) => ({ label, probability: Number((2 ** -index / sum).toFixed(4)) })),
  };
}

export const rehearsePreference = ({ question }: ChooseOptionInput, feedback?: Feedback<Preference>): Preference => ({
  labels: ordered(question, feedback),
});

export const rehearseFraming = ({ question }: ProposeFramingInput, feedback?: Feedback<Framing>): Framing =>
  framing(question, 0, feedback);

/** Keeps the first of equal proposals and replaces the others. */
export function rehearseFramings(
  { question, count, proposals }: FramePositionsInput,
  feedback?: Feedback<Framings>,
): Framings {
  const theses = proposals.map(({ thesis }) => thesis.trim());
  const framings = Array.from({ length: count }, (_, index) => {
    const proposal = proposals[index];
    const kept = proposal && theses.indexOf(proposal.thesis.trim()) === index;
    return kept && !feedback ? proposal : framing(question, index, feedback);
  });
  return { framings };
}

function framing(question: Question, index: number, feedback?: Feedback<unknown>): Framing {
  const phrases = phrasesFor(question);
  const about = short(question.text, 120);
  const remark = feedback ? ` ${phrases.remark(short(feedback.comment))}` : "";
  return {
    thesis: `${phrases.about(phrases.thesis[index]!, about)}${remark}`,
    governing_rule: phrases.rule(about),
  };
}
