/**
 * p values adjusted for being many (Holm 1979, step-down), in the order of the input, each at most 1: below the level of significance
 * they bound the chance of one false claim among all.
 * @throws RangeError when a p is outside 0 to 1
 */
export function holm(p: readonly number[]): number[] {
  const stray = p.find((value) => !(value >= 0 && value <= 1));
  if (stray !== undefined) throw new RangeError(`${stray} is no p value.`);
  const adjusted: number[] = [];
  let least = 0;
  p.map((value, place) => ({ value, place }))
    .toSorted((one, other) => one.value - other.value)
    .forEach(({ value, place }, rank) => {
      least = Math.max(least, Math.min(1, (p.length - rank) * value));
      adjusted[place] = least;
    });
  return adjusted;
}
