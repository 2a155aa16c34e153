import type { Artifact } from "#workflow-kit/artifact";
import type { StepOptions } from "#workflow-kit/run";
import { answerAlone } from "../actions";
import { aloneSchema, type Alone, type Vote } from "../artifacts";
import type { Context } from "../context";
import { checkCitations, citationCheckOf, numbered, withSupport, type Cited } from "../rules/citations";
import type { StopReason } from "../contract";
import { parseResponse } from "../rules/question";
import { reportOfAnswer } from "../reports/alone";
import { tally } from "../rules/vote";
import { checkWithClerk, readByClerk } from "./clerk";
import type { GatheredEvidence } from "./preparation";
import type { DirectAnswer } from "../outcome";
import type { SolverConsensus } from "./solving";
import { idsOf, runBoth, withoutContent } from "../rules/debate-state";

/** Baseline i (Silva et al., 3.6): one agent, with retrieval. If the answer names no choice, the agent answers once more. */
export async function answerOnce(context: Context, evidence: GatheredEvidence): Promise<DirectAnswer> {
  const model = context.run.models.of("debater");
  const first = await sample(context, evidence, { key: "1", iteration: 1 });
  const answer = parseResponse(first.content.answer, context.question);
  if (answer !== null)
    return conclude(context, evidence, { chosen: first, by: "debater_1", model, answer, stop_reason: "answered" });
  const second = await sample(context, evidence, { key: "2", iteration: 2 }, first.content.answer);
  const repaired = parseResponse(second.content.answer, context.question);
  const stop_reason = repaired === null ? "invalid" : "answered";
  return conclude(context, evidence, { chosen: second, by: "debater_1", model, answer: repaired, stop_reason });
}

/** Baseline ii: samples vote. A sample that names no choice does not count; on a tie the answer that came first wins. */
export async function answerByVote(context: Context, evidence: GatheredEvidence): Promise<DirectAnswer> {
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
  const vote = tally(samples.map(({ content }) => parseResponse(content.answer, question)));
  await run.record<Vote>({ action: "count_votes", role: "judge", inputs: samples, kind: "vote", content: vote });
  const winner = vote.sample ?? 1;
  return conclude(context, evidence, {
    chosen: samples[winner - 1]!,
    by: `sample_${winner}`,
    model: run.models.of("debater", winner),
    answer: vote.answer,
    stop_reason: vote.answer === null ? "invalid" : "voted",
    vote,
  });
}

const sample = (
  context: Context,
  { authorities, sources }: GatheredEvidence,
  metadata: StepOptions,
  outside: string | null = null,
): Promise<Artifact<Alone>> =>
  context.run.step(answerAlone, { question: context.question, authorities, outside }, { ...metadata, inputs: sources });

interface Answer {
  chosen: Artifact<Alone>;
  /** The agent or sample that cites. */
  by: string;
  /** Its model. */
  model: string;
  answer: string | null;
  stop_reason: StopReason;
  vote?: Vote;
}

function conclude(
  context: Context,
  evidence: GatheredEvidence,
  { chosen, by, model, answer, stop_reason, vote }: Answer,
): Promise<DirectAnswer> {
  const alone = aloneSchema.parse(chosen.content);
  const { confidence, citations } = alone;
  return publish(context, evidence, {
    answer,
    confidence: vote?.answer ? vote.votes[vote.answer]! / context.options.samples : confidence,
    reasons: alone,
    cited: [{ debater: by, round: null, citations, shown: idsOf(evidence.authorities) }],
    vote: vote ?? null,
    models: [model],
    sources: [chosen],
    stop_reason,
  });
}

/** The result of a debate that was skipped. */
export const answerUndisputed = (
  context: Context,
  evidence: GatheredEvidence,
  consensus: SolverConsensus,
): Promise<DirectAnswer> => publish(context, evidence, { ...consensus, stop_reason: "undisputed" });

type Conclusion = Omit<SolverConsensus, "answer" | "cited"> & {
  answer: string | null;
  cited: readonly Cited[];
  stop_reason: StopReason;
};

/** Checks the answer's citations as those of a debate: by code, and for support by the clerk. Writes the report. */
async function publish(
  context: Context,
  { authorities, missing, not_shown }: GatheredEvidence,
  { cited, vote, sources, ...answer }: Conclusion,
): Promise<DirectAnswer> {
  const all = numbered(checkCitations(cited, authorities, context.question.jurisdiction));
  const read = all.map((one) => readByClerk(one, authorities));
  const supports = await checkWithClerk(context, authorities, read, { key: "1", inputs: sources });
  const citations = withSupport(all, supports);
  const answered = { ...answer, citations };
  const by_judge = { role: "judge", inputs: sources };
  const [report] = await runBoth(
    context.run,
    () => {
      const content = reportOfAnswer(context, { authorities, missing, not_shown }, answered, vote);
      return context.run.record({ ...by_judge, action: "write_report", kind: "debate_report", content });
    },
    () => {
      const content = citationCheckOf(citations);
      return context.run.record({ ...by_judge, action: "compare_citations", kind: "citation_check", content });
    },
  );
  return { ...answered, report: withoutContent(report) };
}
