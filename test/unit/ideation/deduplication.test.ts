import { describe, expect, test } from "vitest";
import { cosine } from "../../../src/engine/vectors";
import { chance } from "../../../workflows/ideation/chance";
import { closestPairs, deduplicated, sameIdeas } from "../../../workflows/ideation/deduplication";
import { byVectors, byWords, pairwise, type Similarities } from "../../../workflows/ideation/similarity";

const named = (...names: string[]) => names.map((name, index) => ({ id: `i${index + 1}`, name }));
/** Similarities of pairs of places, 0 where none is given. */
const given = (pairs: Record<string, number>): Similarities => ({
  count: 10,
  after: (one) => Float32Array.from({ length: 10 }, (_, other) => pairs[`${one}-${other}`] ?? 0),
});

describe("deduplication", () => {
  test("keeps an idea and drops every later one that is more alike than the threshold", () => {
    const { kept, dropped } = deduplicated(
      named("A", "B", "C"),
      given({ "0-1": 0.875, "0-2": 0.75, "1-2": 0.99 }),
      0.75,
    );
    expect(kept).toEqual(["i1", "i3"]); // 0.75 is not above 0.75, and what was dropped drops nothing
    expect(dropped).toEqual([{ idea: "i2", because: { cause: "similar", similar_to: "i1", similarity: 0.875 } }]);
  });

  test("drops the later one of a name, however it is written", () => {
    const { kept, dropped } = deduplicated(
      named("Two-Ledger Prompting", "X", "two ledger  prompting!"),
      given({}),
      0.8,
    );
    expect(kept).toEqual(["i1", "i2"]);
    expect(dropped).toEqual([{ idea: "i3", because: { cause: "same_name", similar_to: "i1" } }]);
  });

  test("names what is alike before what is named alike", () => {
    const { dropped } = deduplicated(named("A", "a"), given({ "0-1": 0.95 }), 0.8);
    expect(dropped[0]!.because.cause).toBe("similar");
  });

  test("tells names of other scripts, and of signs alone, apart", () => {
    expect(deduplicated(named("提示词", "提示", "!!", "??", ""), given({}), 0.8).kept).toHaveLength(5);
  });

  test("of nothing is nothing", () => {
    expect(deduplicated([], given({}), 0.8)).toEqual({ kept: [], dropped: [] });
  });
});

describe("the most alike pairs", () => {
  test("stand most alike first, as many as are wanted", () => {
    const similarities = given({ "0-1": 0.25, "0-2": 0.5, "1-2": 0.75, "1-3": 0.5 });
    expect(closestPairs(named("A", "B", "C", "D"), similarities, 3)).toEqual([
      { ideas: ["i2", "i3"], similarity: 0.75 },
      { ideas: ["i1", "i3"], similarity: 0.5 },
      { ideas: ["i2", "i4"], similarity: 0.5 },
    ]);
    expect(closestPairs(named("A", "B"), similarities, 9)).toHaveLength(1);
    expect(closestPairs(named("A"), similarities, 3)).toEqual([]);
  });

  test("are the same with vectors, of which only what may count is worked out", () => {
    const random = chance(3, "closest");
    const vectors = Array.from({ length: 80 }, () => {
      const values = Float32Array.from({ length: 300 }, () => random() - 0.3);
      return values.map((value) => value / Math.hypot(...values));
    });
    const ideas = named(...vectors.map((_, index) => `idea ${index}`));
    const all = pairwise(byVectors(vectors));
    const sorted = vectors
      .flatMap((_, one) => vectors.slice(one + 1).map((_v, at) => all(one, one + 1 + at)))
      .toSorted((a, b) => b - a);
    const found = closestPairs(ideas, byVectors(vectors), 10);
    found.forEach(({ similarity }, index) => expect(similarity).toBeCloseTo(sorted[index]!, 4));
  });

  test("drop the later idea where the ranker says that they are the same, and what was dropped drops nothing", () => {
    const pair = (one: string, other: string, same: boolean | null) => ({
      ideas: [one, other] as [string, string],
      similarity: 0.5,
      verdict: same === null ? null : { same, reason: "So." },
    });
    const because = { cause: "same_idea", similarity: 0.5, reason: "So." };
    const order = ["h1", "i1", "i2", "i3"];
    expect(
      sameIdeas(order, [
        pair("i2", "i3", true),
        pair("i1", "i2", true),
        pair("h1", "i1", false),
        pair("h1", "i3", null),
      ]),
    ).toEqual([{ idea: "i2", because: { ...because, similar_to: "i1" } }]);
  });
});

describe("the lexical measure", () => {
  test("is 1 for the same words, 0 for none shared, and the same both ways", () => {
    const words = pairwise(
      byWords(["Cats chase mice.", "cats, CHASE: mice", "Stones roll downhill", "Cats chase stones"]),
    );
    expect(words(0, 1)).toBeCloseTo(1);
    expect(words(0, 2)).toBe(0);
    expect(words(0, 3)).toBe(words(3, 0));
    expect(words(0, 3)).toBeGreaterThan(0);
    expect(words(0, 3)).toBeLessThan(1);
  });

  test("takes no notice of words that say nothing", () => {
    expect(pairwise(byWords(["the model of the world", "model world"]))(0, 1)).toBeCloseTo(1);
  });

  test("depends on the two texts alone", () => {
    const two = pairwise(byWords(["red apples fall", "green apples fall"]));
    const more = pairwise(byWords(["red apples fall", "green apples fall", "apples apples apples"]));
    expect(more(0, 1)).toBe(two(0, 1));
  });

  test("works where no blanks part words, and on texts without any", () => {
    const words = pairwise(
      byWords(["大型语言模型的不确定性量化", "量化大型语言模型的不确定性", "天气很好我们去公园", "!!!", ""]),
    );
    expect(words(0, 1)).toBeGreaterThan(0.5);
    expect(words(0, 2)).toBe(0);
    expect(words(3, 4)).toBe(0);
  });
});

describe("cosines of vectors", () => {
  const random = chance(7, "vectors");
  const vector = (dimensions: number) => {
    const values = Float32Array.from({ length: dimensions }, () => random() - 0.3);
    return values.map((value) => value / Math.hypot(...values));
  };

  test.each([1, 3, 64, 65, 200, 384])("of %i dimensions are what the engine's are", (dimensions) => {
    const vectors = Array.from({ length: 6 }, () => vector(dimensions));
    const alike = pairwise(byVectors(vectors));
    for (const [one, a] of vectors.entries())
      for (const [other, b] of vectors.entries()) expect(alike(one, other)).toBeCloseTo(cosine(a, b), 5);
  });

  test("above a floor are exact, and others stay below it", () => {
    const vectors = Array.from({ length: 60 }, () => vector(300));
    const exact = pairwise(byVectors(vectors));
    const middle = exact(0, 1);
    for (let one = 0; one < vectors.length; one++) {
      const row = byVectors(vectors).after(one, middle);
      for (let other = one + 1; other < vectors.length; other++) {
        if (exact(one, other) > middle) expect(row[other]).toBe(exact(one, other));
        else expect(row[other]).toBeLessThanOrEqual(middle);
      }
    }
  });

  test("of nothing are nothing", () => {
    expect(byVectors([]).count).toBe(0);
    expect(byVectors([Float32Array.of(1)]).after(0)).toHaveLength(1);
  });
});
