import type { Artifact } from "#workflow-kit/artifact";
import { answerAlone, checkCitations as checkSupport } from "../actions";
import type { Alone, CheckedCitation, CitationCheck, Vote } from "../artifacts";
import { idsOf, type DebateContext } from "../context";
import { checkCitations, isInvented, labelOf, numbered, withSupport } from "../rules/citations";
import type { StopReason } from "../contract";
import { isOpen, readAnswer } from "../rules/question";
import { reportOfAnswer } from "../reports/alone";
import { tally } from "../rules/vote";
import type { Gathered } from "./preparation";
import type { Answered } from "../outcome";
import { both, type DebateState } from "../rules/debate-state";

type GatheredEvidence = Gathered;

/** Baseline i (Silva et al., 3.6): one agent, with retrieval. An answer outside of the choices is asked for once more. */
export async function answerOnce(theCase: DebateContext, table: GatheredEvidence): Promise<Answered> {
  const first = await sample(theCase, table, { key: "1", iteration: 1 });
  const answer = readBy(theCase, first.content.answer);
  if (answer !== null)
    return conclude(theCase, table, { chosen: first, by: "debater_1", answer, stop_reason: "answered" });
  const second = await sample(theCase, table, { key: "2", iteration: 2 }, first.content.answer);
  const repaired = readBy(theCase, second.content.answer);
  const stop_reason = repaired === null ? "invalid" : "answered";
  return conclude(theCase, table, { chosen: second, by: "debater_1", answer: repaired, stop_reason });
}

/** Baseline ii: samples vote. One outside of the choices votes for nothing; of equals the answer that was given first. */
export async function answerByVote(theCase: DebateContext, table: GatheredEvidence): Promise<Answered> {
  const { run, options } = theCase;
  const numbers = Array.from({ length: options.samples }, (_, index) => index + 1);
  const samples = await run.parallel(numbers, (number) =>
    sample(theCase, table, { key: `sample_${number}`, iteration: number, member: number, subject: `sample_${number}` }),
  );
  const vote = tally(samples.map(({ content }) => readBy(theCase, content.answer)));
  await run.record<Vote>({ action: "count_votes", role: "judge", inputs: samples, kind: "vote", content: vote });
  const winner = vote.sample ?? 1;
  return conclude(theCase, table, {
    chosen: samples[winner - 1]!,
    by: `sample_${winner}`,
    answer: vote.answer,
    stop_reason: vote.answer === null ? "invalid" : "voted",
    vote,
  });
}

const readBy = ({ question }: DebateContext, said: string): string | null =>
  isOpen(question) ? said.trim() : readAnswer(said, question.choices);

const sample = (
  theCase: DebateContext,
  { pool, sources }: GatheredEvidence,
  how: { key: string; iteration: number; member?: number; subject?: string },
  outside: string | null = null,
): Promise<Artifact<Alone>> =>
  theCase.run.act(answerAlone, { question: theCase.question, authorities: pool, outside }, { ...how, inputs: sources });

interface Conclusion {
  chosen: Artifact<Alone>;
  /** Who cites. */
  by: string;
  answer: string | null;
  stop_reason: StopReason;
  vote?: Vote;
}

/** The citations of the answer are checked as those of a debate are: by code, and by the judge's model for what they support. */
async function conclude(
  theCase: DebateContext,
  { pool, missing }: GatheredEvidence,
  conclusion: Conclusion,
): Promise<Answered> {
  const { chosen, by, answer, stop_reason, vote } = conclusion;
  const { question, options } = theCase;
  const cited = { debater: by, round: null, citations: chosen.content.citations, shown: idsOf(pool) };
  const citations = await supported(theCase, pool, chosen, checkCitations([cited], pool, question.jurisdiction));
  const confidence = vote?.answer ? vote.votes[vote.answer]! / options.samples : chosen.content.confidence;
  const answered = { answer, alone: chosen.content, confidence, citations, stop_reason };
  const check: CitationCheck = {
    citations,
    invented: [...new Set(citations.filter(isInvented).map(({ authority_id }) => authority_id))],
  };
  const made = { role: "judge", inputs: [chosen] };
  const [report] = await both(
    theCase.run,
    () => {
      const content = reportOfAnswer(theCase, { pool, missing }, answered, vote ?? null);
      return theCase.run.record({ ...made, action: "write_report", kind: "debate_report", content });
    },
    () => theCase.run.record({ ...made, action: "compare_citations", kind: "citation_check", content: check }),
  );
  return { ...answered, report: { ...report, content: null } };
}

async function supported(
  theCase: DebateContext,
  pool: DebateState["pool"],
  chosen: Artifact,
  checked: readonly CheckedCitation[],
): Promise<CheckedCitation[]> {
  const all = numbered(checked);
  const real = all.filter(({ citation }) => !isInvented(citation));
  if (real.length === 0) return withSupport(all, []);
  const ids = real.map(({ citation }) => citation.authority_id);
  const support = await theCase.run.act(
    checkSupport,
    {
      question: theCase.question,
      authorities: pool.filter(({ id }) => ids.includes(id)),
      citations: real.map(({ number, citation }) => ({
        ...citation,
        number,
        authority_id: labelOf(citation.authority_id, pool),
        authority_known: true,
      })),
    },
    { key: "1", iteration: 1, inputs: [chosen] },
  );
  return withSupport(all, support.content.citation_checks);
}
