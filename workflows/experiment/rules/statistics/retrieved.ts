/** How well what was found matches what should have been found. */
export interface Retrieved {
  /** Share of the found that is right, 0 to 1; null: nothing was found. */
  precision: number | null;
  /** Share of the right that was found, 0 to 1; null: nothing is right. */
  recall: number | null;
  /** Harmonic mean of both, 0 to 1; null: nothing was found and nothing is right. */
  f1: number | null;
}

export interface Counts {
  found: number;
  right: number;
  /** Found and right. */
  matched: number;
}

/** Precision, recall and F1 of counts: F1 = 2 · matched / (found + right). */
export const retrieved = ({ found, right, matched }: Counts): Retrieved => ({
  precision: found === 0 ? null : matched / found,
  recall: right === 0 ? null : matched / right,
  f1: found + right === 0 ? null : (2 * matched) / (found + right),
});

/** Counts of several cases, added up: their precision is the micro average. */
export const pooled = (cases: readonly Counts[]): Counts => {
  const sum = (key: keyof Counts) => cases.reduce((total, counts) => total + counts[key], 0);
  return { found: sum("found"), right: sum("right"), matched: sum("matched") };
};

/**
 * Counts of two lists of keys. A key that stands several times on both sides matches as often as on the side that has fewer.
 */
export function matchKeys(found: readonly string[], right: readonly string[]): Counts {
  const left = Map.groupBy(right, (key) => key);
  const matched = found.filter((key) => left.get(key)?.pop() !== undefined).length;
  return { found: found.length, right: right.length, matched };
}
