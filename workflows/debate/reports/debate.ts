import { clip } from "#workflow-kit/text";
import type { Context } from "../context";
import { numbered } from "../rules/citations";
import type { Courtroom } from "../rules/courtroom";
import { debaterName, type Statement } from "../rules/topology";
import type { Position } from "../artifacts";
import { bullets, inline, prose, quotation, sections } from "#workflow-kit/markdown";
import {
  checklistTable,
  citationTable,
  consideredPart,
  evidencePart,
  questionPart,
  summary,
  translationFor,
  type Naming,
} from "./parts";
import type { Translation } from "./translations";
import type { Judgment, Submission } from "../outcome";
import { positionsAround, statementsOf } from "../rules/debate-state";

/** The whole case for a person to read: the answer, the cautions, and everything that the answer rests on. */
export function reportOfDebate(
  context: Context,
  submission: Submission,
  courtroom: Courtroom,
  judged: Judgment,
): string {
  const { question } = context;
  const { state, note } = submission;
  const { answer, verdict, stop_reason, citations } = judged;
  const words = translationFor(question);
  const name = naming(courtroom, words);
  const decided = stop_reason === "judged" || stop_reason === "agreed";
  const conclusion = {
    ...verdict,
    // A judge who chose nothing gives no reasons for what the majority answers.
    ...(decided
      ? {}
      : { rationale: [], checklist: null, law_from_memory: [], analysis: "", options_considered: [], issues: [] }),
    answer,
    confidence: decided ? verdict.confidence : null,
    stop_reason,
    citations,
    rounds: state.rounds.length,
    sides: sideLines(judged, words),
    ...sidesOf(judged, decided && context.options.profile !== "paper"),
  };
  return sections(
    summary(context, conclusion, state, name),
    consideredPart(question, conclusion),
    citationTable(question, citations, state.authorities, name),
    `# ${words.annex}`,
    checklistTable(question, conclusion.checklist),
    questionPart(question),
    sidesPart(submission, courtroom, judged, words),
    questionsPart(submission, name, words),
    note && sections(`## ${words.noteBefore}`, quotation(note)),
    evidencePart(question, state.authorities, name),
    howPart(context, submission, courtroom, words),
  );
}

/**
 * Those on whose citations the answer rests, and the winner, where it defended another answer.
 * @param named whether the judge has named the citations that its answer rests on; else those of the debaters count whose position it is
 */
function sidesOf({ winner, prevailed, answer }: Judgment, named: boolean) {
  const other_winner = winner === null || answer === null || prevailed.includes(winner) ? null : winner;
  const relied = named ? ["judge"] : prevailed.length ? [...prevailed, "judge"] : null;
  return { relied, other_winner };
}

const naming = ({ letters }: Courtroom, words: Translation): Naming => {
  const names = new Map([...letters].map(([debater, letter]) => [debaterName(debater), words.party(letter)]));
  names.set("judge", words.judge);
  return (debater) => names.get(debater) ?? debater;
};

/** A thesis of an open question may be long; the section on the sides has it in full. Characters. */
const MAX_STATEMENT_LENGTH = 160;

const sideLines = (judged: Judgment, words: Translation): string[] =>
  judged.parties.map(
    ({ party, debater, position, statement }) =>
      `${words.party(party)}${marksOf(debater, judged, words)}: ${inline(position)}) ${inline(clip(statement, MAX_STATEMENT_LENGTH))}`,
  );

/** Whether a side argued best, and whether its answer prevailed. */
function marksOf(debater: string, { winner, prevailed }: Pick<Judgment, "winner" | "prevailed">, words: Translation) {
  const marks = [
    ...(prevailed.includes(debater) ? [words.prevailed] : []),
    ...(winner === debater ? [words.winner] : []),
  ];
  return marks.length ? ` (${marks.join(", ")})` : "";
}

/** The numbers of the citations that a side made in a round. */
const citedIn = (citations: Judgment["citations"], debater: number, round: number): string[] =>
  numbered(citations).flatMap(({ number, all }) =>
    all.some((citation) => citation.cited_by === debaterName(debater) && citation.round === round) ? [number] : [],
  );

function sidesPart({ state }: Submission, { letters }: Courtroom, judged: Judgment, words: Translation): string {
  const parties = [...letters].map(([debater, letter]) => {
    const position = state.positions[debater - 1]!;
    return sections(
      `### ${words.party(letter)}${marksOf(debaterName(debater), judged, words)}`,
      `${words.defends}: **${titleOf(position)}**`,
      position.rule && `${words.rule}: ${inline(position.rule)}`,
      ...statementsOf(debater, state).map((statement) => {
        const [before, after] = positionsAround(debater, statement.round, state);
        const cited = citedIn(judged.citations, debater, statement.round);
        return sections(
          briefPart(statement, before.label === after.label ? null : after, words),
          cited.length > 0 && `${words.cites}: ${cited.join(", ")}`,
          `*${words.honest}: ${Math.round(statement.brief.content.confidence * 100)} %*`,
        );
      }),
    );
  });
  return sections(`## ${words.sides}`, ...parties);
}

export const titleOf = ({ label, statement }: Position): string => `${inline(label)}) ${inline(statement)}`;

export function briefPart({ round, brief }: Statement, moved: Position | null, words: Translation): string {
  const { claims, rebuts, application, concedes } = brief.content;
  return sections(
    `#### ${round === 1 ? words.opening : words.round(round)}`,
    moved && `*${words.movedTo(titleOf(moved))}*`,
    bullets(claims.map(inline)),
    rebuts.length > 0 &&
      sections(
        `*${words.rebuttals}*`,
        bullets(rebuts.map(({ point, answer }) => `"${inline(point)}": ${inline(answer)}`)),
      ),
    sections(`*${words.application}*`, prose(application)),
    concedes.length > 0 && sections(`*${words.concedes}*`, bullets(concedes.map(inline))),
  );
}

export function questionsPart({ replies }: Pick<Submission, "replies">, name: Naming, words: Translation): string {
  if (replies.length === 0) return "";
  return sections(
    `## ${words.questions}`,
    ...replies.map(({ debater, asked_by, asked, answer }) =>
      sections(
        `**${words.askedBy[asked_by]} → ${name(debaterName(debater))}**: ${inline(asked)}`,
        prose(answer.content.answer),
        answer.content.concedes.length > 0 &&
          sections(`*${words.concedes}*`, bullets(answer.content.concedes.map(inline))),
      ),
    ),
  );
}

function howPart(
  { run, options }: Context,
  { state }: Submission,
  { letters, models }: Courtroom,
  words: Translation,
): string {
  const models_differ = options.judging === "blind" || new Set(models.values()).size > 1;
  const writers = [...letters].map(([debater, letter]) => `${words.party(letter)}: ${inline(models.get(debater)!)}`);
  return sections(
    `## ${words.how}`,
    bullets([
      `${words.runName}: \`${run.id}\``,
      words.counts(state.positions.length, state.rounds.length),
      `${words.sight}: ${words.topologies[options.topology]}`,
      `${words.judge}: ${inline(run.models.of("judge"))}, ${words.judging[models_differ ? options.judging : "labeled_alike"]}`,
      `${words.models}: ${writers.join("; ")}`,
    ]),
    words.disclaimer,
  );
}
