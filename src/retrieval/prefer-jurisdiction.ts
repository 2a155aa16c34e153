import { isForeign } from "#core/jurisdiction";
import type { FoundPassage } from "./search";

/** Weight of a passage of another jurisdiction: it comes first only where it fits the query far better. */
const FOREIGN_WEIGHT = 0.5;
/** How many times the wanted passages are ranked, so that enough of the jurisdiction are among them. */
export const DEEPER = 4;

/**
 * The passages in the order of their scores, those of other jurisdictions weighed down. Nothing is left out: foreign law may persuade.
 * @param jurisdiction null: no order is preferred
 */
export function preferJurisdiction(found: readonly FoundPassage[], jurisdiction: string | null): FoundPassage[] {
  const weighed = found.map((it) =>
    isForeign(it.passage.jurisdiction, jurisdiction) ? { ...it, score: it.score * FOREIGN_WEIGHT } : it,
  );
  return weighed.toSorted((one, other) => other.score - one.score);
}
