import { clip } from "#workflow-kit/text";
import {
  CHECKLIST,
  type Authority,
  type CheckedCitation,
  type Checklist,
  type Question,
  type Verdict,
} from "../artifacts";
import type { Context } from "../context";
import { isInvented, numbered } from "../rules/citations";
import type { StopReason } from "../contract";
import { outputLanguageOf } from "../rules/language";
import { isOpen } from "../rules/question";
import { bullets, inline, prose, quotation, sections, subdocument, table } from "#workflow-kit/markdown";
import { type Translation, TRANSLATIONS } from "./translations";
import type { DebateState } from "../rules/debate-state";

/** Sections that the reports of debates and baselines share. */

export const translationFor = (question: Question): Translation => TRANSLATIONS[outputLanguageOf(question)];

/** The name of a debater in a report. */
export type Naming = (debater: string) => string;

export interface Conclusion {
  answer: string | null;
  confidence: number | null;
  stop_reason: StopReason;
  /** None where no judge decided. */
  rationale: readonly string[];
  checklist: Checklist | null;
  options_considered: Verdict["options_considered"];
  issues: Verdict["issues"];
  citations: readonly CheckedCitation[];
  law_from_memory: readonly string[];
  /** Those whose citations the answer rests on; null: all. */
  relied: readonly string[] | null;
  /** The winner, if it defended another answer. */
  other_winner: string | null;
  rounds: number;
  /** A line for each side and its position. */
  sides: readonly string[];
}

type Evidence = Pick<DebateState, "authorities" | "missing" | "not_shown">;

/** Title, answer, cautions and reasons: the part that a hurried reader needs. */
export function summary({ question, run }: Context, conclusion: Conclusion, evidence: Evidence, name: Naming): string {
  const words = translationFor(question);
  return sections(
    `# ${inline(titleOfCase(question.text))}`,
    run.isTestMode && `> ${words.testMode}`,
    `## ${words.answer}`,
    answerText(question, conclusion, words),
    `*${words.decided[conclusion.stop_reason]}*`,
    bullets(conclusion.sides),
    `## ${words.caution}`,
    cautionsPart(question, conclusion, evidence, name),
    conclusion.rationale.length > 0 &&
      sections(
        `## ${words.why}`,
        conclusion.rationale.map((point, index) => `${index + 1}. ${inline(point)}`).join("\n"),
      ),
  );
}

/** Characters. */
const MAX_TITLE_LENGTH = 110;

/** A question as a title: whole where it is short, else the sentence that asks, else the first one. */
export function titleOfCase(text: string): string {
  const sentences = text.split(/(?<=[.?!。？！])\s+/u).map((sentence) => sentence.trim());
  const asked = sentences.findLast((sentence) => /[?？]$/u.test(sentence));
  const candidates = [text.trim(), asked, sentences[0]].filter((one) => one !== undefined);
  return clip(candidates.find(({ length }) => length <= MAX_TITLE_LENGTH) ?? candidates.at(-1)!, MAX_TITLE_LENGTH);
}

function answerText(question: Question, { answer, confidence, stop_reason }: Conclusion, words: Translation): string {
  if (answer === null) return words.noAnswer;
  const certainty =
    confidence === null
      ? ""
      : ` (${stop_reason === "voted" ? words.voteShare : words.confidence} ${Math.round(confidence * 100)} %)`;
  if (isOpen(question)) return sections(subdocument(answer), certainty && `*${certainty.trim()}*`);
  const { text } = question.choices.find(({ label }) => label === answer)!;
  return `**${inline(answer)}) ${inline(text)}**${certainty}`;
}

/** A source with its title, or else with the heading of the passage. */
export const sourceName = ({ source, title, heading }: Authority): string => {
  const part = title ?? (heading && clip(heading, 80));
  return inline(part && !source.includes(part) ? `${source}, ${part}` : source);
};

const nameOfSource = (id: string, authorities: readonly Authority[]): string => {
  const authority = authorities.find((candidate) => candidate.id === id);
  return authority ? sourceName(authority) : inline(id);
};

/** Points on authorities, which no argument can meet where there are none. */
const ON_AUTHORITIES: readonly (keyof Checklist)[] = ["on_point_authority", "accurate_use"];

