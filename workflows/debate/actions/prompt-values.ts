import { line, escapeMaterial } from "#workflow-kit/prompt-values";
import type { Authority, Brief, Citation, Position, Question } from "../artifacts";
import type { Finding, JudgedCitation, Party, ReadBrief, WriteRebuttalInput } from "../inputs";

/** Placeholder values of the prompts, from the inputs of actions. All texts are escaped as material. */

export const questionValues = ({ text, choices, jurisdiction, language }: Question) => ({
  question: escapeMaterial(text),
  choices: choices.map((choice) => ({ label: line(choice.label), text: line(choice.text) })),
  jurisdiction: jurisdiction && line(jurisdiction),
  language: language && line(language),
});

/** The question, for actions that accept both open questions and questions with choices. */
export const anyQuestionValues = (question: Question) => ({
  ...questionValues(question),
  has_choices: question.choices.length > 0,
});

export const evidenceValues = (authorities: readonly Authority[]) => ({
  authorities: authorities.map(({ label, source, title, heading, jurisdiction, date, excerpt }) => ({
    id: label,
    source: line(source),
    title: title && line(title),
    heading: heading && line(heading),
    jurisdiction: jurisdiction && line(jurisdiction),
    date: date && line(date),
    excerpt: escapeMaterial(excerpt),
  })),
});

/** A position by label and text; for an open question by its thesis alone, because labels would show an order. */
export const nameOf = ({ label, statement }: Position, { choices }: Question): string =>
  choices.length ? `${line(label)}) ${line(statement)}` : line(statement);

export const positionValues = (position: Position, question: Question) => ({
  position: nameOf(position, question),
  rule: position.rule && line(position.rule),
});

/** A heading with a list under it; no lines when the list is empty. */
const list = (heading: string, items: readonly string[]): string[] =>
  items.length ? [heading, ...items.map((item) => `- ${item}`)] : [];

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
    escapeMaterial(brief.application),
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

/** Results of the code's checks, as the judge and the Cross-Examiner read them. */
const findingOf = ({ authority_known, quote_found, foreign }: Finding): string =>
  [
    authority_known ? "" : "NOT AMONG THE AUTHORITIES that whoever cites it was shown",
    authority_known && !quote_found ? "the quoted words are NOT in the authority" : "",
    authority_known && quote_found ? "the authority has the quoted words" : "",
    foreign ? "the authority is of ANOTHER JURISDICTION" : "",
  ]
    .filter(Boolean)
    .join("; ");

const withFinding = (citation: Citation, finding: Finding): string => `${cited(citation)} (${findingOf(finding)})`;

const judged = (citation: JudgedCitation): string => `${citation.number}: ${withFinding(citation, citation)}`;

export const supportValues = (citations: readonly JudgedCitation[]) => ({ citations: citations.map(judged) });

const ASKERS = { cross_examiner: "The cross-examiner", human: "A person who reads the case" } as const;
export const askerName = (asked_by: keyof typeof ASKERS): string => ASKERS[asked_by];

/** All briefs and answers of a side, as the judge reads them. */
const partyText = ({ position, briefs, answers }: Party, question: Question): string =>
  [
    `Defends: ${nameOf(position, question)}`,
    ...(position.rule ? [`By the rule: ${line(position.rule)}`] : []),
    ...briefs.flatMap((brief) => [
      `-- Round ${brief.round}`,
      ...(brief.moved_to ? [`Has gone over to: ${line(brief.moved_to)}`] : []),
      ...list("Claims:", brief.claims.map(line)),
      ...list("Rebuttals:", rebutted(brief.rebuts)),
      "Application to the facts:",
      escapeMaterial(brief.application),
      ...list("Citations:", brief.citations.map(judged)),
      ...list("Concedes:", brief.concedes.map(line)),
    ]),
    ...answers.flatMap(({ asked_by, question: asked, answer, citations, concedes }) => [
      `-- ${askerName(asked_by)} asked: ${line(asked)}`,
      "Answer:",
      escapeMaterial(answer),
      ...list("Citations:", citations.map(judged)),
      ...list("Concedes:", concedes.map(line)),
    ]),
  ].join("\n");

export const partyValues = (party: Party, question: Question) => ({
  letter: party.letter,
  model: party.model && line(party.model),
  text: partyText(party, question),
});
