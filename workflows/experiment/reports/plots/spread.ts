/**
 * Positions of labels along a line: as near as possible to where they belong, in the same order, and at least a distance apart.
 * @param wanted in any order
 * @param room from and to; labels that need more go beyond its end
 * @returns in the order of the input
 */
export function spreadOut(
  wanted: readonly number[],
  distance: number,
  [from, to]: readonly [number, number],
): number[] {
  const order = wanted.map((at, index) => ({ at, index })).toSorted((one, other) => one.at - other.at);
  // Labels that touch form a block around the mean of their wanted places.
  const blocks: { members: typeof order; first: number }[] = [];
  const place = (members: typeof order) => {
    const middle = members.reduce((sum, { at }) => sum + at, 0) / members.length;
    const length = (members.length - 1) * distance;
    return Math.max(from, Math.min(middle - length / 2, to - length));
  };
  for (const label of order) {
    let block = { members: [label], first: place([label]) };
    for (let before = blocks.at(-1); before; before = blocks.at(-1)) {
      if (before.first + before.members.length * distance <= block.first) break;
      blocks.pop();
      const members = [...before.members, ...block.members];
      block = { members, first: place(members) };
    }
    blocks.push(block);
  }
  const places: number[] = [];
  for (const { members, first } of blocks)
    members.forEach(({ index }, nth) => (places[index] = first + nth * distance));
  return places;
}