/** The points of the checklist that can be met with this evidence. */
const pointsOf = (authorities: readonly Authority[]) =>
  CHECKLIST.filter((point) => authorities.length > 0 || !ON_AUTHORITIES.includes(point));

/** Errors of answer, citations and argument, each once: first those that the answer rests on, then those of other citations. */
function cautionsPart(question: Question, conclusion: Conclusion, evidence: Evidence, name: Naming): string {
  const { cautions: say, points } = translationFor(question);
  const { citations, checklist, law_from_memory, other_winner } = conclusion;
  const errors = errorsOf(question, conclusion, evidence.authorities, name);
  const mine = errors.filter(({ relied }) => relied).map(({ text }) => text);
  const others = errors.filter(({ relied }) => !relied).map(({ text }) => text);
  const unmet = pointsOf(evidence.authorities)
    .filter((point) => checklist && !checklist[point].met)
    .map((point) => points[point]);
  const numbers = unseenNumbers(question, conclusion, evidence.authorities);
  const cautions = [
    ...(citations.length === 0 ? [say.noCitations] : errors.length === 0 ? [say.none] : []),
    ...mine,
    ...(law_from_memory.length ? [say.fromMemory(law_from_memory.map(inline).join("; "))] : []),
    ...(numbers.length ? [say.unseenNumbers(numbers.map(inline).join(", "))] : []),
    ...(other_winner === null ? [] : [say.otherWinner(name(other_winner))]),
    ...(unmet.length ? [say.points(unmet.join(", "))] : []),
    ...(evidence.not_shown.length ? [say.notAllShown(listOf(evidence.not_shown))] : []),
    ...(evidence.missing.length ? [say.missing(evidence.missing.map(inline).join(", "))] : []),
  ];
  return sections(bullets(cautions), others.length > 0 && sections(`*${say.otherSides}*`, bullets(others)));
}

/** Sources named in a caution; the evidence may have hundreds. */
const MAX_NAMED = 12;

const listOf = (sources: readonly string[]): string =>
  [
    ...sources.slice(0, MAX_NAMED).map(inline),
    ...(sources.length > MAX_NAMED ? [`+ ${sources.length - MAX_NAMED}`] : []),
  ].join("; ");

function errorsOf(
  question: Question,
  { citations, relied, rounds }: Conclusion,
  authorities: readonly Authority[],
  name: Naming,
): { text: string; relied: boolean }[] {
  const { cautions: say } = translationFor(question);
  return numbered(citations).flatMap(({ number, citation, all }) => {
    const { authority_id, authority, quote_match, quote_found, supported, foreign } = citation;
    const source = nameOfSource(authority_id, authorities);
    const sides = [...new Set(all.map(({ cited_by }) => cited_by))];
    const by = sides.map(name).join(", ");
    const found = isInvented(citation)
      ? [authority === "unknown" ? say.unknown(source, by) : say.notShown(source, by)]
      : [
          ...(quote_match === "altered" ? [say.altered(source, by)] : quote_found ? [] : [say.misquoted(source, by)]),
          ...(supported === false ? [say.unsupported(source, by)] : []),
          ...(supported === null ? [say.unjudged(source)] : []),
          ...(foreign
            ? [say.foreign(source, inline(authorities.find(({ id }) => id === authority_id)?.jurisdiction ?? ""))]
            : []),
        ];
    const kept = all.some(({ round }) => round === null || round === rounds);
    const where = kept ? number : `${number}, ${say.withdrawn}`;
    const bears = relied === null || sides.some((side) => relied.includes(side));
    return found.map((text) => ({ text: `${text} (${where})`, relied: bears }));
  });
}

