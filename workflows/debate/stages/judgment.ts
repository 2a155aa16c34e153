import { type DebateContext } from "../context";
import { judgeDebate } from "../actions";
import type { CitationCheck, DebateRecord } from "../artifacts";
import { isInvented, withSupport } from "../rules/citations";
import type { Output, StopReason } from "../contract";
import { convene, debaterOf, type Courtroom } from "../rules/courtroom";
import { argumentOf } from "../rules/interventions";
import { pluralityOf } from "../rules/positions";
import { isOpen, readAnswer } from "../rules/question";
import { reportOfDebate } from "../reports/debate";
import { debaterName } from "../rules/topology";
import type { Judged, Submission } from "../outcome";
import { both, heldBy, seatsOf, type DebateState } from "../rules/debate-state";

/** Judgment (Silva et al., 3.2): the judge decides and checks; what code can say of it is added; all is written down. */
export async function judge(theCase: DebateContext, submission: Submission): Promise<Judged> {
  const { floor, replies, note, ended } = submission;
  const courtroom = convene(theCase, floor, replies, note);
  const { verdicts, answer, decided_by } = await decide(theCase, courtroom, submission);
  const last = verdicts.at(-1)!;
  const citations = withSupport(courtroom.citations, last.content.citation_checks);
  const debater = debaterOf(last.content.winner, courtroom.letters);
  const stop_reason: StopReason = decided_by === "judge" ? (ended === "agreed" ? "agreed" : "judged") : decided_by;
  const judged = {
    answer,
    verdict: last.content,
    winner: debater === null ? null : debaterName(debater),
    parties: partiesOf(courtroom, floor),
    citations,
    stop_reason,
  };
  const record = recordOf(theCase, submission, courtroom, {
    answers: verdicts.map(({ content }) => ({ said: content.answer, read: readBy(theCase, content.answer) })),
    answer,
    decided_by,
  });
  const check: CitationCheck = {
    citations,
    invented: [...new Set(citations.filter(isInvented).map(({ authority_id }) => authority_id))],
  };
  const by = { role: "judge", inputs: [last] };
  const [report] = await both(
    theCase.run,
    () => {
      const content = reportOfDebate(theCase, submission, courtroom, judged);
      return theCase.run.record({ ...by, action: "write_report", kind: "debate_report", content });
    },
    () =>
      both(
        theCase.run,
        () => theCase.run.record({ ...by, action: "compare_citations", kind: "citation_check", content: check }),
        () => theCase.run.record({ ...by, action: "keep_record", kind: "debate_record", content: record }),
      ),
  );
  return { ...judged, report: { ...report, content: null } };
}

const partiesOf = ({ letters }: Courtroom, floor: DebateState): Output["parties"] =>
  [...letters].map(([debater, party]) => {
    const { label: position, statement } = floor.positions[debater - 1]!;
    return { party, debater: debaterName(debater), position, statement, held: heldBy(debater, floor).label };
  });

const readBy = ({ question }: DebateContext, said: string): string | null =>
  isOpen(question) ? said.trim() : readAnswer(said, question.choices);

/** The judge's answer; outside of the choices: one more try, then what most debaters hold, then none. */
async function decide(theCase: DebateContext, courtroom: Courtroom, { floor }: Submission) {
  const { question } = theCase;
  const { parties, authorities, note } = courtroom;
  const about = { question, authorities, parties, note };
  const inputs = (floor.rounds.at(-1) ?? []).map(({ brief }) => brief);
  const first = await theCase.run.act(judgeDebate, { ...about, outside: null }, { key: "1", iteration: 1, inputs });
  const answer = readBy(theCase, first.content.answer);
  if (answer !== null) return { verdicts: [first], answer, decided_by: "judge" as const };
  const outside = first.content.answer;
  const second = await theCase.run.act(
    judgeDebate,
    { ...about, outside },
    { key: "2", iteration: 2, inputs: [...inputs, first] },
  );
  const verdicts = [first, second];
  const repaired = readBy(theCase, second.content.answer);
  if (repaired !== null) return { verdicts, answer: repaired, decided_by: "judge" as const };
  const majority = pluralityOf(seatsOf(floor).map((debater) => heldBy(debater, floor).label));
  return { verdicts, answer: majority, decided_by: majority === null ? ("invalid" as const) : ("majority" as const) };
}

/** Characters of a token, about: brief lengths are told as estimates. */
const CHARACTERS_A_TOKEN = 4;
/** A brief may be this much longer than asked before it counts as too long. */
const LENIENCE = 1.5;

function recordOf(
  { options, question }: DebateContext,
  { floor, ended }: Submission,
  { letters, models, left_out }: Courtroom,
  decision: Pick<DebateRecord, "answers" | "answer" | "decided_by">,
): DebateRecord {
  const { positions, rounds } = floor;
  const before = (debater: number, round: number) =>
    heldBy(debater, { positions, rounds: rounds.slice(0, round - 1) }).label;
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
        const tokens = Math.ceil(words.join("\n").length / CHARACTERS_A_TOKEN);
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
    position_changes: rounds.flat().flatMap(({ debater, round, position }) => {
      const from = before(debater, round);
      return from === position ? [] : [{ debater: debaterName(debater), round, from, to: position }];
    }),
    ended,
    parties: [...letters].map(([debater, party]) => ({
      party,
      debater: debaterName(debater),
      model: models.get(debater)!,
    })),
    left_out,
    authorities: floor.pool.map(({ label, id, source, title }) => ({ label, authority_id: id, source, title })),
    ...decision,
  };
}
