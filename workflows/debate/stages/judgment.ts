import type { DebateContext } from "../context";
import { judgeDebate } from "../actions";
import type { DebateRecord } from "../artifacts";
import { citationCheckOf, withSupport } from "../rules/citations";
import type { Output, StopReason } from "../contract";
import { createCourtroom, debaterOf, type Courtroom } from "../rules/courtroom";
import { argumentOf } from "../rules/interventions";
import { pluralityOf } from "../rules/positions";
import { parseAnswer } from "../rules/question";
import { reportOfDebate } from "../reports/debate";
import { debaterName } from "../rules/topology";
import type { Judged, Submission } from "../outcome";
import {
  debatersOf,
  heldBy,
  lastBriefs,
  positionsAround,
  runBoth,
  withoutContent,
  type DebateState,
} from "../rules/debate-state";

/** Judgment (Silva et al., 3.2): the judge decides and checks; the stage publishes report, citation check and record. */
export async function judge(context: DebateContext, submission: Submission): Promise<Judged> {
  const { state, replies, note, ended } = submission;
  const courtroom = createCourtroom(context, state, replies, note);
  const { verdicts, answer, decided_by } = await decide(context, courtroom, submission);
  const last = verdicts.at(-1)!;
  const citations = withSupport(courtroom.citations, last.content.citation_checks);
  const debater = debaterOf(last.content.winner, courtroom.letters);
  const stop_reason: StopReason = decided_by === "judge" ? (ended === "agreed" ? "agreed" : "judged") : decided_by;
  const judged = {
    answer,
    verdict: last.content,
    winner: debater === null ? null : debaterName(debater),
    parties: partiesOf(courtroom, state),
    citations,
    stop_reason,
  };
  const record = recordOf(context, submission, courtroom, {
    answers: verdicts.map(({ content }) => ({
      said: content.answer,
      read: parseAnswer(content.answer, context.question),
    })),
    answer,
    decided_by,
  });
  const by = { role: "judge", inputs: [last] };
  const [report] = await runBoth(
    context.run,
    () => {
      const content = reportOfDebate(context, submission, courtroom, judged);
      return context.run.record({ ...by, action: "write_report", kind: "debate_report", content });
    },
    () =>
      runBoth(
        context.run,
        () => {
          const content = citationCheckOf(citations);
          return context.run.record({ ...by, action: "compare_citations", kind: "citation_check", content });
        },
        () => context.run.record({ ...by, action: "keep_record", kind: "debate_record", content: record }),
      ),
  );
  return { ...judged, report: withoutContent(report) };
}

const partiesOf = ({ letters }: Courtroom, state: DebateState): Output["parties"] =>
  [...letters].map(([debater, party]) => {
    const { label: position, statement } = state.positions[debater - 1]!;
    return { party, debater: debaterName(debater), position, statement, held: heldBy(debater, state).label };
  });

/** The judge's answer. If it names no choice, the judge tries once more; then the position of most debaters counts, then none. */
async function decide(context: DebateContext, courtroom: Courtroom, { state }: Submission) {
  const { question } = context;
  const { parties, authorities, note } = courtroom;
  const courtCase = { question, authorities, parties, note };
  const inputs = lastBriefs(state);
  const first = await context.run.act(judgeDebate, { ...courtCase, outside: null }, { key: "1", iteration: 1, inputs });
  const answer = parseAnswer(first.content.answer, question);
  if (answer !== null) return { verdicts: [first], answer, decided_by: "judge" as const };
  const outside = first.content.answer;
  const second = await context.run.act(
    judgeDebate,
    { ...courtCase, outside },
    { key: "2", iteration: 2, inputs: [...inputs, first] },
  );
  const verdicts = [first, second];
  const repaired = parseAnswer(second.content.answer, question);
  if (repaired !== null) return { verdicts, answer: repaired, decided_by: "judge" as const };
  const majority = pluralityOf(debatersOf(state).map((debater) => heldBy(debater, state).label));
  return { verdicts, answer: majority, decided_by: majority === null ? ("invalid" as const) : ("majority" as const) };
}

/** Characters per token, for estimates of brief lengths. */
const CHARACTERS_PER_TOKEN = 4;
/** A brief counts as too long above the requested length times this factor. */
const LENIENCE = 1.5;

function recordOf(
  { options, question }: DebateContext,
  { state, ended }: Submission,
  { letters, models, left_out }: Courtroom,
  decision: Pick<DebateRecord, "answers" | "answer" | "decided_by">,
): DebateRecord {
  const { rounds } = state;
  return {
    question,
    rounds: rounds.map((statements, index) => ({
      round: index + 1,
      briefs: statements.map(({ debater, position, brief }) => {
        const { citations, concedes, confidence } = brief.content;
        const words = [
          argumentOf(brief.content),
          ...concedes,
          ...citations.flatMap(({ quote, proposition }) => [quote, proposition]),
        ];
        const tokens = Math.ceil(words.join("\n").length / CHARACTERS_PER_TOKEN);
        return {
          debater: debaterName(debater),
          artifact_id: brief.id,
          position,
          confidence,
          concedes,
          citations: citations.length,
          tokens,
          over_limit: tokens > options.brief_tokens * LENIENCE,
        };
      }),
    })),
    position_changes: rounds.flat().flatMap(({ debater, round }) => {
      const [{ label: from }, { label: to }] = positionsAround(debater, round, state);
      return from === to ? [] : [{ debater: debaterName(debater), round, from, to }];
    }),
    ended,
    parties: [...letters].map(([debater, party]) => ({
      party,
      debater: debaterName(debater),
      model: models.get(debater)!,
    })),
    left_out,
    authorities: state.pool.map(({ label, id, source, title }) => ({ label, authority_id: id, source, title })),
    ...decision,
  };
}
