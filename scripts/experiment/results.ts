import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../lib/json.ts";
import type { Parley, Run } from "../lib/sdk.ts";
import { table } from "../lib/terminal.ts";

const VERDICTS: Record<string, string> = { better: "better", worse: "worse", inconclusive: "inconclusive" };

interface Bounds {
  low: number | null;
  high: number | null;
}

export interface Result extends Bounds {
  variant: string;
  measure: string;
  n: number;
  mean: number | null;
}

export interface Comparison extends Bounds {
  system: string;
  baseline: string;
  measure: string;
  n: number;
  difference: number | null;
  p_adjusted: number | null;
  verdict: string;
}

const rounded = (value: number | null) => (value === null ? "–" : String(Number(value.toPrecision(3))));
/** Without bounds all values are equal, and there is none. */
const withInterval = (mean: number | null, { low, high }: Bounds) => {
  if (mean === null) return rounded(mean);
  return `${rounded(mean)} ${low === null ? "(all equal)" : `[${rounded(low)}, ${rounded(high)}]`}`;
};

/** Of a metric with parts, those of the whole: `model_match.f1`, and not `model_match.actor.f1`. The report has all. */
function measuresOf(results: Pick<Result, "measure">[]) {
  const all = [...new Set(results.map(({ measure }) => measure))].map((name) => ({ name, parts: name.split(".") }));
  const fewest = (metric: string | undefined) =>
    Math.min(...all.filter(({ parts }) => parts[0] === metric).map(({ parts }) => parts.length));
  return all.filter(({ parts }) => parts.length === fewest(parts[0])).map(({ name }) => name);
}

/** Means with their intervals, a line for each variant and a column for each measure. */
export function resultTable(results: Result[]) {
  const measures = measuresOf(results);
  const variants = [...new Set(results.map(({ variant }) => variant))];
  const cell = (variant: string, measure: string) => {
    const found = results.find((result) => result.variant === variant && result.measure === measure);
    return found ? withInterval(found.mean, found) : "–";
  };
  return table(
    ["variant", ...measures],
    variants.map((variant) => [variant, ...measures.map((measure) => cell(variant, measure))]),
  );
}

/** Paired differences with what they decide. */
export function comparisonTable(comparisons: Comparison[], results: Pick<Result, "measure">[]) {
  const shown = measuresOf(results);
  return table(
    ["system", "against", "measure", "items", "difference", "p (Holm)", "the system is"],
    shown
      .flatMap((name) => comparisons.filter(({ measure }) => measure === name))
      .map(({ system, baseline, measure, n, difference, p_adjusted, verdict, ...bounds }) => [
        system,
        baseline,
        measure,
        String(n),
        withInterval(difference, bounds),
        rounded(p_adjusted),
        VERDICTS[verdict] ?? verdict,
      ]),
  );
}

/**
 * Writes report.md, trials.csv, trials.ndjson and the plots.
 * @param run a completed experiment
 * @param folder made if it is absent
 * @returns names of the files
 */
export async function writeResults(
  parley: Pick<Parley, "artifacts">,
  { id, output }: Pick<Run, "id" | "output">,
  folder: string,
): Promise<string[]> {
  const { document, documents } = output as Json;
  const { csv, ndjson, plots } = documents;
  const files: [name: string, document: { artifact_id: string }][] = [
    ["report.md", document],
    ["trials.csv", csv],
    ["trials.ndjson", ndjson],
    ...plots.map(({ name, document: plot }: Json) => [name.endsWith(".svg") ? name : `${name}.svg`, plot]),
  ];
  mkdirSync(folder, { recursive: true });
  for (const [name, { artifact_id }] of files)
    writeFileSync(join(folder, name), await parley.artifacts.text(id, artifact_id));
  return files.map(([name]) => name);
}
