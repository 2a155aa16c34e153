import { JUDGED, type JudgedMetric } from "./metrics/judged";
import { measureName } from "./metrics/metric";
import type { Scores, TrialResult } from "./trials";

/** What a judge said of one trial by one metric. */
export interface Judgement {
  metric: string;
  variant: string;
  item: string;
  repetition: number;
  /** The variant that it was compared with; null: it was judged alone. */
  against: string | null;
  /** By part of the metric, `""` for the metric itself; null: the judge failed. */
  scores: Scores | null;
  /** Why there are no scores; null: there are. */
  failure: string | null;
  /** Limits of the judgement: a text that was cut, a sample that failed. */
  notes: readonly string[];
}

/** What a judge found: scores by part, or why there are none. */
export type Verdict = { scores: Scores; notes?: readonly string[] } | { failure: string };

/** Whether a limit of the experiment kept the judge from being asked. */
export const wasCut = ({ failure }: Judgement): boolean => failure?.includes("budget_exceeded") ?? false;

/** The best scores that a metric of pairs can give: those against a trial that failed. */
export const winOver = ({ tie = {}, range, ranges = {} }: JudgedMetric): Scores =>
  Object.fromEntries(Object.keys(tie).map((part) => [part, (ranges[part] ?? range)[1]]));

type Named = Pick<TrialResult, "variant" | "item" | "repetition">;
const keyOf = ({ variant, item, repetition }: Named): string => JSON.stringify([variant, item, repetition]);

/** Scores of trials by measure, from elsewhere than code: of judges or raters. */
export type JudgedScores = Named & { scores: Scores };

/**
 * The scores of judgements by measure. A failed judgement gives measures without a value, which are no loss. The variant that others are compared
 * with ties with itself on the same items, so that a comparison with it is a comparison with a tie.
 */
export function judgedScores(judgements: readonly Judgement[]): JudgedScores[] {
  const parts = new Map<string, Set<string>>();
  for (const { metric, scores } of judgements)
    parts.set(metric, new Set([...(parts.get(metric) ?? []), ...Object.keys(scores ?? {})]));
  return judgements.flatMap(({ metric, variant, against, item, repetition, scores }) => {
    const measures = (of: Scores | null) =>
      Object.fromEntries(
        [...parts.get(metric)!].map((part) => [measureName(metric, part || null), of?.[part] ?? null]),
      );
    const own = { variant, item, repetition, scores: measures(scores) };
    const tie = JUDGED[metric]?.tie;
    return against === null || scores === null || !tie
      ? [own]
      : [own, { variant: against, item, repetition, scores: measures(tie) }];
  });
}

/** Results with further scores of the same trials. */
export function withScores(results: readonly TrialResult[], added: readonly JudgedScores[]): TrialResult[] {
  const byTrial = Map.groupBy(added, keyOf);
  return results.map((result) => {
    const more = byTrial.get(keyOf(result)) ?? [];
    return more.length === 0
      ? result
      : { ...result, scores: Object.assign({}, result.scores, ...more.map(({ scores }) => scores)) };
  });
}

/** Judged and failed trials by metric, with the reasons. */
export interface JudgedSummary {
  metric: string;
  judged: number;
  failed: number;
  /** Each with its number, most frequent first. */
  reasons: readonly { reason: string; trials: number }[];
  /** Trials of which a judge did not read all, or of which a sample failed. */
  limited: number;
}

export function summaryOf(judgements: readonly Judgement[]): JudgedSummary[] {
  return [...Map.groupBy(judgements, ({ metric }) => metric)].map(([metric, of]) => {
    const failed = of.filter(({ scores }) => scores === null);
    const reasons = [...Map.groupBy(failed, ({ failure }) => failure!)]
      .map(([reason, those]) => ({ reason, trials: those.length }))
      .toSorted((a, b) => b.trials - a.trials);
    const limited = of.filter(({ scores, notes }) => scores !== null && notes.length > 0).length;
    return { metric, judged: of.length - failed.length, failed: failed.length, reasons, limited };
  });
}
