import type { Feedback } from "#workflow-kit/action";
import type { Framing, Framings, Preference, Ranking, ShortAnswer, Question } from "../artifacts";
import type { AnswerBrieflyInput, CaseInput, FramePositionsInput } from "../inputs";
import { phrasesFor, mockCitations, sharedWords, short } from "./words";

/** Labels of the choices, those that share most words with the question first; feedback reverses the order. */
function ordered({ text, choices }: Question, feedback?: Feedback<unknown>): string[] {
  const labels = choices
    .toSorted((one, other) => sharedWords(other.text, text) - sharedWords(one.text, text))
    .map(({ label }) => label);
  return feedback ? labels.toReversed() : labels;
}

/** Each probability is half of the one before. Options come in their own order, each with a reason before its probability. */
export function mockRanking({ question }: CaseInput, feedback?: Feedback<Ranking>): Ranking {
  const phrases = phrasesFor(question);
  const labels = ordered(question, feedback);
  const sum = 2 - 2 ** (1 - labels.length);
  return {
    issue: phrases.rule(short(question.text, 120)),
    options: question.choices.map(({ label, text }) => {
      const place = labels.indexOf(label);
      return {
        label,
        reason: place === 0 ? phrases.speaksFor(short(text)) : phrases.speaksAgainst(short(text)),
        probability: Number((2 ** -place / sum).toFixed(4)),
      };
    }),
    rival: labels[1] ?? null,
  };
}

/**
 * @param outcome `apart`: every second solver takes the second-best choice, so that the answers compete; `alike`: all take the best; `unsure`: all
 * take the best, and hold the second as likely
 */
export function mockShortAnswer(
  { question, authorities, solver }: AnswerBrieflyInput,
  outcome: string,
  feedback?: Feedback<ShortAnswer>,
): ShortAnswer {
  const phrases = phrasesFor(question);
  const labels = ordered(question, feedback);
  const [answer, runner_up] =
    outcome === "apart" && solver % 2 === 0 ? [labels[1]!, labels[0]!] : [labels[0]!, labels[1]!];
  const textOf = (wanted: string) => question.choices.find(({ label }) => label === wanted)!.text;
  return {
    reasoning: `${phrases.speaksFor(short(textOf(answer)))} ${phrases.speaksAgainst(short(textOf(runner_up)))}`,
    citations: mockCitations(question, authorities, textOf(answer), outcome),
    answer,
    runner_up,
    confidence: outcome === "unsure" ? 0.5 : 0.9,
  };
}

export const mockPreference = ({ question }: CaseInput, feedback?: Feedback<Preference>): Preference => ({
  reasoning: phrasesFor(question).rule(short(question.text, 120)),
  labels: ordered(question, feedback),
});

export const mockFraming = ({ question }: CaseInput, feedback?: Feedback<Framing>): Framing =>
  framing(question, 0, feedback);

/** Keeps the first of equal proposals and replaces the others. */
export function mockFramings(
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
    governing_rule: phrases.rule(about),
    thesis: `${phrases.about(phrases.thesis[index]!, about)}${remark}`,
  };
}
