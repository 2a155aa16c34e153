import { reference } from "#workflow-kit/run";
import type { DocumentReference } from "#workflow-kit/artifact";
import type { Context } from "../context";
import type { Output } from "../contract";
import { selectionWords } from "../inputs/runs";
import type { ReportContext } from "../reports/about";
import { trialsCsv } from "../reports/csv";
import { reportMarkdown } from "../reports/markdown";
import { trialsNdjson } from "../reports/ndjson";
import { plots } from "../reports/plots/index";
import { type Judgement, summaryOf, wasCut } from "../rules/judgements";
import type { Analysis } from "../rules/analysis-types";
import { usageByVariant } from "../rules/usage";
import { agreementOf } from "../rules/rating/ratings";
import { agreementRows } from "../reports/raters";
import { type EvaluatedTrials, toAnalyse } from "./analysis";
import type { ScoredTrials } from "./scoring";

/** Writes the documents, and the run's output with them. */
export async function writeReport(
  context: Context,
  scored: EvaluatedTrials,
  analysed: DocumentReference,
): Promise<Output> {
  const { title = null, variants } = context.input;
  const { dataset, judgements, ratings, input } = await toAnalyse(context, scored);
  const judged = summaryOf(judgements);
  const agreement = ratings ? agreementOf(ratings) : null;
  const analysis = (await context.read<Analysis>([analysed]))[0]!;
  const { partial, results } = input;
  const about = {
    title,
    run: { ...context.run.info, id: context.run.id, mode: context.run.isTestMode ? "test" : "live" } as const,
    dataset: {
      id: dataset.id,
      name: dataset.name,
      content_hash: dataset.content_hash,
      selection: selectionWords(context.input, input.items.length, dataset.items.length),
    },
    stop_reason: partial ? stopWords(scored, judgements) : null,
    ...judgesOf(context),
    judged,
    agreement: agreement ? agreementRows(agreement) : [],
    ratings,
  };
  const by = { action: "report" };
  const csv = await context.compute("trials_csv", { ...by, mediaType: "text/csv" }, () => trialsCsv(input));
  const ndjson = await context.compute("trials_ndjson", { ...by, mediaType: "application/x-ndjson" }, () =>
    trialsNdjson(input),
  );
  const drawn = plots(input, analysis);
  const pictures = [];
  for (const { name, svg } of drawn) {
    const entry = { ...by, key: name, subject: name, mediaType: "image/svg+xml" };
    pictures.push({ name, document: reference(await context.compute("plot", entry, () => svg))! });
  }
  // Images lie beside a report that is saved: each plot as <name>.svg.
  const plot_links = Object.fromEntries(drawn.map(({ name }) => [name, `${name}.svg`]));
  const document = await context.compute("report_markdown", by, () =>
    reportMarkdown(input, analysis, { ...about, plot_links }, drawn),
  );
  return {
    document: reference(document)!,
    documents: { csv: reference(csv)!, ndjson: reference(ndjson)!, plots: pictures },
    ...numbersOf(analysis),
    judgements: judged.map(({ metric, judged: number, failed }) => ({ metric, judged: number, failed })),
    ...(agreement && { agreement }),
    usage: usageByVariant(variants, results),
    partial,
    stop_reason: partial ? "limit_reached" : "analysed",
  };
}

/** Models and parameters of the judged metrics. */
function judgesOf({ run, judges }: Context): Pick<ReportContext, "judges" | "parameters"> {
  const embedding = run.models.embedding ?? "none";
  return {
    judges: {
      ...(judges.some(({ metric }) => !metric.embeds) && { judge: run.models.of("judge") }),
      ...(judges.some(({ metric }) => metric.embeds) && { embedding: run.isTestMode ? run.models.default : embedding }),
    },
    parameters: Object.fromEntries(
      judges.map(({ metric, parameters: { name: _, ...given } }) => [
        metric.name,
        Object.entries(given)
          .map(([parameter, value]) => `${parameter} ${value}`)
          .join(", "),
      ]),
    ),
  };
}

function stopWords({ notRun }: ScoredTrials, judgements: readonly Judgement[]): string {
  const unjudged = judgements.filter(wasCut).length;
  const met = "A limit of the experiment was met";
  return [
    ...(notRun > 0 ? [`${met}; ${notRun} trials were not run, or not to their end.`] : []),
    ...(unjudged > 0
      ? [`${met}; ${unjudged === 1 ? "a judgement was" : `${unjudged} judgements were`} not made.`]
      : []),
  ].join(" ");
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
