import { line, escapeUntrusted } from "#workflow-kit/prompt-values";
import type { Brief, Citation, Position, Question, QuoteMatch } from "../artifacts";
import type { CaseInput, Finding, JudgedCitation, Party, ReadBrief, WriteRebuttalInput } from "../inputs";

/** Placeholder values of the prompts, from the inputs of actions. All texts are escaped as material. */

/** The question and the authorities, with which every prompt begins. */
export const caseValues = ({ question, authorities }: CaseInput) => ({
  question: escapeUntrusted(question.text),
  has_choices: question.choices.length > 0,
  choices: question.choices.map((choice) => ({ label: line(choice.label), text: line(choice.text) })),
  jurisdiction: question.jurisdiction && line(question.jurisdiction),
  language: question.language && line(question.language),
  authorities: authorities.map(({ label, source, title, heading, jurisdiction, date, excerpt }) => ({
    id: label,
    source: line(source),
    title: title && line(title),
    heading: heading && line(heading),
    jurisdiction: jurisdiction && line(jurisdiction),
    date: date && line(date),
    excerpt: escapeUntrusted(excerpt),
  })),
});

/** A position by label and text; for an open question by its thesis alone, because labels would show an order. */
export const nameOf = ({ label, statement }: Position, { choices }: Question): string =>
  choices.length ? `${line(label)}) ${line(statement)}` : line(statement);

export const positionValues = (position: Position, question: Question) => ({
  position: nameOf(position, question),
  rule: position.rule && line(position.rule),
});

/** A heading with lines under it; nothing when there are none. */
const underHeading = (heading: string, lines: readonly string[]): string[] => (lines.length ? [heading, ...lines] : []);

/** A heading with a list under it; nothing when the list is empty. */
const list = (heading: string, items: readonly string[]): string[] =>
  underHeading(
    heading,
    items.map((item) => `- ${item}`),
  );

const rebutted = (rebuts: Brief["rebuts"]) =>
  rebuts.map(({ point, answer }) => `Against "${line(point)}": ${line(answer)}`);

const cited = ({ authority_id, quote, proposition }: Citation) =>
  `[${line(authority_id)}] "${line(quote)}", cited for: ${line(proposition)}`;

/** A brief as opponents, its author and the Cross-Examiner read it, without its confidence. */
export const briefText = ({ position, round, brief, misconceptions, found }: ReadBrief, question: Question): string =>
  [
    `Defends: ${nameOf(position, question)}`,
    `Round: ${round}`,
    ...list("Claims:", brief.claims.map(line)),
    ...list("Rebuttals:", rebutted(brief.rebuts)),
    "Application to the facts:",
    escapeUntrusted(brief.application),
    ...list(
      "Citations:",
      brief.citations.map((citation, index) => (found ? withFinding(citation, found[index]!) : cited(citation))),
    ),
    ...list("Concedes:", brief.concedes.map(line)),
    ...list(
      "Misconceptions that an examiner found in this brief:",
      misconceptions.map(({ claim, correction }) => `"${line(claim)}": ${line(correction)}`),
    ),
  ].join("\n");

export const briefTexts = (briefs: readonly ReadBrief[], question: Question): string[] =>
  briefs.map((brief) => briefText(brief, question));

/** Results of a debater's own requests. */
export const requestedValues = (requested: WriteRebuttalInput["requested"]) => ({
  requested: requested.map(({ query, found }) => ({
    query: line(query),
    found: found.join(", "),
    nothing: found.length === 0,
  })),
});

export const openPositionsValues = (positions: readonly Position[], question: Question) => ({
  may_switch: positions.length > 0,
  open_positions: positions.map((position) =>
    question.choices.length ? nameOf(position, question) : `${line(position.label)}) ${line(position.statement)}`,
  ),
});

const MATCHES: Record<QuoteMatch, string> = {
  verbatim: "the authority has the quoted words",
  abridged: "the authority has the quoted words, with omissions",
  altered:
    "the omission in the quote is too long, or drops a negation, a condition or an exception: it does NOT count as a quote",
  missing: "the quoted words are NOT in the authority",
};

