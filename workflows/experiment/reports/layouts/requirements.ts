import { table } from "#workflow-kit/markdown";
import type { Analysis, AnalysisInput } from "../../rules/analysis-types";
import { code, decimals, percent, resultOf, scoresOf } from "./cells";
import type { Layout } from "./layout";

const METRIC = "model_match";
const SHARES = ["precision", "recall", "f1"] as const;
const SCORES = ["completeness", "correctness", "consistency"] as const;
/** More cases do not stand side by side (Table VI). */
const MAX_COLUMNS = 6;
/** More cases are no table that is read. */
const MAX_CASES = 50;

/** MARE, Tables III to VII. */
export function requirementsLayouts(input: AnalysisInput, analysis: Analysis): Layout[] {
  const found = [byCase(input, analysis), byType(input, analysis), ablation(input), specifications(input, analysis)];
  return found.filter((layout) => layout !== null);
}

const modelled = (input: AnalysisInput, analysis: Analysis): string[] =>
  input.variants.map(({ name }) => name).filter((name) => resultOf(analysis, name, `${METRIC}.f1`) !== null);

/** Which of the paper's tables holds models of this kind. */
function tableOf({ variants }: AnalysisInput): string {
  const kinds = new Set(
    variants.flatMap(({ options }) => (typeof options.model_kind === "string" ? [options.model_kind] : [])),
  );
  if (kinds.size !== 1) return "III and IV";
  return kinds.has("problem") ? "III" : kinds.has("goal") ? "V" : "IV";
}

/** Tables III and IV: a row for each case, P, R and F1 of each variant, and their averages. */
function byCase(input: AnalysisInput, analysis: Analysis): Layout | null {
  const variants = modelled(input, analysis);
  if (variants.length === 0 || input.items.length > MAX_CASES) return null;
  const columns = variants.flatMap((variant) => SHARES.map((share) => ({ variant, measure: `${METRIC}.${share}` })));
  const scores = columns.map(({ variant, measure }) => scoresOf(input, variant, measure));
  const rows = input.items.map(({ id }) => [code(id), ...scores.map((of) => percent(of?.get(id)))]);
  const average = columns.map(({ variant, measure }) => percent(resultOf(analysis, variant, measure)?.mean));
  const head = variants.flatMap((variant) => [`${code(variant)} P (%)`, "R (%)", "F1 (%)"]);
  return {
    title: `Models by case (as MARE, Table ${tableOf(input)})`,
    markdown: table(["Case", ...head], [...rows, ["Average", ...average]]),
  };
}

/** Table V: a row for each type of element. */
function byType(input: AnalysisInput, analysis: Analysis): Layout | null {
  const variants = modelled(input, analysis);
  const types = [
    ...new Set(input.measures.flatMap(({ name }) => new RegExp(`^${METRIC}\\.(.+)_f1$`, "u").exec(name)?.[1] ?? [])),
  ];
  if (variants.length === 0 || types.length === 0) return null;
  const rows = types.map((type) => [
    code(type),
    ...variants.flatMap((variant) =>
      SHARES.map((share) => percent(resultOf(analysis, variant, `${METRIC}.${type}_${share}`)?.mean)),
    ),
  ]);
  const head = variants.flatMap((variant) => [`${code(variant)} P (%)`, "R (%)", "F1 (%)"]);
  return { title: "Models by type of element (as MARE, Table V)", markdown: table(["Elements", ...head], rows) };
}

/** Table VI: one model call against the team, cases side by side. */
function ablation(input: AnalysisInput): Layout | null {
  const strategies = input.variants.filter(({ workflow }) => ["requirements", "plain"].includes(workflow));
  const alone = strategies.some(({ workflow, options }) => workflow === "plain" || options.strategy === "single_model");
  const scored = strategies
    .map(({ name }) => ({ name, scores: SHARES.map((share) => scoresOf(input, name, `${METRIC}.${share}`)) }))
    .filter(({ scores }) => scores.some((of) => of !== null));
  if (!alone || scored.length < 2 || input.items.length > MAX_COLUMNS) return null;
  const head = input.items.flatMap(({ id }) => [`${code(id)} P`, "R", "F1"]);
  const rows = scored.map(({ name, scores }) => [
    code(name),
    ...input.items.flatMap(({ id }) => scores.map((of) => percent(of?.get(id)))),
  ]);
  return { title: "One model against the team (as MARE, Table VI)", markdown: table(["Strategy", ...head], rows) };
}

/** Table VII: scores of the specifications, 0 to 2. */
function specifications(input: AnalysisInput, analysis: Analysis): Layout | null {
  const measures = SCORES.map((part) => input.measures.find(({ name }) => name.endsWith(`.${part}`))?.name ?? null);
  if (measures.includes(null) || input.items.length > MAX_CASES) return null;
  const parts = measures as string[];
  const variants = input.variants
    .map(({ name }) => name)
    .filter((name) => resultOf(analysis, name, parts[0]!) !== null);
  const rows = variants.flatMap((variant) => {
    const scores = parts.map((measure) => scoresOf(input, variant, measure));
    return [
      ...input.items.map(({ id }) => [code(variant), code(id), ...scores.map((of) => decimals(of?.get(id)))]),
      [code(variant), "Average", ...parts.map((measure) => decimals(resultOf(analysis, variant, measure)?.mean))],
    ];
  });
  return {
    title: "Scores of the specifications (as MARE, Table VII)",
    markdown: table(["Variant", "Case", ...SCORES], rows),
  };
}
