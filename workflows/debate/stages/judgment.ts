import type { Artifact } from "#workflow-kit/artifact";
import type { RecordEntry } from "#workflow-kit/run";
import type { Context } from "../context";
import { judgeDebate } from "../actions";
import { verdictSchema, type CheckedCitation, type DebateRecord, type Supports, type Verdict } from "../artifacts";
import { checkCitations, citationCheckOf, isInvented, numbered, numberOf, withSupport } from "../rules/citations";
import type { Output, StopReason } from "../contract";
import { citationsOf, createCourtroom, debaterOf, withClerk, type Courtroom } from "../rules/courtroom";
import { pluralityOf } from "../rules/positions";
import { isOpen, parseResponse } from "../rules/question";
import { drawingOf } from "../reports/drawing";
import { recordOf } from "../reports/record";
import { reportOfDebate } from "../reports/debate";
import { debaterName } from "../rules/topology";
import type { Judged, Judgment, Submission } from "../outcome";
import { checkWithClerk, readByClerk } from "./clerk";
import {
  debatersOf,
  heldBy,
  holdersOf,
  idsOf,
  lastBriefs,
  runBoth,
  withoutContent,
  type DebateState,
} from "../rules/debate-state";

/** Judgment (Silva et al., 3.2): the clerk checks the citations, the judge decides; the stage publishes record, report and drawing. */
export async function judge(context: Context, submission: Submission): Promise<Judged> {
  const { state, replies, note, ended } = submission;
  const courtroom = createCourtroom(context, state, replies, note);
  const checks = isPaper(context)
    ? []
    : await checkWithClerk(context, state.authorities, citationsOf(courtroom.parties), {
        key: "1",
        inputs: lastBriefs(state),
      });
  const [{ verdicts, answer, decided_by }, earlier] = await runBoth(
    context.run,
    () => decide(context, courtroom, checks, submission),
    () => answersOfEarlierRounds(context, state),
  );
  const last = verdicts.at(-1)!;
  const verdict = verdictSchema.parse(last.content);
  const citations = await checkAll(context, state, { courtroom, verdict, checks, inputs: [last] });
  const debater = decided_by === "judge" ? debaterOf(verdict.winner, courtroom.letters) : null;
  const stop_reason: StopReason = decided_by === "judge" ? (ended === "agreed" ? "agreed" : "judged") : decided_by;
  const judged = {
    answer,
    verdict,
    winner: debater === null ? null : debaterName(debater),
    prevailed: prevailing(context, { state, answer, verdict, courtroom }).map(debaterName),
    parties: partiesOf(courtroom, state),
    citations,
    stop_reason,
    ...(earlier && { answers_by_round: [...earlier, answer] }),
  };
  const said = verdicts.map(({ content }) => ({
    said: content.answer,
    read: parseResponse(content.answer, context.question),
  }));
  const decision = { answers: said, answer, decided_by, winner: judged.winner, prevailed: judged.prevailed };
  return { ...judged, ...(await publish(context, submission, { courtroom, judged, decision, last })) };
}

/**
 * What the judge decides on the briefs of the first round, of the first two, and so on, the last round left out (Silva et al., H3). It reads
 * them without a clerk's findings, replies and notes. null: not asked for.
 */
async function answersOfEarlierRounds(context: Context, state: DebateState): Promise<(string | null)[] | null> {
  if (!context.options.judge_each_round) return null;
  const counts = state.rounds.slice(1).map((_, index) => index + 1);
  return context.run.parallel(counts, async (count) => {
    const heard = { ...state, rounds: state.rounds.slice(0, count) };
    const { parties, authorities } = createCourtroom(context, heard, [], null);
    const verdict = await context.run.step(
      judgeDebate,
      {
        question: context.question,
        authorities,
        parties: withClerk(parties, []),
        note: null,
        outside: null,
      },
      { key: `after_round_${count}`, iteration: 1, inputs: lastBriefs(heard) },
    );
    return parseResponse(verdict.content.answer, context.question);
  });
}

const isPaper = ({ options }: Context): boolean => options.profile === "paper";

/**
 * All citations with their checks. Those of the verdict are its own, and the parties' that it rests on; the clerk reads what it has not read
 * yet. Under the profile `paper` that is every citation: there the clerk measures, and tells the judge nothing.
 */
