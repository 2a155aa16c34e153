import type { Artifact } from "#workflow-kit/artifact";
import type { ActOptions } from "#workflow-kit/run";
import { answerAlone, checkSupport } from "../actions";
import type { Alone, CheckedCitation, Vote } from "../artifacts";
import type { DebateContext } from "../context";
import { checkCitations, citationCheckOf, isInvented, labelOf, numbered, withSupport } from "../rules/citations";
import type { StopReason } from "../contract";
import { parseAnswer } from "../rules/question";
import { reportOfAnswer } from "../reports/alone";
import { tally } from "../rules/vote";
import type { GatheredEvidence } from "./preparation";
import type { Answered } from "../outcome";
import { idsOf, runBoth, withoutContent, type DebateState } from "../rules/debate-state";

/** Baseline i (Silva et al., 3.6): one agent, with retrieval. If the answer names no choice, the agent answers once more. */
export async function answerOnce(context: DebateContext, evidence: GatheredEvidence): Promise<Answered> {
  const first = await sample(context, evidence, { key: "1", iteration: 1 });
  const answer = parseAnswer(first.content.answer, context.question);
  if (answer !== null)
    return conclude(context, evidence, { chosen: first, by: "debater_1", answer, stop_reason: "answered" });
  const second = await sample(context, evidence, { key: "2", iteration: 2 }, first.content.answer);
  const repaired = parseAnswer(second.content.answer, context.question);
  const stop_reason = repaired === null ? "invalid" : "answered";
  return conclude(context, evidence, { chosen: second, by: "debater_1", answer: repaired, stop_reason });
}

/** Baseline ii: samples vote. A sample that names no choice does not count; on a tie the answer that came first wins. */
export async function answerByVote(context: DebateContext, evidence: GatheredEvidence): Promise<Answered> {
  const { run, options, question } = context;
  const numbers = Array.from({ length: options.samples }, (_, index) => index + 1);
  const samples = await run.parallel(numbers, (number) =>
    sample(context, evidence, {
      key: `sample_${number}`,
      iteration: number,
      member: number,
      subject: `sample_${number}`,
    }),
  );
  const vote = tally(samples.map(({ content }) => parseAnswer(content.answer, question)));
  await run.record<Vote>({ action: "count_votes", role: "judge", inputs: samples, kind: "vote", content: vote });
  const winner = vote.sample ?? 1;
  return conclude(context, evidence, {
    chosen: samples[winner - 1]!,
    by: `sample_${winner}`,
    answer: vote.answer,
    stop_reason: vote.answer === null ? "invalid" : "voted",
    vote,
  });
}

const sample = (
  context: DebateContext,
  { pool, sources }: GatheredEvidence,
  metadata: ActOptions,
  outside: string | null = null,
): Promise<Artifact<Alone>> =>
  context.run.act(
    answerAlone,
    { question: context.question, authorities: pool, outside },
    { ...metadata, inputs: sources },
  );

interface Conclusion {
  chosen: Artifact<Alone>;
  /** The agent or sample that cites. */
  by: string;
  answer: string | null;
  stop_reason: StopReason;
  vote?: Vote;
}

/** Checks the answer's citations as those of a debate: by code, and for support by the judge's model. */
async function conclude(
  context: DebateContext,
  { pool, missing }: GatheredEvidence,
  conclusion: Conclusion,
): Promise<Answered> {
  const { chosen, by, answer, stop_reason, vote } = conclusion;
  const { question, options } = context;
  const cited = { debater: by, round: null, citations: chosen.content.citations, shown: idsOf(pool) };
  const citations = await withSupportChecked(
    context,
    pool,
    chosen,
    checkCitations([cited], pool, question.jurisdiction),
  );
  const confidence = vote?.answer ? vote.votes[vote.answer]! / options.samples : chosen.content.confidence;
  const answered = { answer, alone: chosen.content, confidence, citations, stop_reason };
  const by_judge = { role: "judge", inputs: [chosen] };
  const [report] = await runBoth(
    context.run,
    () => {
      const content = reportOfAnswer(context, { pool, missing }, answered, vote ?? null);
      return context.run.record({ ...by_judge, action: "write_report", kind: "debate_report", content });
    },
    () => {
      const content = citationCheckOf(citations);
      return context.run.record({ ...by_judge, action: "compare_citations", kind: "citation_check", content });
    },
  );
  return { ...answered, report: withoutContent(report) };
}

/** Asks the judge's model which citations the authorities support. */
async function withSupportChecked(
  context: DebateContext,
  pool: DebateState["pool"],
  chosen: Artifact,
  checked: readonly CheckedCitation[],
): Promise<CheckedCitation[]> {
  const all = numbered(checked);
  const real = all.filter(({ citation }) => !isInvented(citation));
  if (real.length === 0) return withSupport(all, []);
  const ids = real.map(({ citation }) => citation.authority_id);
  const support = await context.run.act(
    checkSupport,
    {
      question: context.question,
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
