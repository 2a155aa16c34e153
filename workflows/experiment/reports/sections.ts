import { isDetail } from "../rules/metrics/metric";
import { bullets, inline, sections, table } from "#workflow-kit/markdown";
import { leastDiffering } from "../rules/comparisons";
import type { Analysis, AnalysisInput, MeasureResult, MicroResult } from "../rules/analysis-types";
import { DETAIL_RESAMPLES } from "../rules/resampled";
import type { Plot, ReportContext } from "./about";
import { COMPARISON_HEAD, comparisonRow } from "./plots/differences";
import { dollars, figure, interval, whole } from "./plots/numbers";

/** Measures side by side in one table. */
const COLUMNS = 4;

const code = (name: string): string => `\`${name}\``;

/** Safe text whose intervals keep their brackets: nothing of ours stands in round brackets behind them. */
const bracketed = (text: string): string => inline(text).replace(/\\([[\]])/gu, "$1");

/** A name with an underscore stands as code; anything else is text. */
const cellIn = (cell: string): string => (/^[\w.-]*_[\w.-]*$/u.test(cell) ? code(cell) : bracketed(cell));

/** Comparisons by measures that have no plot: all that are adjusted for being many are shown. */
export function otherComparisons({ comparisons }: Analysis, plotted: readonly string[]): string | null {
  const others = comparisons.filter(({ measure }) => !plotted.includes(measure));
  if (others.length === 0) return null;
  const rows = others.map((one) => [code(one.measure), ...comparisonRow(one).map(cellIn)]);
  return `### Other measures\n\n${table(["Measure", ...COMPARISON_HEAD], rows)}`;
}

/** A plot with its table. The image needs an address; the table says the same. */
export const plotSection = (
  { name, title, alt, table: { head, rows } }: Plot,
  links: ReportContext["plot_links"],
): string => {
  const link = links?.[name];
  const image = link !== undefined && `![${bracketed(alt)}](${link})`;
  return sections(
    `### ${bracketed(title)}`,
    image,
    table(
      head,
      rows.map((row) => row.map(cellIn)),
    ),
  );
};

/** All means: a row for each variant, at most four measures side by side. */
export function resultsTable({ variants }: AnalysisInput, { results }: Analysis): string {
  const measures = [...new Set(results.map(({ measure }) => measure))].filter((name) => !isDetail({ name }));
  const of = new Map(results.map((result) => [`${result.measure} ${result.variant}`, result]));
  const groups = Array.from({ length: Math.ceil(measures.length / COLUMNS) }, (_, place) =>
    measures.slice(place * COLUMNS, (place + 1) * COLUMNS),
  );
  return groups
    .map((group) =>
      table(
        ["Variant", ...group.map(code)],
        variants.map(({ name }) => [code(name), ...group.map((measure) => meanCell(of.get(`${measure} ${name}`)))]),
      ),
    )
    .join("\n\n");
}

const meanCell = (result: MeasureResult | undefined): string =>
  result ? `${figure(result.mean)} ${interval(result.low, result.high)}, n ${result.n}` : "";

/** A share with its interval. */
function shareIn({ intervals, ...row }: MicroResult, part: "precision" | "recall" | "f1"): string {
  const share = row[part];
  if (share === null) return "";
  const { low, high } = intervals[part] ?? { low: null, high: null };
  return `${figure(share)} ${interval(low, high)}`;
}

export const microTable = ({ micro }: Analysis): string | null =>
  micro.length === 0
    ? null
    : table(
        ["Variant", "Counts of", "Found", "Right", "Matched", "Precision", "Recall", "F1"],
        micro.map((row) => [
          code(row.variant),
          code(row.of),
          ...[row.found, row.right, row.matched].map(String),
          ...(["precision", "recall", "f1"] as const).map((part) => shareIn(row, part)),
        ]),
      );

export const effortTable = ({ effort }: Analysis): string =>
  table(
    [
      "Variant",
      "Trials",
      "Cost of a trial",
      "Tokens of a trial",
      "Calls of a trial",
      "Seconds of a trial",
      "Cost in all",
      "Tokens in all",
    ],
    effort.map((one) => [
      code(one.variant),
      String(one.trials),
      one.cost_usd === null ? "unknown" : dollars(one.cost_usd),
      whole(one.tokens),
      figure(one.calls),
      figure(one.seconds),
      one.total_cost_usd === null ? "unknown" : dollars(one.total_cost_usd),
      whole(one.total_tokens),
    ]),
  );

export const failuresTable = ({ failures }: Analysis): string =>
  table(
    ["Variant", "Planned", "Completed", "Failed", "Left out", "Canceled", "Not run", "Reused", "Errors"],
    failures.map((one) => [
      code(one.variant),
      ...[one.planned, one.completed, one.failed, one.left_out, one.canceled, one.missing, one.reused].map(String),
      one.errors.map(({ code: error, trials }) => `${code(error)} ${trials}`).join(", "),
    ]),
  );

