/** Parts of a ranking: fused ranks, signs of vectors, snippets; and which texts can be indexed. */
import { describe, expect, it, test } from "vitest";
import { fuseRanks } from "#retrieval/fuse";
import { snippetOf } from "#retrieval/snippet";
import { textFault } from "#retrieval/text-faults";
import { nearness, product, signsOf } from "#retrieval/vector-math";

const EN = { language: "en", jurisdiction: null };

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

describe("signs", () => {
  const vector = (seed: number, like?: Float32Array) => {
    let state = seed;
    const chance = () => ((state = (state * 48271) % 2147483647) / 2147483647) * 2 - 1;
    const raw = Float32Array.from({ length: 100 }, (_, at) => chance() + (like ? like[at]! * 20 : 0));
    const length = Math.hypot(...raw);
    return raw.map((value) => value / length);
  };
  const hex = (signs: Uint8Array) => Buffer.from(signs).toString("hex");

  it("give the product of a vector with plus and minus one", () => {
    const query = vector(1);
    const other = vector(2);
    const expected = other.reduce((sum, value, at) => sum + (value > 0 ? query[at]! : -query[at]!), 0);
    expect(nearness(query)(hex(signsOf(other)))).toBeCloseTo(expected, 4);
    expect(nearness(query)("00")).toBeNull();
  });

  it("rank near vectors before far ones, as products do", () => {
    const query = vector(1);
    const near = nearness(query);
    const close = vector(3, query);
    for (let seed = 10; seed < 60; seed++) {
      const far = vector(seed);
      expect(near(hex(signsOf(close)))!).toBeGreaterThan(near(hex(signsOf(far)))!);
      expect(product(query, close)).toBeGreaterThan(product(query, far));
    }
  });
});

describe("a snippet", () => {
  const text = `${"Nothing of interest stands here. ".repeat(30)}The fine for late tools is small.${" More of nothing follows.".repeat(30)}`;
  it("is the part with most of the query's words", () => {
    const { start, end } = snippetOf(text, "fines for tools that are late", EN);
    expect(text.slice(start, end)).toContain("fine for late tools");
    expect(end - start).toBeLessThan(400);
  });

  it("is the beginning when there are none, and all of a short text", () => {
    expect(snippetOf(text, "zebra", EN).start).toBe(0);
    expect(snippetOf("«Short.»", "zebra", EN)).toEqual({ start: 0, end: 8 });
    expect(snippetOf("…", "zebra", EN)).toEqual({ start: 0, end: 1 });
  });
});

describe("accepted as text", () => {
  const texts = ["a", "\ufeffArt. 1º", "x\fy\tz\r\n", "👩‍👩‍👧‍👦", "法律", `one \ufffd in a ${"long enough ".repeat(10)}text`];
  test.each(texts)("%j", (text) => expect(textFault(text)).toBeNull());
  const others = ["", " \n\u00a0", "a\0", "\ud800", "%PDF-1.7\u0001\u0002\u0003", "\ufffd\ufffdab"];
  test.each(others)("not %j", (text) => expect(textFault(text)).toMatch(/^\p{Lu}.*\.$/u));
});
