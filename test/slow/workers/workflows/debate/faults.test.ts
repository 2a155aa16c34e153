/** Faults of models and limits of calls: a debate survives them, or continues after a retry. */
import { describe, expect, it } from "vitest";
import { debateOf } from "../../../../support/debate";
import { setUpRuns } from "../../../../support/runs";

const { runToEnd, start, traceOf, untilCompleted, untilFailed, verb } = setUpRuns(debateOf);

describe("faults during a debate", () => {
  it.each(["rate_limited", "server_error", "timeout", "malformed", "truncated"])(
    "a %s does not fail the run",
    async (fault) => {
      const run = await runToEnd({ test: { faults: { llm: ["ok", "ok", fault] } } });
      expect(run.output.stop_reason).toBe("judged");
    },
  );

  it.each([
    [3, "opening"],
    [6, "rebuttal"],
    [10, "cross_examination"],
    [14, "judgment"],
  ])(
    "a limit of %i calls ends the run in %s; with a higher one it continues, and pays for nothing twice",
    async (most, stage) => {
      const options = { cross_examiner: true, interventions: ["misconception_refutation"] };
      const id = await start({ options, limits: { max_llm_calls: most } });
      const failed = await untilFailed(id);
      expect(failed).toMatchObject({ stage, error: { code: "budget_exceeded" }, usage: { llm_calls: most } });
      const limits = { max_llm_calls: 15 };
      expect((await verb(id, "retry", { limits })).status).toBeLessThan(300);
      const run = await untilCompleted(id);
      expect(run).toMatchObject({ output: { stop_reason: "judged" }, usage: { llm_calls: 15 } });
    },
  );

  it("a refusal fails the run with its reason, and a retry continues", async () => {
    const id = await start({ test: { faults: { llm: ["ok", "refusal"] } } });
    const failed = await untilFailed(id);
    expect(failed.error.code).toMatch(/refus/);
    await verb(id, "retry", {});
    const run = await untilCompleted(id);
    expect((await traceOf(run)).count("answer_briefly")).toBe(3);
  });
});
