import { describe, expect, test } from "vitest";
import { consistency, consistencyRate } from "#workflow-kit/statistics/consistency";

describe("consistency", () => {
  const embedder = {
    model: "vectors-1",
    embed: async (texts: readonly string[]) => texts.map((text) => [Number(/yes/.test(text)), Number(/no/.test(text))]),
  };
  const entailer = {
    model: "nli-1",
    entails: async (premise: string, hypothesis: string) => premise.includes(hypothesis),
  };
  const ending = {
    rationale: "yes: the offer stood",
    arguments: [
      { debater: "debater_1", text: "yes", main_premise: "the offer stood" },
      { debater: "debater_2", text: "no", main_premise: "the offer lapsed" },
    ],
  };

  test("compares the rationale with each side, asks whether it entails the premise of the side that prevailed, and names the models", async () => {
    expect(await consistency({ ...ending, prevailed: ["debater_1"] }, embedder, entailer)).toEqual({
      similarity: { debater_1: 1, debater_2: 0 },
      entailed: { debater_1: true, debater_2: false },
      consistent: true,
      embedding_model: "vectors-1",
      entailment_model: "nli-1",
    });
    expect((await consistency({ ...ending, prevailed: ["debater_2"] }, embedder, entailer)).consistent).toBe(false);
    expect((await consistency({ ...ending, prevailed: [] }, embedder, entailer)).consistent).toBeNull();
  });

  test("its rate omits debates in which no side prevailed", () => {
    expect(consistencyRate([{ consistent: true }, { consistent: false }, { consistent: null }])).toBe(0.5);
    expect(consistencyRate([{ consistent: null }])).toBeNull();
  });
});