/** Numbers of two or more digits in an answer, such as those of articles, that are in neither question nor evidence. */
export function unseenNumbers(
  question: Question,
  conclusion: Pick<Conclusion, "answer" | "rationale" | "law_from_memory">,
  authorities: readonly Authority[],
): string[] {
  const { answer, rationale, law_from_memory } = conclusion;
  const statements = [isOpen(question) ? (answer ?? "") : "", ...rationale].join("\n");
  const known = [
    question.text,
    ...question.choices.map(({ text }) => text),
    ...authorities.flatMap(({ source, title, heading, excerpt }) => [source, title ?? "", heading ?? "", excerpt]),
    ...law_from_memory,
  ].join("\n");
  const numbersIn = (text: string) => text.match(/\p{N}[\p{N}.,/-]*\p{N}/gu) ?? [];
  const seen = new Set(numbersIn(known));
  return [...new Set(numbersIn(statements))].filter((number) => !seen.has(number));
}

/** What was considered before the answer: the options, each with what speaks against it, or the issues. */
export function consideredPart(
  question: Question,
  { options_considered, issues }: Pick<Conclusion, "options_considered" | "issues">,
): string {
  const words = translationFor(question);
  if (options_considered.length > 0)
    return sections(
      `## ${words.options}`,
      bullets(options_considered.map(({ label, why_not }) => `**${inline(label)}**: ${inline(why_not)}`)),
    );
  if (issues.length === 0) return "";
  return sections(
    `## ${words.issues}`,
    bullets(issues.map(({ issue, resolution }) => `**${inline(issue)}**: ${inline(resolution)}`)),
  );
}

export function checklistTable(question: Question, checklist: Checklist | null): string {
  if (checklist === null) return "";
  const words = translationFor(question);
  const rows = CHECKLIST.map((point) => [
    words.points[point],
    checklist[point].met ? words.met : `**${words.notMet}**`,
    inline(checklist[point].note),
  ]);
  return sections(`## ${words.checklist}`, table(["", "", words.note], rows));
}

export function citationTable(
  question: Question,
  citations: readonly CheckedCitation[],
  authorities: readonly Authority[],
  name: Naming,
): string {
  if (citations.length === 0) return "";
  const words = translationFor(question);
  const rows = numbered(citations).map(({ number, citation, all }) => [
    number,
    nameOfSource(citation.authority_id, authorities),
    inline(citation.quote),
    inline(citation.proposition),
    [...new Set(all.map(({ cited_by }) => name(cited_by)))].join(", "),
    verdictOn(citation, words),
    inline(citation.note ?? ""),
  ]);
  return sections(`## ${words.citations}`, table(words.columns, rows));
}

function verdictOn(citation: CheckedCitation, words: Translation): string {
  if (isInvented(citation)) return `**${words.unknownAuthority}**`;
  const { quote_match, quote_found, supported, foreign } = citation;
  const quote = quote_match === "abridged" ? words.quoteAbridged : quote_found ? words.quoteFound : null;
  const support = supported === null ? words.notJudged : supported ? words.supports : `**${words.doesNotSupport}**`;
  return [
    quote ?? `**${quote_match === "altered" ? words.quoteAltered : words.quoteMissing}**`,
    support,
    ...(foreign ? [`**${words.otherJurisdiction}**`] : []),
  ].join(", ");
}

export function questionPart(question: Question): string {
  const words = translationFor(question);
  return sections(
    `## ${words.question}`,
    prose(question.text),
    bullets(question.choices.map(({ label, text }) => `${inline(label)}) ${inline(text)}`)),
    question.jurisdiction && `${words.jurisdiction}: ${inline(question.jurisdiction)}`,
  );
}

/** Every authority verbatim, with its origin. */
export function evidencePart(question: Question, authorities: readonly Authority[], name: Naming): string {
  const words = translationFor(question);
  if (authorities.length === 0) return sections(`## ${words.evidence}`, words.noEvidence);
  return sections(
    `## ${words.evidence}`,
    ...authorities.map((authority) => {
      const { id, label, jurisdiction, date, url, excerpt, requested_by, round } = authority;
      const by =
        requested_by === null
          ? null
          : requested_by === "human"
            ? words.broughtBy
            : words.askedFor(name(requested_by), round);
      const origin = [jurisdiction, date, url].flatMap((part) => (part ? [inline(part)] : []));
      const details = [...origin, ...(by ? [by] : []), `\`${id.replaceAll("`", "'")}\``].join(" · ");
      return sections(`**${label} · ${sourceName(authority)}** · ${details}`, quotation(excerpt));
    }),
  );
}
