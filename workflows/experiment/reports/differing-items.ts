import { inline, table } from "#workflow-kit/markdown";
import { clip } from "#workflow-kit/text";
import type { AnalysisInput } from "../rules/analysis-types";
import { itemScores } from "../rules/item-scores";
import type { Measure } from "../rules/metrics/metric";

const MAX_ITEMS = 20;
const MAX_VARIANTS = 3;
const MAX_ANSWER_LENGTH = 60;

interface Scored {
  variant: string;
  score: number;
}

/** The items on which variants differ most by a measure, with short answers. @returns Markdown; null: on none */
export function differingItems(input: AnalysisInput, measure: Measure): string | null {
  const { variants, items, results } = input;
  const better = measure.higher_is_better ? 1 : -1;
  const means = variants.flatMap(({ name }) => {
    const scores = itemScores(input, name, measure);
    return scores ? [{ variant: name, means: scores.means }] : [];
  });
  const differing = items
    .map(({ id }) => {
      const scored = means
        .flatMap(({ variant, means: of }): Scored[] => (of.has(id) ? [{ variant, score: of.get(id)! }] : []))
        .toSorted((one, other) => better * (other.score - one.score));
      return { id, scored, spread: scored.length < 2 ? 0 : Math.abs(scored[0]!.score - scored.at(-1)!.score) };
    })
    .filter(({ spread }) => spread > 0)
    .toSorted((one, other) => other.spread - one.spread);
  if (differing.length === 0) return null;
  const shortAnswer = (variant: string, item: string): string => {
    const trial = results.find((one) => one.variant === variant && one.item === item);
    if (!trial || trial.status !== "completed") return trial?.status ?? "not run";
    return trial.answer === null ? "no short answer" : `“${inline(clip(trial.answer, MAX_ANSWER_LENGTH))}”`;
  };
  const cell = (scored: readonly Scored[], item: string) => {
    const named = scored
      .slice(0, MAX_VARIANTS)
      .map(({ variant, score }) => `\`${variant}\` ${Number(score.toFixed(3))}: ${shortAnswer(variant, item)}`);
    const more = scored.length > MAX_VARIANTS ? `; ${scored.length - MAX_VARIANTS} more` : "";
    return `${named.join("; ")}${more}`;
  };
  const rows = differing.slice(0, MAX_ITEMS).map(({ id, scored }) => {
    const [best, worst] = [scored[0]!.score, scored.at(-1)!.score];
    return [
      `\`${id}\``,
      cell(
        scored.filter(({ score }) => score === best),
        id,
      ),
      cell(
        scored.filter(({ score }) => score === worst),
        id,
      ),
    ];
  });
  const shown = differing.length > MAX_ITEMS ? `the ${MAX_ITEMS} of largest difference` : "all of them";
  return `Variants differ in \`${measure.name}\` on ${differing.length} of ${items.length} items; ${shown}, with answers of the first repetition:\n\n${table(["Item", "Best", "Worst"], rows)}`;
}
