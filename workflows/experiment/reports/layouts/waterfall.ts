import { inline, table } from "#workflow-kit/markdown";
import type { AnalysedVariant, Analysis, AnalysisInput } from "../../rules/analysis-types";
import type { Measure } from "../../rules/metrics/metric";
import { code, percent, resultOf } from "./cells";
import type { Layout } from "./layout";

/** Measures that are a rate of success. */
const SUCCESS = new Set(["number_match", "text_match", "call_match"]);
/** Measures that are a rate of wins against another variant, ties counted half: by a model or by people. */
const isWinRate = ({ against, range }: Measure): boolean => against !== undefined && range[0] === 0 && range[1] === 1;

/** WaAgents, Tables 1 to 3. */
export function waterfallLayouts(input: AnalysisInput, analysis: Analysis): Layout[] {
  if (!input.variants.some(({ workflow }) => workflow === "waterfall")) return [];
  const scored = [...new Set(analysis.results.map(({ measure }) => measure))];
  const success = scored.filter((measure) => SUCCESS.has(measure));
  const wins = input.measures
    .filter((measure) => isWinRate(measure) && scored.includes(measure.name))
    .map(({ name }) => name);
  const against = [
    ...new Set(input.measures.flatMap((measure) => (wins.includes(measure.name) ? [code(measure.against!)] : []))),
  ];
  const found = [
    byModel("Success rates (as WaAgents, Table 1)", success, input, analysis),
    byModel(`Win rates against ${against.join(", ")} (as WaAgents, Table 2)`, wins, input, analysis),
    ablation([...success, ...wins], input, analysis),
  ];
  return found.filter((layout) => layout !== null);
}

/** A row for each measure and model, a column for each variant of that model. */
function byModel(
  title: string,
  measures: readonly string[],
  { variants }: AnalysisInput,
  analysis: Analysis,
): Layout | null {
  if (measures.length === 0) return null;
  const models = [...new Set(variants.map(({ model }) => model))];
  const rows = measures.flatMap((measure) =>
    models.map((model) => [
      code(measure),
      inline(model),
      ...variants.map((variant) => (variant.model === model ? percentOf(analysis, variant, measure) : "")),
    ]),
  );
  return { title, markdown: table(["Measure", "Model", ...variants.map(({ name }) => `${code(name)} (%)`)], rows) };
}

const percentOf = (analysis: Analysis, { name }: AnalysedVariant, measure: string): string =>
  percent(resultOf(analysis, name, measure)?.mean);

const skipped = ({ options }: AnalysedVariant): readonly string[] =>
  Array.isArray(options.skip_stages) ? options.skip_stages.map(String) : [];

/** Table 3: the whole method, and without one stage. null without a variant that skips a stage. */
function ablation(measures: readonly string[], { variants }: AnalysisInput, analysis: Analysis): Layout | null {
  const methods = variants.filter(
    ({ workflow, options }) => workflow === "waterfall" && options.strategy !== "single_agent",
  );
  if (measures.length === 0 || !methods.some((variant) => skipped(variant).length > 0)) return null;
  const head = methods.map((variant) => {
    const without = skipped(variant);
    return `${code(variant.name)}${without.length > 0 ? `, without ${without.map(inline).join(", ")}` : ""} (%)`;
  });
  const rows = measures.map((measure) => [
    code(measure),
    ...methods.map((variant) => percentOf(analysis, variant, measure)),
  ]);
  return { title: "Without a stage (as WaAgents, Table 3)", markdown: table(["Measure", ...head], rows) };
}
