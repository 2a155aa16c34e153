import { describe, expect, test } from "vitest";
import { calibratedThreshold, collapseNotes, knownThreshold } from "#workflows/ideation/rules/calibration";
import { CALIBRATION_TEXTS } from "#workflows/ideation/rules/calibration-texts";
import { chance } from "#workflows/ideation/rules/chance";
import { mockVector } from "#llm/mock/mock-vector";

/** An encoder that gives any two texts about this similarity: a shared direction, and a random rest. */
function encoderWith(similarity: number) {
  const random = chance(7, "encoder");
  return CALIBRATION_TEXTS.map(() => {
    const rest = Array.from({ length: 64 }, () => random() - 0.5);
    const length = Math.hypot(...rest);
    return Float32Array.from([
      Math.sqrt(similarity),
      ...rest.map((value) => (value / length) * Math.sqrt(1 - similarity)),
    ]);
  });
}

describe("the threshold of an encoder", () => {
  test("is the paper's for the paper's encoder, under any provider, and must be calibrated for others", () => {
    expect(knownThreshold("local/sentence-transformers/all-MiniLM-L6-v2")).toBe(0.8);
    expect(knownThreshold("mock")).toBe(0.8);
    expect(knownThreshold("openai/text-embedding-3-small")).toBeNull();
    expect(knownThreshold("openai/mock-2")).toBeNull();
  });

  test("lies above what the encoder gives to different ideas, and so follows the encoder", () => {
    const thresholds = [0.3, 0.6, 0.8, 0.9].map((similarity) => calibratedThreshold(encoderWith(similarity)));
    expect(thresholds).toEqual(thresholds.toSorted((one, other) => one - other));
    expect(thresholds[2]).toBeGreaterThan(0.82);
    expect(thresholds[3]).toBeGreaterThan(0.91);
    expect(thresholds.every((threshold) => threshold >= 0.5 && threshold <= 0.98)).toBe(true);
  });

  test("counts pairs of different ideas only, not two wordings of one idea", () => {
    const vectors = CALIBRATION_TEXTS.map((_, index) =>
      Float32Array.from({ length: 4 }, (_value, at) => Number(Math.floor(index / 2) === at)),
    );
    expect(calibratedThreshold(vectors)).toBe(0.5);
  });

  test("has eight texts, two wordings of each of four ideas, that differ", () => {
    expect(new Set(CALIBRATION_TEXTS).size).toBe(8);
    expect(calibratedThreshold(CALIBRATION_TEXTS.map(mockVector))).toBeLessThan(0.98);
  });
});

describe("a share of kept ideas that collapses", () => {
  const measure = { method: "embedding", model: "openai/encoder", threshold: 0.8 } as const;

  test("is noted with the option that mends it", () => {
    expect(collapseNotes(measure, 112, 90)).toEqual([
      expect.stringMatching(/90 were dropped .*`dedup_threshold` higher/),
    ]);
    expect(collapseNotes(measure, 10, 5)).toEqual([]);
    expect(collapseNotes(measure, 5, 4)).toEqual([]);
  });
});
