import type { DocumentReference } from "#workflow-kit/artifact";
import { chunksOf } from "#workflow-kit/chunks";
import { reference } from "#workflow-kit/run";
import type { Context } from "../context";
import { type Judgement, type Verdict, winOver } from "../rules/judgements";
import { modelNames } from "../rules/material";
import type { ChosenJudge } from "../rules/metrics/chosen";
import type { Trial } from "../rules/trials";
import { type EndedTrial, withOutputs } from "./ended-trials";
import { judgeFairEval } from "./judging/fair-eval";
import { judgeIdeas } from "./judging/idea-quality";
import { type Judge, JudgedCase } from "./judging/judge";
import { judgeModel } from "./judging/model-match";
import { embedModel } from "./judging/model-match-embedded";
import { judgeReasoning } from "./judging/reasoning";
import { judgeRubric } from "./judging/rubric";
import { judgeSpecification } from "./judging/srs-quality";

/** Trials whose judgements are one artifact, and whose texts are in memory at the same time. */
const CHUNK = 20;
/** Trials that are judged at the same time. */
const CONCURRENCY = 4;

const JUDGES: Readonly<Record<string, Judge>> = {
  fair_eval: judgeFairEval,
  rubric: judgeRubric,
  srs_quality: judgeSpecification,
  idea_quality: judgeIdeas,
  reasoning_consistency: judgeReasoning,
  model_match_judged: judgeModel,
  model_match_embedded: embedModel,
};

/** A trial to judge, and the trial that it is compared with. */
interface Candidate {
  own: EndedTrial;
  rival: EndedTrial | null;
}

/**
 * Judged metrics of all trials, inside the stage `scoring`, after the metrics that code computes. Returns the artifacts `judgements`: lists of
 * `Judgement`. A failed judgement is an entry with its reason, and no score.
 */
export async function judgeTrials(context: Context, ended: readonly EndedTrial[]): Promise<DocumentReference[]> {
  const stored = [];
  for (const chosen of context.judges)
    for (const [index, candidates] of chunksOf(candidatesOf(context, chosen, ended), CHUNK).entries())
      stored.push(
        await context.compute(
          "judgements",
          { action: "judge", key: `${chosen.metric.name}.${index + 1}`, subject: chosen.metric.name },
          () => judgeChunk(context, chosen, candidates),
        ),
      );
  return stored.map((artifact) => reference(artifact)!);
}

/** Completed trials, for a pair metric with the trial of the other variant on the same item and repetition. */
function candidatesOf(
  { variants }: Context,
  { metric, parameters }: ChosenJudge,
  ended: readonly EndedTrial[],
): Candidate[] {
  const completed = ended.filter(({ end }) => end.status === "completed");
  if (metric.kind === "single") return completed.map((own) => ({ own, rival: null }));
  const against = parameters.against ?? variants[0]!.name;
  const keyOf = ({ planned: { item, repetition } }: EndedTrial) => JSON.stringify([item.id, repetition]);
  const rivals = new Map(
    ended.filter(({ planned }) => planned.variant.name === against).map((rival) => [keyOf(rival), rival]),
  );
  return completed.flatMap((own) => {
    const rival = rivals.get(keyOf(own));
    return own.planned.variant.name === against || !rival ? [] : [{ own, rival }];
  });
}

async function judgeChunk(
  context: Context,
  chosen: ChosenJudge,
  candidates: readonly Candidate[],
): Promise<Judgement[]> {
  const judge = JUDGES[chosen.metric.name]!;
  const ended = candidates.flatMap(({ own, rival }) => (rival ? [own, rival] : [own]));
  const trials = await withContents(context, judge, await withOutputs(context, ended));
  const byKey = new Map(trials.map((trial, index) => [ended[index]!.planned.key, trial]));
  return context.run.parallel(
    candidates,
    async ({ own, rival }) => {
      const trial = byKey.get(own.planned.key)!;
      const other = rival ? byKey.get(rival.planned.key)! : null;
      const one = new JudgedCase(
        context,
        `${chosen.metric.name}/${own.planned.key}`,
        chosen.parameters,
        own.planned.item,
        trial,
        other,
        modelNames(context.variants.map(({ models }) => models ?? context.run.models.default)),
      );
      return judgementOf(chosen, one, await verdictOn(chosen, judge, one));
    },
    CONCURRENCY,
  );
}

/** The trials with the contents that the judge reads. */
async function withContents(context: Context, judge: Judge, trials: readonly Trial[]): Promise<Trial[]> {
  const reads = trials.map((trial) =>
    trial.status === "completed"
      ? judge.reads(trial).map(({ artifact_id }) => ({ run_id: trial.run_id, artifact_id }))
      : [],
  );
  const contents = await context.run.children.contents(reads.flat());
  let at = 0;
  return trials.map((trial, index) => ({
    ...trial,
    contents: Object.fromEntries(reads[index]!.map(({ artifact_id }) => [artifact_id, contents[at++]])),
  }));
}

/** A trial that was removed, or whose rival failed, is not judged. Where failures count as wrong, a failed rival loses. */
async function verdictOn({ metric }: ChosenJudge, judge: Judge, one: JudgedCase): Promise<Verdict> {
  const { trial, rival, context } = one;
  if (trial.status !== "completed") return { failure: "The trial was removed before it was judged." };
  if (rival === null || rival.status === "completed") return judge.judge(one);
  const by = `The trial of \`${rival.variant}\` did not complete`;
  if (rival.status !== "failed" || context.options.on_failure.then === "leave_out") return { failure: `${by}.` };
  return { scores: winOver(metric), notes: [`${by}, which counts as its loss.`] };
}

const judgementOf = (
  { metric }: ChosenJudge,
  { trial: { variant, item, repetition }, rival, notes }: JudgedCase,
  verdict: Verdict,
): Judgement => ({
  metric: metric.name,
  variant,
  item,
  repetition,
  against: rival?.variant ?? null,
  ...("failure" in verdict
    ? { scores: null, failure: verdict.failure, notes: [] }
    : { scores: verdict.scores, failure: null, notes: [...new Set([...notes, ...(verdict.notes ?? [])])] }),
});