/** Results of the code's checks, as clerk, judge and Cross-Examiner read them. */
const findingOf = ({ authority_known, quote_match, foreign }: Finding): string =>
  [
    authority_known ? MATCHES[quote_match] : "NOT AMONG THE AUTHORITIES that its writer was shown",
    ...(foreign ? ["the authority is of ANOTHER JURISDICTION"] : []),
  ].join("; ");

const withFinding = (citation: Citation, finding: Finding): string => `${cited(citation)} (${findingOf(finding)})`;

const judged = (citation: JudgedCitation): string => {
  const { number, support } = citation;
  const clerk = support
    ? ` Clerk: ${support.supported ? "supports it" : "does NOT support it"}. ${line(support.note)}`
    : "";
  return `${number}: ${withFinding(citation, citation)}${clerk}`;
};

export const supportValues = (citations: readonly JudgedCitation[]) => ({ citations: citations.map(judged) });

const ASKERS = { cross_examiner: "The cross-examiner", human: "A person who reads the case" } as const;
export const askerName = (asked_by: keyof typeof ASKERS): string => ASKERS[asked_by];

/**
 * All briefs and answers of a side, as the judge reads them. A brief replaces the one before; of earlier ones only concessions and citations that
 * the last one does not repeat are shown.
 */
function partyLines({ position, briefs, answers }: Party, question: Question): string[] {
  const last = briefs.at(-1);
  const kept = new Set(last?.citations.map(({ number }) => number));
  const granted = new Set(last?.concedes);
  return [
    ...defenceLines(position, question),
    ...briefs.flatMap((brief) =>
      brief === last
        ? briefLines(brief, brief.citations.map(judged))
        : underHeading(`-- Round ${brief.round}, in part`, [
            ...movedLines(brief),
            ...list(
              "Citations that the last brief does not repeat:",
              brief.citations.filter(({ number }) => !kept.has(number)).map(judged),
            ),
            ...list("Concedes:", brief.concedes.filter((point) => !granted.has(point)).map(line)),
          ]),
    ),
    ...answers.flatMap((answer) => answerLines(answer, answer.citations.map(judged))),
  ];
}

/** All briefs and answers of a side, whole, without results of checks: the judge of the paper makes its own. */
const wholePartyLines = ({ position, briefs, answers }: Party, question: Question): string[] => [
  ...defenceLines(position, question),
  ...briefs.flatMap((brief) => briefLines(brief, brief.citations.map(cited))),
  ...answers.flatMap((answer) => answerLines(answer, answer.citations.map(cited))),
];

const defenceLines = (position: Position, question: Question): string[] => [
  `Defends: ${nameOf(position, question)}`,
  ...(position.rule ? [`By the rule: ${line(position.rule)}`] : []),
];

const movedLines = ({ moved_to }: Party["briefs"][number]): string[] =>
  moved_to ? [`Has gone over to: ${line(moved_to)}`] : [];

const briefLines = (brief: Party["briefs"][number], citations: readonly string[]): string[] => [
  `-- Round ${brief.round}`,
  ...movedLines(brief),
  ...list("Claims:", brief.claims.map(line)),
  ...list("Rebuttals:", rebutted(brief.rebuts)),
  "Application to the facts:",
  escapeUntrusted(brief.application),
  ...list("Citations:", citations),
  ...list("Concedes:", brief.concedes.map(line)),
];

const answerLines = (
  { asked_by, question: asked, answer, concedes }: Party["answers"][number],
  citations: readonly string[],
): string[] => [
  `-- ${askerName(asked_by)} asked: ${line(asked)}`,
  "Answer:",
  escapeUntrusted(answer),
  ...list("Citations:", citations),
  ...list("Concedes:", concedes.map(line)),
];

const partyValuesBy =
  (lines: (party: Party, question: Question) => string[]) => (party: Party, question: Question) => ({
    letter: party.letter,
    model: party.model && line(party.model),
    text: lines(party, question).join("\n"),
  });

export const partyValues = partyValuesBy(partyLines);
export const wholePartyValues = partyValuesBy(wholePartyLines);
