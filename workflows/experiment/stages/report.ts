import type { DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import type { ExperimentContext } from "../context";
import type { Output } from "../contract";
import { trialsCsv } from "../reports/csv";
import { trialsNdjson } from "../reports/ndjson";
import { summaryMarkdown } from "../reports/summary";
import { usageByVariant } from "../rules/usage";
import type { Analysis } from "../rules/analysis-types";
import { measuresOf } from "../rules/metrics/chosen";
import type { TrialResult } from "../rules/trials";
import type { ScoredTrials } from "./scoring";

/** Writes the documents, and the run's output with them. */
export async function writeReport(
  context: ExperimentContext,
  { chunks, unplayed }: ScoredTrials,
  analysed: DocumentReference,
): Promise<Output> {
  const { input } = context;
  const { dataset, items } = await context.items();
  const [analysis] = await context.read<Analysis>([analysed]);
  const results = (await context.read<TrialResult[]>(chunks)).flat();
  const measures = measuresOf(context.metrics(items), results);
  const partial = unplayed > 0;
  const about = {
    title: input.title ?? null,
    dataset: { id: dataset.id, name: dataset.name, content_hash: dataset.content_hash, items: items.length },
    stop_reason: partial ? `A limit of the experiment was met; ${unplayed} trials were not played.` : null,
    judges: {},
    agreement: [],
  };
  const by = { action: "report" };
  const csv = await context.compute("trials_csv", { ...by, mediaType: "text/csv" }, () =>
    trialsCsv({ results, measures }),
  );
  const ndjson = await context.compute("trials_ndjson", { ...by, mediaType: "application/x-ndjson" }, () =>
    trialsNdjson({ results }),
  );
  const document = await context.compute("report_markdown", by, () => summaryMarkdown(about, analysis!));
  return {
    document: reference(document)!,
    documents: { csv: reference(csv)!, ndjson: reference(ndjson)!, plots: [] },
    ...numbersOf(analysis!),
    usage: usageByVariant(input.variants, results),
    partial,
    stop_reason: partial ? "limit_reached" : "analysed",
  };
}

/** The numbers of an analysis that the output names; the artifact `analysis` has all. */
function numbersOf({ results, comparisons, trials }: Analysis): Pick<Output, "results" | "comparisons" | "trials"> {
  return {
    results: results.map(({ variant, measure, n, mean, low, high }) => ({ variant, measure, n, mean, low, high })),
    comparisons: comparisons.map(({ system, baseline, measure, n, difference, low, high, p, p_adjusted, verdict }) => ({
      system,
      baseline,
      measure,
      n,
      difference,
      low,
      high,
      p,
      p_adjusted,
      verdict,
    })),
    trials,
  };
}