export const agreementTable = ({ agreement }: ReportContext): string | null =>
  agreement.length === 0
    ? null
    : table(
        ["Rated", "Coefficient", "Raters", "Items", "Value"],
        agreement.map(({ of, coefficient, raters, items, value }) => [
          inline(of),
          inline(coefficient),
          String(raters),
          String(items),
          value === null ? "cannot be computed" : figure(value),
        ]),
      );

/** Means by tag of the measures that are plotted: a row for each tag and variant. */
export function tagTable({ by_tag }: Analysis, measures: readonly string[]): string | null {
  const shown = by_tag.filter(({ measure }) => measures.includes(measure));
  if (shown.length === 0) return null;
  const rows = [...Map.groupBy(shown, ({ tag, variant }) => JSON.stringify([tag, variant])).values()].map((group) => {
    const { tag, variant } = group[0]!;
    const cells = measures.map((name) => {
      const result = group.find(({ measure }) => measure === name);
      return result ? `${figure(result.mean)} ${interval(result.low, result.high)}, n ${result.n}` : "";
    });
    return [inline(tag), code(variant), ...cells];
  });
  return table(["Tag", "Variant", ...measures.map(code)], rows);
}

/** The versions of the workflow that ran a variant's trials. */
function versionsOf(results: AnalysisInput["results"], variant: string): string {
  const ran = results.filter((result) => result.variant === variant);
  const versions = new Set(ran.flatMap(({ workflow_version }) => workflow_version ?? []));
  return versions.size > 0 ? ` version ${[...versions].join(", ")}` : "";
}

/** How the numbers came about. */
export function methodOf(input: AnalysisInput, analysis: Analysis, about: ReportContext): string {
  const { resamples, seed, trials } = analysis;
  const { run } = about;
  const judges = Object.entries(about.judges).map(([role, model]) => `${inline(role)}: ${inline(model)}`);
  const versions = [...new Map(input.measures.map(({ metric, version }) => [metric, version]))];
  const facts = [
    `Run: ${code(run.id)}${run.created_at === null ? "" : `, created ${run.created_at}`}, mode ${run.mode}; experiment version ${run.workflow_version}, code version ${inline(run.code_version)}.`,
    `Data set: ${inline(about.dataset.name)} (${code(about.dataset.id)}), ${inline(about.dataset.selection)}, content hash ${code(about.dataset.content_hash)}.`,
    `Repetitions: ${input.repetitions} of each variant on each item; repetitions of an item are averaged first, so that each item counts once.`,
    `Intervals: 95 %, percentile bootstrap over items, ${whole(resamples)} resamples, seed ${seed}; by tag and of counts ${whole(Math.min(resamples, DETAIL_RESAMPLES))} resamples. Where all items have the least or the greatest possible value, Wilson's interval; where they are equal otherwise, none.`,
    `Comparisons: paired differences over the items that both have; two-sided p = twice the share (k + 1) / (n + 1) of resamples that lack the difference's sign; ${whole(analysis.comparison_resamples)} resamples; adjusted by Holm's method for the ${analysis.comparisons.length} comparisons of this report.`,
    `A comparison is decided when at least ${leastDiffering(analysis.comparisons.length)} items differ, its interval does not hold 0, and its adjusted p is below 0.05. With fewer items that differ no test could reach that level, though a bootstrap would claim it.`,
    "Items needed: an estimate for 80 % power at the level of 0.05 divided by the number of comparisons, if the true difference and its spread are those seen.",
    input.on_failure === "count_as_wrong"
      ? "A failed trial counts with the worst value of each measure; one that is compared with a trial that failed too, as a tie."
      : "A failed trial is left out, and counted above.",
    `Reused: ${trials.reused} of ${trials.completed} completed trials were run by earlier experiments; their cost is what they once cost.`,
    `Metrics: ${versions.map(([metric, version]) => `${code(metric)} version ${version}${about.parameters?.[metric] ? ` (${inline(about.parameters[metric])})` : ""}`).join("; ")}.`,
    ...(judges.length > 0 ? [`Judges: ${judges.join(", ")}.`] : []),
  ];
  const rows = input.variants.map(({ name, workflow, profile, model, options }) => [
    code(name),
    `${code(workflow)}${versionsOf(input.results, name)}`,
    code(profile),
    inline(model),
    Object.keys(options).length > 0 ? inline(JSON.stringify(options)) : "",
  ]);
  return sections(bullets(facts), table(["Variant", "Workflow", "Profile", "Model", "Options"], rows));
}
