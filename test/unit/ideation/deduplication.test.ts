import { describe, expect, test } from "vitest";
import { deduplicated } from "../../../workflows/ideation/deduplication";
import { byWords, tabulated, type Similarity } from "../../../workflows/ideation/similarity";

const named = (...names: string[]) => names.map((name, index) => ({ id: `i${index + 1}`, name }));
/** Similarities of pairs of places, 0 where none is given. */
const given =
  (pairs: Record<string, number>): Similarity =>
  (one, other) =>
    pairs[`${Math.min(one, other)}-${Math.max(one, other)}`] ?? 0;

describe("deduplication", () => {
  test("keeps an idea and drops every later one that is more alike than the threshold", () => {
    const { kept, dropped } = deduplicated(named("A", "B", "C"), given({ "0-1": 0.9, "0-2": 0.8, "1-2": 0.99 }), 0.8);
    expect(kept).toEqual(["i1", "i3"]); // 0.8 is not above 0.8, and what was dropped drops nothing
    expect(dropped).toEqual([{ idea: "i2", because: { cause: "similar", similar_to: "i1", similarity: 0.9 } }]);
  });

  test("drops the later one of a name, however it is written", () => {
    const { kept, dropped } = deduplicated(
      named("Two-Ledger Prompting", "X", "two ledger  prompting!"),
      given({}),
      0.8,
    );
    expect(kept).toEqual(["i1", "i2"]);
    expect(dropped).toEqual([{ idea: "i3", because: { cause: "same_name", similar_to: "i1", similarity: 0 } }]);
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

describe("the lexical measure", () => {
  test("is 1 for the same words, 0 for none shared, and the same both ways", () => {
    const words = byWords(["Cats chase mice.", "cats, CHASE: mice", "Stones roll downhill", "Cats chase stones"]);
    expect(words(0, 1)).toBeCloseTo(1);
    expect(words(0, 2)).toBe(0);
    expect(words(0, 3)).toBe(words(3, 0));
    expect(words(0, 3)).toBeGreaterThan(0);
    expect(words(0, 3)).toBeLessThan(1);
  });

  test("takes no notice of words that say nothing", () => {
    expect(byWords(["the model of the world", "model world"])(0, 1)).toBeCloseTo(1);
  });

  test("depends on the two texts alone", () => {
    const two = byWords(["red apples fall", "green apples fall"]);
    const more = byWords(["red apples fall", "green apples fall", "apples apples apples"]);
    expect(more(0, 1)).toBe(two(0, 1));
  });

  test("works where no blanks part words, and on texts without any", () => {
    const words = byWords([
      "大型语言模型的不确定性量化",
      "量化大型语言模型的不确定性",
      "天气很好我们去公园",
      "!!!",
      "",
    ]);
    expect(words(0, 1)).toBeGreaterThan(0.5);
    expect(words(0, 2)).toBe(0);
    expect(words(3, 4)).toBe(0);
  });

  test("is tabulated without a change", () => {
    const words = byWords(["a b c d", "b c d e", "c d e f", "x y z w"]);
    const table = tabulated(words, 4);
    for (let one = 0; one < 4; one++)
      for (let other = 0; other < 4; other++)
        if (one !== other) expect(table(one, other)).toBeCloseTo(words(one, other));
    expect(table(2, 2)).toBe(1);
    expect(() => tabulated(words, 0)).not.toThrow();
  });
});
