import { inline, sections, table } from "#workflow-kit/markdown";
import type { AnalysedVariant, Analysis, AnalysisInput } from "../../rules/analysis-types";
import { code, decimals, resultOf } from "./cells";
import type { Layout } from "./layout";

const PRECISION_AT = [10, 20, 40] as const;

/** Ueda et al., Figure 1 (what the configurations are) and Tables 1 to 3, which have one form. */
export function ideationLayouts({ variants }: AnalysisInput, analysis: Analysis): Layout[] {
  const rows = variants.flatMap((variant) => {
    const ratio = resultOf(analysis, variant.name, "non_duplicate_ratio");
    const precisions = PRECISION_AT.map((at) => resultOf(analysis, variant.name, `precision_at.${at}`));
    if (!ratio && precisions.every((one) => one === null)) return [];
    const score = resultOf(analysis, variant.name, "tournament_score");
    const wins = resultOf(analysis, variant.name, "tournament_win_rate");
    return [
      [
        code(variant.name),
        decimals(ratio?.mean),
        precisions.every((one) => one === null) ? "-" : precisions.map((one) => decimals(one?.mean) || "-").join(" / "),
        decimals(score?.mean),
        decimals(wins?.mean),
      ],
    ];
  });
  if (rows.length === 0) return [];
  const head = ["Configuration", "Non-dup. ratio", "Precision@(10/20/40)", "Mean score", "Win rate"];
  const shapes = variants.filter(({ workflow }) => workflow === "ideation").map(shapeOf);
  return [
    {
      title: "Diversity and quality of ideas (as Ueda et al., Figure 1 and Tables 1 to 3)",
      markdown: sections(table(["Configuration", "Dialogue"], shapes), table(head, rows)),
    },
  ];
}

/** What the options say about the dialogue: preset, critics, rounds, personas, or the two sides of a comparison. */
const shapeOf = ({ name, options, profile }: AnalysedVariant): string[] => {
  const told = ["compare", "preset", "proposers", "critics", "depth", "proposer_personas", "critic_personas"]
    .filter((option) => options[option] !== undefined)
    .map((option) => {
      const value = options[option];
      return `${option} ${inline(typeof value === "string" ? value : JSON.stringify(value))}`;
    });
  return [code(name), [`profile ${inline(profile)}`, ...told].join(", ")];
};
