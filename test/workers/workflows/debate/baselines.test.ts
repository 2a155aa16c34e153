/** One agent alone, and a vote of several samples, on the same evidence. */
import { describe, expect, it } from "vitest";
import { debateOf, OPEN } from "../../../support/debate";
import { setUpRuns } from "../../../support/runs";

const { play, send, traceOf } = setUpRuns(debateOf);

describe("baselines", () => {
  it("a single agent answers on the same evidence, in the same form, and its citations are checked", async () => {
    const run = await play({ options: { strategy: "single_agent" } });
    const seen = await traceOf(run);
    expect(seen.actions).toEqual([
      "index_evidence",
      "retrieve",
      "answer_alone",
      "check_citations",
      "write_report",
      "compare_citations",
    ]);
    expect(run.output).toMatchObject({
      stop_reason: "answered",
      rounds: 0,
      winner: null,
      citations: [{ quote_found: true, supported: true }],
    });
  });

  it("an agent that names no choice is asked once more, and then there is no answer", async () => {
    const outside = ["outside_options", "outside_options"];
    const mended = await play({
      options: { strategy: "single_agent" },
      test: { script: { answer_alone: outside.slice(1) } },
    });
    expect(mended.output.stop_reason).toBe("answered");
    const run = await play({ options: { strategy: "single_agent" }, test: { script: { answer_alone: outside } } });
    expect(run.output).toMatchObject({ stop_reason: "invalid", answer: null, confidence: null });
  });

  it("an invented authority counts as wrong in a baseline too", async () => {
    const run = await play({
      options: { strategy: "single_agent" },
      test: { script: { answer_alone: ["cite_invented"] } },
    });
    expect(run.output).toMatchObject({ citations: [], invented_citations: [{ cited_by: ["debater_1"] }] });
    expect((await traceOf(run)).count("check_citations")).toBe(0);
  });

  it("samples vote; confidence is the share of votes", async () => {
    const run = await play({
      options: { strategy: "self_consistency", samples: 4 },
      test: { script: { answer_alone: ["other_option", "outside_options", "ok", "ok"] } },
    });
    const [vote] = await (await traceOf(run)).contents("vote");
    expect(vote).toMatchObject({ invalid: 1, sample: 3, answer: run.output.answer });
    expect(run.output).toMatchObject({ stop_reason: "voted", confidence: 0.5 });
  });

  it("an open question has a single answer, and no vote", async () => {
    const run = await play({ input: OPEN, options: { strategy: "single_agent" } });
    expect(run.output.answer.length).toBeGreaterThan(80);
    const refused = await send(
      "POST",
      "/v1/runs",
      debateOf({ input: OPEN, options: { strategy: "self_consistency" } }),
    );
    expect(refused.status).toBe(422);
  });
});
