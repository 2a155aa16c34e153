import type { Feedback } from "#workflow-kit/action";
import {
  CHECKLIST,
  type Alone,
  type Checklist,
  type Support,
  type Supports,
  type Verdict,
  type Question,
} from "../artifacts";
import type { AnswerAloneInput, CheckSupportInput, JudgeDebateInput, JudgedCitation, Party } from "../inputs";
import { isOpen } from "../rules/question";
import type { Phrases } from "./phrases";
import { phrasesFor, mockCitations, sharedWords, short, shortPosition } from "./words";

const citationsOf = ({ briefs, answers }: Party): JudgedCitation[] =>
  [...briefs, ...answers].flatMap(({ citations }) => citations);

const holds = ({ authority_known, quote_match, support }: JudgedCitation): boolean =>
  authority_known && (quote_match === "verbatim" || quote_match === "abridged") && support?.supported !== false;

/**
 * The party with the most sound citations. Ties go to the quotes that share most words with the question, then with the position, then
 * to the first position in alphabetical order. The order of the parties has no effect.
 */
function best({ text }: Question, parties: readonly Party[]): Party {
  const sound = (party: Party) => citationsOf(party).filter((citation) => holds(citation) && !citation.foreign);
  const quotes = (party: Party) =>
    sound(party)
      .map(({ quote }) => quote)
      .join(" ");
  const bearing = (party: Party) => sharedWords(quotes(party), text);
  const backing = (party: Party) => sharedWords(quotes(party), party.position.statement);
  return parties.toSorted(
    (one, other) =>
      sound(other).length - sound(one).length ||
      bearing(other) - bearing(one) ||
      backing(other) - backing(one) ||
      (one.position.statement < other.position.statement ? -1 : 1),
  )[0]!;
}

export function mockVerdict(
  { question, authorities, parties, outside }: JudgeDebateInput,
  outcome: string,
  feedback?: Feedback<Verdict>,
): Verdict {
  const phrases = phrasesFor(question);
  const party = best(question, parties);
  const defended = parties.map(({ position }) => position.label);
  const other = question.choices.find(({ label }) => !defended.includes(label));
  const chosen =
    outcome === "undefended_option" && other ? { label: other.label, statement: other.text } : party.position;
  const sound = [
    ...new Set(
      citationsOf(party)
        .filter(holds)
        .map(({ number }) => number),
    ),
  ];
  const follows = chosen === party.position && outcome !== "no_winner";
  const answer = answerOf(question, chosen, outcome, phrases, feedback);
  return {
    ...reasoningOf(question, answer, authorities[0]?.source ?? null, phrases),
    rationale: withMemory(phrases.rationale(shortPosition(chosen), follows), outcome, phrases),
    rests_on: follows ? sound : [],
    citations: [],
    answer,
    law_from_memory: outcome === "from_memory" ? [phrases.remembered] : [],
    checklist: checklist(phrases, parties.flatMap(citationsOf).some(holds)),
    winner: follows ? party.letter : null,
    adopts: follows && !feedback ? party.letter : null,
    confidence: outside === null ? 0.75 : 0.6,
  };
}

/** The considerations before the answer: every option, or the one issue of an open question. */
function reasoningOf(
  question: Question,
  answer: string,
  source: string | null,
  phrases: Phrases,
): Pick<Verdict, "analysis" | "options_considered" | "issues"> {
  const about = short(question.text, 120);
  return {
    analysis: phrases.analysis(about, source && short(source, 120)),
    options_considered: question.choices.map(({ label, text }) => ({
      label,
      why_not: label === answer ? phrases.objection(short(text)) : phrases.speaksAgainst(short(text)),
    })),
    issues: isOpen(question) ? [phrases.issue(about)] : [],
  };
}

/** Law from memory is named where it is listed. */
const withMemory = (
  [first, second, third]: [string, string, string],
  outcome: string,
  { remembered, marked }: Phrases,
) => [first, second, outcome === "from_memory" ? `${third} ${marked(remembered)}` : third];

function answerOf(
  question: Question,
  { label, statement }: { label: string; statement: string },
  outcome: string,
  phrases: Phrases,
  feedback?: Feedback<unknown>,
): string {
  if (outcome === "outside_options" && !isOpen(question)) return phrases.outside;
  if (!isOpen(question)) return feedback ? question.choices.find((choice) => choice.label !== label)!.label : label;
  const remark = feedback ? `\n\n${phrases.remark(short(feedback.comment))}` : "";
  const remembered = outcome === "from_memory" ? ` ${phrases.marked(phrases.remembered)}` : "";
  return `${phrases.synthesis(short(statement, 400))}${remembered}${remark}`;
}

const checklist = (phrases: Phrases, cites: boolean): Checklist =>
  Object.fromEntries(
    CHECKLIST.map((point) => {
      const met = cites || (point !== "on_point_authority" && point !== "accurate_use");
      return [point, { note: met ? phrases.checked : phrases.unchecked, met }];
    }),
  ) as Checklist;

const supportsOf = (citations: readonly JudgedCitation[], none: boolean, phrases: Phrases): Supports =>
  citations.map((citation) => {
    const supported = !none && holds(citation);
    return { citation: citation.number, note: supported ? phrases.supported : phrases.unsupported, supported };
  });

/** @param outcome `other_option`: the second-best choice, so that samples can differ */
export function mockAlone(
  { question, authorities }: AnswerAloneInput,
  outcome: string,
  feedback?: Feedback<Alone>,
): Alone {
  const phrases = phrasesFor(question);
  const choices = question.choices.toSorted(
    (one, other) => sharedWords(other.text, question.text) - sharedWords(one.text, question.text),
  );
  const choice = choices[outcome === "other_option" ? 1 : 0];
  const chosen = choice
    ? { label: choice.label, statement: choice.text }
    : {
        label: "",
        statement: phrases.about(phrases.thesis[outcome === "other_option" ? 1 : 0], short(question.text, 200)),
      };
  const citations = mockCitations(question, authorities, chosen.statement, outcome);
  const answer = answerOf(question, chosen, outcome, phrases, feedback);
  return {
    ...reasoningOf(question, answer, authorities[0]?.source ?? null, phrases),
    rationale: withMemory(phrases.rationale(shortPosition(chosen), false), outcome, phrases),
    citations,
    answer,
    law_from_memory: outcome === "from_memory" ? [phrases.remembered] : [],
    checklist: checklist(phrases, citations.length > 0),
    confidence: 0.7,
  };
}

export function mockSupport(
  { question, citations }: CheckSupportInput,
  outcome: string,
  feedback?: Feedback<Support>,
): Support {
  return {
    citation_checks: supportsOf(citations, outcome === "unsupported" || feedback !== undefined, phrasesFor(question)),
  };
}
