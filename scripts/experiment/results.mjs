import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../lib/terminal.mjs";

const VERDICTS = { better: "better", worse: "worse", decides_nothing: "decides nothing" };

const rounded = (value) => (value === null ? "–" : String(Number(value.toPrecision(3))));
/** Without bounds all values are equal, and none can be told. */
const withInterval = (mean, { low, high }) => {
  if (mean === null) return rounded(mean);
  return `${rounded(mean)} ${low === null ? "(all equal)" : `[${rounded(low)}, ${rounded(high)}]`}`;
};

/** Of a metric with parts, those of the whole: `model_match.f1`, and not `model_match.actor.f1`. The report has all. */
function measuresOf(results) {
  const all = [...new Set(results.map(({ measure }) => measure))].map((name) => ({ name, parts: name.split(".") }));
  const fewest = (metric) =>
    Math.min(...all.filter(({ parts }) => parts[0] === metric).map(({ parts }) => parts.length));
  return all.filter(({ parts }) => parts.length === fewest(parts[0])).map(({ name }) => name);
}

/**
 * Means with their intervals, a line for each variant and a column for each measure.
 * @param {{variant: string, measure: string, n: number, mean: number | null, low: number | null, high: number | null}[]} results
 */
export function resultTable(results) {
  const measures = measuresOf(results);
  const variants = [...new Set(results.map(({ variant }) => variant))];
  const cell = (variant, measure) => {
    const found = results.find((result) => result.variant === variant && result.measure === measure);
    return found ? withInterval(found.mean, found) : "–";
  };
  return table(
    ["variant", ...measures],
    variants.map((variant) => [variant, ...measures.map((measure) => cell(variant, measure))]),
  );
}

/** Paired differences with what they decide. */
export function comparisonTable(comparisons, results) {
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
 * @param {import("@parley/sdk").Parley} parley
 * @param {object} run a completed experiment
 * @param {string} folder made if it is absent
 * @returns {Promise<string[]>} names of the files
 */
export async function writeResults(parley, { id, output }, folder) {
  const { csv, ndjson, plots } = output.documents;
  const files = [
    ["report.md", output.document],
    ["trials.csv", csv],
    ["trials.ndjson", ndjson],
    ...plots.map(({ name, document }) => [name.endsWith(".svg") ? name : `${name}.svg`, document]),
  ];
  mkdirSync(folder, { recursive: true });
  for (const [name, { artifact_id }] of files)
    writeFileSync(join(folder, name), await parley.artifacts.text(id, artifact_id));
  return files.map(([name]) => name);
}
