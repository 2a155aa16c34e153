import { describe, expect, it } from "vitest";
import { packVectors, unpackVectors } from "#engine/calls/packed-vectors";
import { cosine } from "#workflow-kit/vectors";

describe("vectors", () => {
  it("are unpacked bit for bit", () => {
    const vectors = [Float32Array.of(0.1, -0.2, 1e-9), Float32Array.of(1, 0, -1)];
    expect(unpackVectors(packVectors("mock", vectors))).toEqual(vectors);
    expect(unpackVectors(packVectors("mock", []))).toEqual([]);
  });

  it("have the cosine of the angle between them", () => {
    expect(cosine(Float32Array.of(1, 0), Float32Array.of(0, 1))).toBe(0);
    expect(cosine(Float32Array.of(0.6, 0.8), Float32Array.of(0.6, 0.8))).toBeCloseTo(1);
  });
});
