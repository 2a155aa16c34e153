import { describe, expect, it } from "vitest";
import { z } from "zod";
import { consultationSchema } from "#engine/people/answer-schemas";
import { readAnswer } from "#services/interactions/read-answer";

describe("the schema of a consultation's answer", () => {
  it("may have named parts in its additions, and validates answers", () => {
    const source = z.strictObject({ text: z.string().min(1) }).meta({ id: "Source" });
    const additions = z.strictObject({ evidence: z.array(source).optional(), best: source.optional() });
    const answer_schema = JSON.stringify(consultationSchema({ additions }));
    const read = (body: object) => readAnswer({ kind: "feedback", answer_schema }, { body });
    const body = { decision: "approve", additions: { evidence: [{ text: "a" }], best: { text: "b" } } };
    expect(read(body)).toEqual({ answer: body, answered_by: null });
    expect(read({ decision: "approve", additions: { best: { text: "" } } })).toMatchObject({
      errors: [{ path: "additions.best.text" }],
    });
  });
});
