import type { KeptIdeas, Ranking, SourcedIdea } from "../artifacts";
import { rounded } from "./deduplication";
import { z } from "zod";

export const ratio = z.number().min(0).max(1).nullable();

/** N of precision@N (Ueda et al., 4.2; the published code has 5 and all as well). */
const NUMBERS = [5, 10, 20, 40];

const share = (part: number, whole: number): number | null => (whole ? rounded(part / whole) : null);

/**
 * Metrics of the ideas, in total and per configuration (spec, step 9).
 * @param ideas all ideas before deduplication, of models and of people
 * @param deduplication its result; the ratio counts only ideas that it judged. null: the run ended before
 */
export function metricsOf(
  configurations: readonly string[],
  ideas: readonly Pick<SourcedIdea, "id" | "configuration">[],
  deduplication: Pick<KeptIdeas, "measure" | "kept" | "dropped"> | null,
  ranking: Ranking | null,
): Metrics {
  const kept = new Set(deduplication?.kept);
  const judged = new Set([...kept, ...(deduplication?.dropped ?? []).map(({ idea }) => idea)]);
  const configurationOf = new Map(ideas.map(({ id, configuration }) => [id, configuration]));
  const counted = (subset: readonly Pick<SourcedIdea, "id">[]) => {
    const left = subset.filter(({ id }) => kept.has(id)).length;
    return {
      ideas: subset.length,
      kept: left,
      non_duplicate_ratio: share(left, subset.filter(({ id }) => judged.has(id)).length),
    };
  };
  return {
    ...counted(ideas),
    measure: deduplication?.measure ?? null,
    configurations: configurations.map((configuration) => ({
      configuration,
      ...counted(ideas.filter((idea) => idea.configuration === configuration)),
      ...rankingFigures(configuration, configurationOf, ranking),
      // Meaningless for a single configuration, which holds all places.
      ...(configurations.length < 2 && { precision_at: null, mean_score: null, win_rate: null }),
    })),
  };
}

function rankingFigures(configuration: string, configurationOf: ReadonlyMap<string, string>, ranking: Ranking | null) {
  const places = ranking?.places ?? [];
  const mine = (id: string) => configurationOf.get(id) === configuration;
  const own = places.filter(({ id }) => mine(id));
  const matches = (ranking?.rounds ?? []).flatMap((round) => round.matches).filter(({ a, b }) => mine(a) !== mine(b));
  const won = matches.reduce((sum, { winner }) => sum + (winner === null ? 0.5 : mine(winner) ? 1 : 0), 0);
  const at = (count: number) => rounded(places.slice(0, count).filter(({ id }) => mine(id)).length / count);
  return {
    ranked: own.length,
    precision_at: Object.fromEntries([
      ...NUMBERS.filter((count) => count <= places.length).map((count) => [String(count), at(count)] as const),
      ...(places.length ? [["all", at(places.length)] as const] : []),
    ]),
    mean_score: own.length ? rounded(own.reduce((sum, { score }) => sum + score, 0) / own.length) : null,
    win_rate: share(won, matches.length),
  };
}

export const metricsSchema = z.strictObject({
  ideas: z.int(),
  kept: z.int().describe("After deduplication."),
  non_duplicate_ratio: ratio,
  measure: z
    .strictObject({ method: z.enum(["embedding", "lexical"]), model: z.string(), threshold: z.number() })
    .nullable()
    .describe("The measure of similarity."),
  configurations: z.array(
    z.strictObject({
      configuration: z.string(),
      ideas: z.int(),
      kept: z.int(),
      non_duplicate_ratio: ratio,
      ranked: z.int().describe("Number of ideas in the tournament."),
      precision_at: z
        .record(z.string(), z.number())
        .nullable()
        .describe("Share of the N best ideas that are from this configuration; null without `compare`."),
      mean_score: z.number().nullable().describe("null without `compare`."),
      win_rate: ratio.describe("Share of matches won against the other configuration."),
    }),
  ),
});

export type Metrics = z.infer<typeof metricsSchema>;
