/** A variant at its mean cost and score. */
export interface Placed {
  cost: number;
  score: number;
}

/**
 * Those that no other one beats: none is as cheap and as good, and better in one of both. In the order of the input.
 * @param higherIsBetter direction of the score; the cost is always better when lower
 */
export const paretoFront = <T extends Placed>(placed: readonly T[], higherIsBetter = true): T[] => {
  const gain = (one: Placed, other: Placed) => (higherIsBetter ? one.score - other.score : other.score - one.score);
  const beats = (one: Placed, other: Placed) =>
    one.cost <= other.cost && gain(one, other) >= 0 && (one.cost < other.cost || gain(one, other) > 0);
  return placed.filter((one) => !placed.some((other) => beats(other, one)));
};
