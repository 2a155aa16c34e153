import type { AnalysisInput, TagResult } from "./analysis-types";
import type { Scored } from "./item-scores";
import { type ByItem, bootstrapSeries, DETAIL_RESAMPLES } from "./resampled";

/** Most tags in a table by tag: those of most items. */
export const MAX_TAGS = 20;

/** Tags in the order of their number of items, the largest first; `left` of them are not shown. */
export function tagsOf(items: AnalysisInput["items"]): { tags: string[]; left: number } {
  const groups = [
    ...Map.groupBy(
      items.flatMap(({ tags }) => [...new Set(tags)]),
      (tag) => tag,
    ),
  ].toSorted(([one, some], [other, others]) => others.length - some.length || one.localeCompare(other, "en"));
  const tags = groups.map(([tag]) => tag);
  return { tags: tags.slice(0, MAX_TAGS), left: Math.max(0, tags.length - MAX_TAGS) };
}

/** Means of the items with each tag. */
export function byTag(scored: readonly Scored[], { items, resamples, seed }: AnalysisInput): TagResult[] {
  const ranges = scored.map(({ measure }) => measure.range);
  const sampling = { resamples: Math.min(resamples, DETAIL_RESAMPLES), seed };
  return tagsOf(items).tags.flatMap((tag) => {
    const tagged = items.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id);
    const within = (means: ByItem) =>
      new Map(tagged.flatMap((id) => (means.has(id) ? [[id, means.get(id)!] as const] : [])));
    const series = scored.map(({ scores }) => within(scores.means));
    return bootstrapSeries(series, tagged, sampling, ranges).flatMap((found, place) => {
      if (!found) return [];
      const { variant, measure } = scored[place]!;
      const { mean, low, high } = found;
      return [{ tag, variant, measure: measure.name, n: series[place]!.size, mean, low, high }];
    });
  });
}