async function checkAll(
  context: Context,
  { authorities }: DebateState,
  {
    courtroom,
    verdict,
    checks,
    inputs,
  }: { courtroom: Courtroom; verdict: Verdict; checks: Supports; inputs: Artifact[] },
): Promise<CheckedCitation[]> {
  const own = { debater: "judge", round: null, citations: verdict.citations, shown: idsOf(authorities) };
  const relied = new Set(verdict.rests_on.map(numberOf));
  const taken = courtroom.citations.flatMap(({ number, citation }) =>
    relied.has(number) && !isInvented(citation) ? [{ ...citation, cited_by: "judge", round: null }] : [],
  );
  const ofParties = courtroom.citations.flatMap(({ all }) => all);
  const all = numbered([...ofParties, ...taken, ...checkCitations([own], authorities, context.question.jurisdiction)]);
  const checked = new Set(checks.map(({ citation }) => numberOf(citation)));
  const unchecked = all.filter(({ number }) => !checked.has(number)).map((one) => readByClerk(one, authorities));
  const more = await checkWithClerk(context, authorities, unchecked, { key: "2", inputs });
  return withSupport(all, [...checks, ...more]);
}

/** Debaters whose position the answer is; of an open question, the party that the judge names. */
function prevailing(
  { question }: Context,
  {
    state,
    answer,
    verdict,
    courtroom,
  }: { state: DebateState; answer: string | null; verdict: Verdict; courtroom: Courtroom },
): number[] {
  if (!isOpen(question)) return holdersOf(answer, state);
  const adopted = debaterOf(verdict.adopts, courtroom.letters);
  return adopted === null ? [] : [adopted];
}

interface Publication {
  courtroom: Courtroom;
  judged: Judgment;
  decision: Pick<DebateRecord, "answers" | "answer" | "decided_by" | "winner" | "prevailed">;
  last: Artifact;
}

/** Records the check of citations, the debate as data, its report and its drawing. */
async function publish(
  context: Context,
  submission: Submission,
  { courtroom, judged, decision, last }: Publication,
): Promise<Pick<Judged, "report" | "drawing">> {
  const { run } = context;
  const by = { role: "judge", inputs: [last] };
  const entries: Omit<RecordEntry<unknown>, "role" | "inputs">[] = [
    { action: "write_report", kind: "debate_report", content: reportOfDebate(context, submission, courtroom, judged) },
    {
      action: "draw_debate",
      kind: "debate_drawing",
      mediaType: "image/svg+xml",
      content: drawingOf(context.question, submission, judged),
    },
    { action: "compare_citations", kind: "citation_check", content: citationCheckOf(judged.citations) },
    { action: "keep_record", kind: "debate_record", content: recordOf(context, submission, courtroom, decision) },
  ];
  const [report, drawing] = await run.parallel(entries, (entry) => run.record({ ...by, ...entry }));
  return { report: withoutContent(report!), drawing: withoutContent(drawing!) };
}

const partiesOf = ({ letters, models }: Courtroom, state: DebateState): Output["parties"] =>
  [...letters].map(([debater, party]) => {
    const { label: position, statement } = state.positions[debater - 1]!;
    const { label: held } = heldBy(debater, state);
    return { party, debater: debaterName(debater), position, statement, held, model: models.get(debater)! };
  });

/** The judge's answer. If it names no choice, the judge tries once more; then the position of most debaters counts, then none. */
async function decide(context: Context, courtroom: Courtroom, checks: Supports, { state }: Submission) {
  const { question } = context;
  const { parties, authorities, note } = courtroom;
  const courtCase = {
    question,
    authorities,
    parties: withClerk(parties, checks),
    note,
  };
  const inputs = lastBriefs(state);
  const first = await context.run.step(
    judgeDebate,
    { ...courtCase, outside: null },
    { key: "1", iteration: 1, inputs },
  );
  const answer = parseResponse(first.content.answer, question);
  if (answer !== null) return { verdicts: [first], answer, decided_by: "judge" as const };
  const outside = first.content.answer;
  const second = await context.run.step(
    judgeDebate,
    { ...courtCase, outside },
    { key: "2", iteration: 2, inputs: [...inputs, first] },
  );
  const verdicts = [first, second];
  const repaired = parseResponse(second.content.answer, question);
  if (repaired !== null) return { verdicts, answer: repaired, decided_by: "judge" as const };
  const majority = pluralityOf(debatersOf(state).map((debater) => heldBy(debater, state).label));
  return { verdicts, answer: majority, decided_by: majority === null ? ("invalid" as const) : ("majority" as const) };
}
