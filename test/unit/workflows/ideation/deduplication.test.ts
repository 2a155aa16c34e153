import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cosine } from "#workflow-kit/vectors";
import { chance } from "#workflows/ideation/rules/chance";
import { byVectors } from "#workflows/ideation/rules/cosine-similarity";
import { dropDuplicates, dropsByVerdict } from "#workflows/ideation/rules/deduplication";
import { pairwise, plainSearch, type Similarities } from "#workflows/ideation/rules/similarity";
import { byWords } from "#workflows/ideation/rules/lexical-similarity";

const named = (...names: string[]) => names.map((name, index) => ({ id: `i${index + 1}`, name }));
/** Similarities by pairs of places; 0 for pairs that are not given. */
const given = (pairs: Record<string, number>): Similarities => {
  const before = (one: number) => Float64Array.from({ length: one }, (_, other) => pairs[`${other}-${one}`] ?? 0);
  return { count: 10, before, search: () => plainSearch(before) };
};

/** A naive implementation of the spec, step 6: compares each idea with all kept before it, and ranks the pairs of kept ideas. */
function asDefined(
  count: number,
  alike: (one: number, other: number) => number,
  { threshold, closest_count }: { threshold: number; closest_count: number },
) {
  const id = (place: number) => `i${place + 1}`;
  const similarity = (one: number, other: number) => Math.round(alike(one, other) * 10_000) / 10_000;
  const kept: number[] = [];
  const dropped: { idea: string; because: object }[] = [];
  for (let one = 0; one < count; one++) {
    const other = kept.find((place) => alike(place, one) > threshold);
    if (other === undefined) kept.push(one);
    else {
      const because = { cause: "similar", similar_to: id(other), similarity: similarity(other, one) };
      dropped.push({ idea: id(one), because });
    }
  }
  const closest = kept
    .flatMap((later, at) => kept.slice(0, at).map((earlier): [number, number] => [earlier, later]))
    .toSorted((one, other) => alike(...other) - alike(...one))
    .slice(0, closest_count)
    .map((pair) => ({ ideas: pair.map(id), similarity: similarity(...pair) }));
  return { kept: kept.map(id), dropped, closest };
}

const differently = (count: number) => named(...Array.from({ length: count }, (_, index) => `idea ${index}`));

/** A naive implementation of the lexical measure, for words separated by spaces. */
function cosinesOfCounts(texts: readonly string[]) {
  const counts = texts.map((text) => {
    const words = text.split(" ").filter((word) => word && word !== "the" && word !== "Of");
    const terms = [...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)];
    return new Map([...Map.groupBy(terms, (term) => term)].map(([term, uses]) => [term, uses.length]));
  });
  const product = (one: number, other: number) =>
    [...counts[one]!].reduce((sum, [term, count]) => sum + count * (counts[other]!.get(term) ?? 0), 0);
  return (one: number, other: number) =>
    product(one, other) && product(one, other) / Math.sqrt(product(one, one) * product(other, other));
}

/** Vectors of unit length around four centres, near or far by `spread`. */
const clusters = fc
  .record({
    seed: fc.integer(),
    count: fc.integer({ min: 0, max: 60 }),
    dimensions: fc.constantFrom(1, 2, 3, 5, 64, 65, 200, 1536),
    spread: fc.constantFrom(0, 1e-5, 0.3, 0.7, 1),
  })
  .map(({ seed, count, dimensions, spread }) => {
    const draw = chance(seed, "vectors");
    const centres = Array.from({ length: 4 }, () => Float32Array.from({ length: dimensions }, () => draw() - 0.4));
    return Array.from({ length: count }, () => {
      const centre = centres[Math.floor(draw() * centres.length)]!;
      const values = centre.map((value) => value + spread * (draw() - 0.5));
      const length = Math.hypot(...values);
      return values.map((value) => value / length);
    });
  });

describe("deduplication", () => {
  test("keeps an idea and drops every later one with a similarity above the threshold", () => {
    const { kept, dropped } = dropDuplicates(
      named("A", "B", "C"),
      given({ "0-1": 0.875, "0-2": 0.75, "1-2": 0.99 }),
      0.75,
    );
    expect(kept).toEqual(["i1", "i3"]); // 0.75 is not above 0.75, and what was dropped drops nothing
    expect(dropped).toEqual([{ idea: "i2", because: { cause: "similar", similar_to: "i1", similarity: 0.875 } }]);
  });

  test("drops the later of two ideas with the same name, in any spelling", () => {
    const { kept, dropped } = dropDuplicates(
      named("Two-Ledger Prompting", "X", "two ledger  prompting!"),
      given({}),
      0.8,
    );
    expect(kept).toEqual(["i1", "i2"]);
    expect(dropped).toEqual([{ idea: "i3", because: { cause: "same_name", similar_to: "i1" } }]);
  });

  test("prefers the cause of similarity to that of an equal name", () => {
    const { dropped } = dropDuplicates(named("A", "a"), given({ "0-1": 0.95 }), 0.8);
    expect(dropped[0]!.because.cause).toBe("similar");
  });

  test("distinguishes names in other scripts, and of punctuation only", () => {
    expect(dropDuplicates(named("提示词", "提示", "!!", "??", ""), given({}), 0.8).kept).toHaveLength(5);
  });

  test("of no ideas is empty", () => {
    expect(dropDuplicates([], given({}), 0.8)).toEqual({ kept: [], dropped: [], closest: [] });
  });
});

