import type { Analysis, AnalysisInput } from "../../rules/analysis-types";
import { isDetail, type Measure } from "../../rules/metrics/metric";
import type { Plot } from "../about";
import { correctionPlot } from "./correction";
import { differencesPlot } from "./differences";
import { frontPlot } from "./fronts";
import { meansPlot } from "./means";
import { precisionAt, precisionPlot } from "./precision";
import { acrossPlot, roundsPlot } from "./rounds";

/** Most measures that have plots; the tables have all. */
export const MAX_PLOTTED = 6;

/** Within a metric: the whole, its F1, its other parts over all, its parts by type such as `actor_f1`. */
function rankOf({ name, metric }: Measure): number {
  const part = name.slice(metric.length + 1);
  return part === "" ? 0 : part === "f1" ? 1 : part.includes("_") ? 3 : 2;
}

/** The measures that are plotted: first one of each metric, then further parts, in the order of the experiment. */
export function plottedMeasures(
  { measures }: Pick<AnalysisInput, "measures">,
  { results }: Pick<Analysis, "results">,
): Measure[] {
  const known = new Set(results.map(({ measure }) => measure));
  const of = Map.groupBy(
    measures.filter((one) => known.has(one.name) && precisionAt(one.name) === null && !isDetail(one)),
    ({ metric }) => metric,
  );
  const shown = [...of.values()].flatMap((parts) => parts.toSorted((one, other) => rankOf(one) - rankOf(other)));
  const first = shown.filter(({ metric }, index) => shown.findIndex((one) => one.metric === metric) === index);
  const others = shown.filter((measure) => !first.includes(measure));
  const chosen = new Set([...first, ...others].slice(0, MAX_PLOTTED));
  return shown.filter((measure) => chosen.has(measure));
}

/** All drawings of an analysis, each with its table. They may be shown without the report, so that each says if it is of test mode. */
export function plots(input: AnalysisInput, analysis: Analysis): Plot[] {
  const measures = plottedMeasures(input, analysis);
  const mark = `${input.is_test_mode ? "Test mode: no model answered. " : ""}${input.partial ? "Partial. " : ""}`;
  const { hypotheses } = analysis;
  const drawn = [
    ...measures.flatMap((measure) => [
      meansPlot(analysis, measure, mark),
      differencesPlot(analysis, measure, mark),
      frontPlot(analysis, measure, mark),
    ]),
    precisionPlot(analysis, mark),
    roundsPlot(hypotheses, mark),
    ...measures.map((measure) => acrossPlot(hypotheses, input.variants, measure, mark)),
    correctionPlot(hypotheses, mark),
  ];
  return drawn.filter((plot) => plot !== null);
}
