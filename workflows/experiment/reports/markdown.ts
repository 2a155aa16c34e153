import { bullets, inline, sections } from "#workflow-kit/markdown";
import type { Analysis, AnalysisInput } from "../rules/analysis-types";
import { unseenBy } from "../rules/unseen";
import type { Plot, ReportContext } from "./about";
import { answerOf } from "./answer";
import { differingItems } from "./differing-items";
import { judgesTable } from "./judges";
import { layouts } from "./layouts/index";
import { plottedMeasures, plots } from "./plots/index";
import { ratersText } from "./raters";
import {
  agreementTable,
  effortTable,
  failuresTable,
  methodOf,
  microTable,
  otherComparisons,
  plotSection,
  resultsTable,
  tagTable,
} from "./sections";

/** The report of an experiment, Markdown. */
export function reportMarkdown(
  input: AnalysisInput,
  analysis: Analysis,
  about: ReportContext,
  drawn: readonly Plot[] = plots(input, analysis),
): string {
  const measures = plottedMeasures(input, analysis);
  const names = measures.map(({ name }) => name);
  const [headline] = measures;
  const named = (prefix: string) =>
    drawn.filter(({ name }) => name.startsWith(prefix)).map((plot) => plotSection(plot, about.plot_links));
  const section = (title: string, ...parts: readonly (string | null)[]) => {
    const body = sections(...parts);
    return body === "" ? null : `## ${title}\n\n${body}`;
  };
  return `${sections(
    `# ${about.title === null ? "Experiment" : inline(about.title)}`,
    ...marks(input, about),
    section("What was asked", questionOf(input, about), unseenBy(input)),
    section("Answer", answerOf(input, analysis)),
    section("Results", resultsTable(input, analysis), ...named("means-")),
    section("Counts over all trials", microTable(analysis)),
    section("Comparisons", ...named("differences-"), otherComparisons(analysis, names)),
    section("Cost", effortTable(analysis), ...named("cost-")),
    section("Precision at N", ...named("precision-at")),
    section("Debates: rounds and corrections", ...named("rounds"), ...named("correction")),
    ...layouts(input, analysis).map(({ title, markdown }) => section(title, markdown)),
    section("Judges", judgesTable(about)),
    section("Agreement of raters", ratersText(about), agreementTable(about)),
    section("By tag", tagTable(analysis, names)),
    section("Where the variants differ", headline ? differingItems(input, headline) : null),
    section("Failures, and what is missing", failuresTable(analysis), bullets(analysis.missing)),
    section("Method", methodOf(input, analysis, about)),
  )}\n`;
}

/** What a reader must know before any number. */
function marks({ is_test_mode, partial }: AnalysisInput, { stop_reason }: ReportContext): string[] {
  return [
    ...(is_test_mode
      ? [
          "> **Test mode.** No model answered: the numbers measure Parley's stand-in for models, and say nothing about methods.",
        ]
      : []),
    ...(partial
      ? [
          `> **Partial.** The experiment ended before its last trial${stop_reason === null ? "" : ` (${inline(stop_reason)})`}. The numbers are of the trials that ended.`,
        ]
      : []),
  ];
}

function questionOf({ variants, repetitions, measures, compare }: AnalysisInput, { dataset }: ReportContext): string {
  const metrics = [...new Set(measures.map(({ metric }) => metric))];
  const pairs = compare.map(([system, baseline]) => `\`${system}\` with \`${baseline}\``);
  const times = repetitions > 1 ? `, ${repetitions} times each` : "";
  const asked = `How ${variants.length === 1 ? "does " : ""}${variants.map(({ name }) => `\`${name}\``).join(", ")} do on ${inline(dataset.name)} (${inline(dataset.selection)})${times}, by ${metrics.map((name) => `\`${name}\``).join(", ")}.`;
  return pairs.length > 0 ? `${asked} Compared: ${pairs.join(", ")}.` : asked;
}