describe("the most similar pairs", () => {
  test("are in descending order of similarity, up to the requested number", () => {
    const similarities = given({ "0-1": 0.25, "0-2": 0.5, "1-2": 0.75, "1-3": 0.5 });
    expect(dropDuplicates(named("A", "B", "C", "D"), similarities, 0.8, 3).closest).toEqual([
      { ideas: ["i2", "i3"], similarity: 0.75 },
      { ideas: ["i1", "i3"], similarity: 0.5 },
      { ideas: ["i2", "i4"], similarity: 0.5 },
    ]);
    expect(dropDuplicates(named("A", "B"), similarities, 0.8, 9).closest).toHaveLength(1);
    expect(dropDuplicates(named("A"), similarities, 0.8, 3).closest).toEqual([]);
  });

  test("are pairs of kept ideas", () => {
    const { closest } = dropDuplicates(named("A", "B", "C"), given({ "0-1": 0.9, "1-2": 0.7, "0-2": 0.1 }), 0.8, 3);
    expect(closest).toEqual([{ ideas: ["i1", "i3"], similarity: 0.1 }]);
  });

  test("lose the later idea when the ranker calls them the same, and a dropped idea drops no other", () => {
    const pair = (one: string, other: string, same: boolean | null) => ({
      ideas: [one, other] as [string, string],
      similarity: 0.5,
      verdict: same === null ? null : { same, reason: "So." },
    });
    const because = { cause: "same_idea", similarity: 0.5, reason: "So." };
    const order = ["h1", "i1", "i2", "i3"];
    expect(
      dropsByVerdict(order, [
        pair("i2", "i3", true),
        pair("i1", "i2", true),
        pair("h1", "i1", false),
        pair("h1", "i3", null),
      ]),
    ).toEqual([{ idea: "i2", because: { ...because, similar_to: "i1" } }]);
  });
});

describe("the lexical measure", () => {
  test("is 1 for the same words, 0 for no shared words, and symmetric", () => {
    const words = pairwise(
      byWords(["Cats chase mice.", "cats, CHASE: mice", "Stones roll downhill", "Cats chase stones"]),
    );
    expect(words(0, 1)).toBeCloseTo(1);
    expect(words(0, 2)).toBe(0);
    expect(words(0, 3)).toBe(words(3, 0));
    expect(words(0, 3)).toBeGreaterThan(0);
    expect(words(0, 3)).toBeLessThan(1);
  });

  test("ignores stop words", () => {
    expect(pairwise(byWords(["the model of the world", "model world"]))(0, 1)).toBeCloseTo(1);
  });

  test("depends only on the two texts", () => {
    const two = pairwise(byWords(["red apples fall", "green apples fall"]));
    const more = pairwise(byWords(["red apples fall", "green apples fall", "apples apples apples"]));
    expect(more(0, 1)).toBe(two(0, 1));
  });

  test("makes two texts duplicates only above the threshold, not at it", () => {
    const words = byWords(["alpha beta gamma", "alpha beta delta"]); // three of five terms
    expect(dropDuplicates(differently(2), words, 0.6).kept).toHaveLength(2);
    expect(dropDuplicates(differently(2), words, 0.5999).kept).toHaveLength(1);
  });

  test("is the cosine of counts, with the results of its definition", () => {
    const word = fc.constantFrom("red", "green", "blue", "apple", "pear", "falls", "rises", "the", "Of");
    const someTexts = fc.array(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(someTexts, fc.constantFrom(0.2, 0.5, 0.6, 0.9), fc.nat(6), (texts, threshold, closest_count) => {
        const alike = cosinesOfCounts(texts);
        const words = byWords(texts);
        for (let one = 0; one < texts.length; one++)
          expect([...words.before(one)]).toEqual(Array.from({ length: one }, (_, other) => alike(one, other)));
        const found = dropDuplicates(differently(texts.length), words, threshold, closest_count);
        expect(found).toEqual(asDefined(texts.length, alike, { threshold, closest_count }));
      }),
    );
  });

  test("works in scripts without blanks, and on texts without words", () => {
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

  test.each([1, 3, 64, 65, 200, 384])("of %i dimensions equal the engine's", (dimensions) => {
    const vectors = Array.from({ length: 6 }, () => vector(dimensions));
    const alike = pairwise(byVectors(vectors));
    for (const [one, a] of vectors.entries())
      for (const [other, b] of vectors.entries()) expect(alike(one, other)).toBeCloseTo(cosine(a, b), 5);
  });

  test("give the results of the definition, even very near to the threshold", () => {
    fc.assert(
      fc.property(
        clusters,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(),
        fc.nat(6),
        (all, drawn, pair, closest_count) => {
          const alike = (one: number, other: number) => cosine(all[one]!, all[other]!);
          // Thresholds include exact similarities of pairs, where rounding could go wrong.
          const thresholds = [drawn, ...all.slice(1).map((_, at) => alike(at, at + 1))];
          const threshold = thresholds[pair % thresholds.length]!;
          const found = dropDuplicates(differently(all.length), byVectors(all), threshold, closest_count);
          expect(found).toEqual(asDefined(all.length, alike, { threshold, closest_count }));
        },
      ),
    );
  });

  test("of no vectors are empty", () => {
    expect(byVectors([]).count).toBe(0);
    expect(byVectors([Float32Array.of(1)]).before(0)).toHaveLength(0);
    expect(dropDuplicates([], byVectors([]), 0.8)).toEqual({ kept: [], dropped: [], closest: [] });
  });
});
