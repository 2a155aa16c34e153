import { clip } from "#workflow-kit/text";
import { type DebateContext } from "../context";
import { numbered } from "../rules/citations";
import { isOpen } from "../rules/question";
import type { Courtroom } from "../rules/courtroom";
import { debaterName, type Statement } from "../rules/topology";
import type { Position } from "../artifacts";
import { bullets, inline, prose, quotation, sections } from "#workflow-kit/markdown";
import {
  checklistTable,
  citationTable,
  evidencePart,
  questionPart,
  summary,
  translationFor,
  type Naming,
} from "./parts";
import type { Translation } from "./translations";
import type { Judged, Submission } from "../outcome";
import { debatersOf, heldBy, positionsAround, statementsOf } from "../rules/debate-state";

/** The whole case for a person to read: the answer, the cautions, and everything that the answer rests on. */
export function reportOfDebate(
  context: DebateContext,
  submission: Submission,
  courtroom: Courtroom,
  judged: Omit<Judged, "report">,
): string {
  const { question } = context;
  const { state, note } = submission;
  const { answer, verdict, stop_reason, citations } = judged;
  const words = translationFor(question);
  const name = naming(courtroom, words);
  const decided = stop_reason === "judged" || stop_reason === "agreed";
  const conclusion = {
    ...verdict,
    answer,
    confidence: decided ? verdict.confidence : null,
    stop_reason,
    citations,
    rounds: state.rounds.length,
    sides: sideLines(judged, words),
    ...sidesOf(context, submission, judged),
  };
  return sections(
    summary(context, conclusion, state, name),
    citationTable(question, citations, state.pool, name),
    `# ${words.annex}`,
    checklistTable(question, verdict.checklist),
    questionPart(question),
    sidesPart(submission, courtroom, judged, words),
    questionsPart(submission, name, words),
    note && sections(`## ${words.noteBefore}`, quotation(note)),
    evidencePart(question, state.pool, name),
    howPart(context, submission, courtroom, words),
  );
}

/** The debaters that hold the answer at the end; for an open question, the winner. */
function sidesOf({ question }: DebateContext, { state }: Submission, { answer, winner }: Omit<Judged, "report">) {
  if (isOpen(question)) return { relied: winner === null ? null : [winner], other_winner: null };
  const holding = debatersOf(state)
    .filter((debater) => heldBy(debater, state).label === answer)
    .map(debaterName);
  const other_winner = winner === null || answer === null || holding.includes(winner) ? null : winner;
  return { relied: holding.length ? holding : null, other_winner };
}

const naming = ({ letters }: Courtroom, words: Translation): Naming => {
  const names = new Map([...letters].map(([debater, letter]) => [debaterName(debater), words.party(letter)]));
  return (debater) => names.get(debater) ?? debater;
};

/** A thesis of an open question may be long; the section on the sides has it in full. Characters. */
const LONGEST_STATEMENT = 160;

const sideLines = ({ parties, winner }: Omit<Judged, "report">, words: Translation): string[] =>
  parties.map(({ party, debater, position, statement }) => {
    const best = debater === winner ? ` (${words.winner})` : "";
    return `${words.party(party)}${best}: ${inline(position)}) ${inline(clip(statement, LONGEST_STATEMENT))}`;
  });

/** The numbers of the citations that a side made in a round. */
const citedIn = (citations: Judged["citations"], debater: number, round: number): string[] =>
  numbered(citations).flatMap(({ number, all }) =>
    all.some((citation) => citation.cited_by === debaterName(debater) && citation.round === round) ? [number] : [],
  );

function sidesPart(
  { state }: Submission,
  { letters }: Courtroom,
  { winner, citations }: Omit<Judged, "report">,
  words: Translation,
): string {
  const parties = [...letters].map(([debater, letter]) => {
    const position = state.positions[debater - 1]!;
    const best = winner === debaterName(debater) ? ` (${words.winner})` : "";
    return sections(
      `### ${words.party(letter)}${best}`,
      `${words.defends}: **${titleOf(position)}**`,
      position.rule && `${words.rule}: ${inline(position.rule)}`,
      ...statementsOf(debater, state).map((statement) => {
        const [before, after] = positionsAround(debater, statement.round, state);
        const cited = citedIn(citations, debater, statement.round);
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
  { run, options }: DebateContext,
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
      `${words.judge}: ${inline(run.modelOf("judge"))}, ${words.judging[models_differ ? options.judging : "labeled_alike"]}`,
      `${words.models}: ${writers.join("; ")}`,
    ]),
    words.disclaimer,
  );
}
