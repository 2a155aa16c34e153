/** The form of the answer: text, structure, and calls of the caller's functions. */
import { describe, expect, it } from "vitest";
import { setUpRuns } from "../../../../support/runs";
import { waterfallAlone } from "../../../../support/waterfall";

const { runToEnd } = setUpRuns(waterfallAlone);

describe("the answer", () => {
  it("is text, with answer_json when the program returned structure", async () => {
    const run = await runToEnd({ test: { script: { call_agent: ["json"] } } });
    expect(run.output.answer).toContain("has done it");
    expect(run.output.answer_json).toMatchObject({ answer: run.output.answer, given: expect.any(String) });
  });

  it("has the calls of the caller's functions, with arguments that fit their schema", async () => {
    const functions = [
      {
        name: "book_hotel",
        description: "Books a hotel",
        parameters: {
          type: "object",
          properties: { city: { type: "string" }, nights: { type: "integer", minimum: 2 } },
          required: ["city", "nights"],
        },
      },
    ];
    const run = await runToEnd({ options: { functions } });
    expect(run.output.calls).toEqual([{ name: "book_hotel", arguments: { city: expect.any(String), nights: 2 } }]);
    const alone = await runToEnd({ options: { functions, strategy: "single_agent" } });
    expect(alone.output.calls).toEqual(run.output.calls.map((one: any) => ({ ...one, arguments: expect.anything() })));
  });
});
