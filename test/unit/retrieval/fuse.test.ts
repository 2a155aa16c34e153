import { describe, expect, it } from "vitest";
import { fuseRanks } from "#retrieval/fuse";

describe("fused ranks", () => {
  it("are sums of 1 / (60 + rank)", () => {
    expect(
      fuseRanks([
        [1, 2, 3],
        [3, 1],
      ]),
    ).toEqual([
      { id: 1, score: 1 / 61 + 1 / 62 },
      { id: 3, score: 1 / 63 + 1 / 61 },
      { id: 2, score: 1 / 62 },
    ]);
  });

  it("that are equal are ordered by id, so that a search gives the same each time", () => {
    expect(
      fuseRanks([
        [9, 4],
        [4, 9],
      ]).map(({ id }) => id),
    ).toEqual([4, 9]);
    expect(fuseRanks([])).toEqual([]);
  });
});
