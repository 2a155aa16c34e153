import type { Analysis } from "../rules/analysis-types";
import type { ReportContext } from "./about";

const number = (value: number): string => value.toFixed(3);

/** Results and comparisons as Markdown. */
export function summaryMarkdown({ title, dataset, stop_reason }: ReportContext, analysis: Analysis): string {
  const { trials, results, comparisons, missing } = analysis;
  return [
    `# ${title ?? `Experiment on ${dataset.name}`}`,
    `${dataset.items} items of ${dataset.id} (${dataset.content_hash.slice(0, 12)}). ${trials.completed} of ${trials.planned} trials completed, ${trials.failed} failed, ${trials.reused} were reused.`,
    ...(stop_reason === null ? [] : [stop_reason]),
    "",
    "| variant | measure | n | mean | 95 % interval |",
    "|---|---|---|---|---|",
    ...results.map(
      ({ variant, measure, n, mean, low, high }) =>
        `| ${variant} | ${measure} | ${n} | ${number(mean)} | ${number(low)} to ${number(high)} |`,
    ),
    "",
    "| system | baseline | measure | difference | 95 % interval | p | verdict |",
    "|---|---|---|---|---|---|---|",
    ...comparisons.map(
      ({ system, baseline, measure, difference, low, high, p_adjusted, verdict }) =>
        `| ${system} | ${baseline} | ${measure} | ${number(difference)} | ${number(low)} to ${number(high)} | ${number(p_adjusted)} | ${verdict} |`,
    ),
    "",
    ...missing.map((sentence) => `- ${sentence}`),
    "",
  ].join("\n");
}
