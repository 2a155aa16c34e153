import { describe, expect, it } from "vitest";
import { nearness, product, signsOf } from "#retrieval/vector-math";

describe("signs", () => {
  const vector = (seed: number, like?: Float32Array) => {
    let state = seed;
    const chance = () => ((state = (state * 48271) % 2147483647) / 2147483647) * 2 - 1;
    const raw = Float32Array.from({ length: 100 }, (_, at) => chance() + (like ? like[at]! * 20 : 0));
    const length = Math.hypot(...raw);
    return raw.map((value) => value / length);
  };
  const hex = (signs: Uint8Array) => Buffer.from(signs).toString("hex");

  it("tell the product of a vector with plus and minus one", () => {
    const query = vector(1);
    const other = vector(2);
    const expected = other.reduce((sum, value, at) => sum + (value > 0 ? query[at]! : -query[at]!), 0);
    expect(nearness(query)(hex(signsOf(other)))).toBeCloseTo(expected, 4);
    expect(nearness(query)("00")).toBeNull();
  });

  it("rank what is near before what is not, as products do", () => {
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
