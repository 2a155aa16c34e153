import { clip } from "../../../src/engine/text";
import { CHECKLIST, type Authority, type CheckedCitation, type Checklist } from "../artifacts";
import type { Case, Floor } from "../case";
import { isInvented, numbered } from "../citations";
import type { StopReason } from "../contract";
import { voiceOf } from "../language";
import { isOpen, type Question } from "../question";
import { bullets, inline, prose, quotation, sections, subdocument, table } from "./markdown";
import { WORDS } from "./words";

/** Parts that the reports of debates and of baselines share. */

export type Words = (typeof WORDS)["en"];
export const wordsFor = (question: Question): Words => WORDS[voiceOf(question)];

/** How a debater is called in a report. */
export type Naming = (debater: string) => string;

export interface Conclusion {
  answer: string | null;
  confidence: number | null;
  stop_reason: StopReason;
  rationale: readonly string[];
  checklist: Checklist;
  citations: readonly CheckedCitation[];
}

type Evidence = Pick<Floor, "pool" | "missing">;

/** Title, answer, what to be careful about, reasons: what a reader needs who reads nothing else. */
export function summary({ question }: Case, conclusion: Conclusion, evidence: Evidence, name: Naming): string {
  const words = wordsFor(question);
  return sections(
    `# ${inline(clip(question.text, 110))}`,
    `## ${words.answer}`,
    answerText(question, conclusion, words),
    `*${words.decided[conclusion.stop_reason]}*`,
    `## ${words.caution}`,
    bullets(cautions(question, conclusion, evidence, name)),
    `## ${words.why}`,
    conclusion.rationale.map((point, index) => `${index + 1}. ${inline(point)}`).join("\n"),
  );
}

function answerText(question: Question, { answer, confidence }: Conclusion, words: Words): string {
  if (answer === null) return words.noAnswer;
  const sure = confidence === null ? "" : ` (${words.confidence} ${Math.round(confidence * 100)} %)`;
  if (isOpen(question)) return sections(subdocument(answer), sure && `*${sure.trim()}*`);
  const { text } = question.choices.find(({ label }) => label === answer)!;
  return `**${inline(answer)}) ${inline(text)}**${sure}`;
}

const nameOfSource = (id: string, pool: readonly Authority[]): string =>
  inline(pool.find((authority) => authority.id === id)?.source ?? id);

/** What is wrong with citations and argument, each fault once. */
function cautions(
  question: Question,
  { citations, checklist }: Conclusion,
  { pool, missing }: Evidence,
  name: Naming,
): string[] {
  const words = wordsFor(question);
  const { cautions: say } = words;
  const found = citations.flatMap((citation): string[] => {
    const { authority_id, cited_by, quote_found, supported, foreign } = citation;
    const source = nameOfSource(authority_id, pool);
    const by = name(cited_by);
    if (isInvented(citation)) return [say.invented(inline(authority_id), by)];
    const { jurisdiction } = pool.find(({ id }) => id === authority_id)!;
    return [
      ...(quote_found ? [] : [say.misquoted(source, by)]),
      ...(supported === false ? [say.unsupported(source, by)] : []),
      ...(supported === null ? [say.unjudged(source)] : []),
      ...(foreign ? [say.foreign(source, inline(jurisdiction ?? ""))] : []),
    ];
  });
  const unmet = CHECKLIST.filter((point) => !checklist[point].met).map((point) => words.points[point]);
  const all = [
    ...new Set(found),
    ...(unmet.length ? [say.points(unmet.join(", "))] : []),
    ...(missing.length ? [say.missing(missing.map(inline).join(", "))] : []),
  ];
  if (citations.length === 0) return [say.noCitations, ...all];
  return found.length ? all : [say.none, ...all];
}

export function checklistTable(question: Question, checklist: Checklist): string {
  const words = wordsFor(question);
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
  pool: readonly Authority[],
  name: Naming,
): string {
  if (citations.length === 0) return "";
  const words = wordsFor(question);
  const rows = numbered(citations).map(({ citation, all }) => [
    nameOfSource(citation.authority_id, pool),
    inline(citation.quote),
    inline(citation.proposition),
    [...new Set(all.map(({ cited_by }) => name(cited_by)))].join(", "),
    verdictOn(citation, words),
    inline(citation.note ?? ""),
  ]);
  return sections(`## ${words.citations}`, table(words.columns, rows));
}

function verdictOn(citation: CheckedCitation, words: Words): string {
  if (isInvented(citation)) return `**${words.unknownAuthority}**`;
  const { quote_found, supported, foreign } = citation;
  const support = supported === null ? words.notJudged : supported ? words.supports : `**${words.doesNotSupport}**`;
  return [
    quote_found ? words.quoteFound : `**${words.quoteMissing}**`,
    support,
    ...(foreign ? [`**${words.otherJurisdiction}**`] : []),
  ].join(", ");
}

export function questionPart(question: Question): string {
  const words = wordsFor(question);
  return sections(
    `## ${words.question}`,
    prose(question.text),
    bullets(question.choices.map(({ label, text }) => `${inline(label)}) ${inline(text)}`)),
    question.jurisdiction && `${words.jurisdiction}: ${inline(question.jurisdiction)}`,
  );
}

/** Every authority as it stands, with where it comes from. */
export function evidencePart(question: Question, pool: readonly Authority[], name: Naming): string {
  const words = wordsFor(question);
  if (pool.length === 0) return sections(`## ${words.evidence}`, words.noEvidence);
  return sections(
    `## ${words.evidence}`,
    ...pool.map(({ id, source, jurisdiction, date, url, excerpt, requested_by, round }) => {
      const by =
        requested_by === null
          ? null
          : requested_by === "human"
            ? words.broughtBy
            : words.askedFor(name(requested_by), round);
      const about = [jurisdiction, date, url].flatMap((part) => (part ? [inline(part)] : []));
      const told = [...about, ...(by ? [by] : []), `\`${id.replaceAll("`", "'")}\``].join(" · ");
      return sections(`**${inline(source)}** · ${told}`, quotation(excerpt));
    }),
  );
}
