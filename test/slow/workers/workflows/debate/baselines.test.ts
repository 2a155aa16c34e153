/** One agent alone, and a vote of several samples, on the same evidence. */
import { describe, expect, it } from "vitest";
import { debateOf, OPEN } from "../../../../support/debate";
import { callsOf, planFromMock, planModel } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";

const { client, live, runToEnd, send, traceOf } = setUpRuns(debateOf);

describe("baselines", () => {
  it("a single agent answers on the same evidence, in the same form, and its citations are checked", async () => {
    const run = await runToEnd({ options: { strategy: "single_agent" } });
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
    const mended = await runToEnd({
      options: { strategy: "single_agent" },
      test: { script: { answer_alone: outside.slice(1) } },
    });
    expect(mended.output.stop_reason).toBe("answered");
    const run = await runToEnd({ options: { strategy: "single_agent" }, test: { script: { answer_alone: outside } } });
    expect(run.output).toMatchObject({ stop_reason: "invalid", answer: null, confidence: null });
  });

  it("an invented authority counts as wrong in a baseline too", async () => {
    const run = await runToEnd({
      options: { strategy: "single_agent" },
      test: { script: { answer_alone: ["cite_invented"] } },
    });
    expect(run.output).toMatchObject({ citations: [], invented_citations: [{ cited_by: ["debater_1"] }] });
    expect((await traceOf(run)).count("check_citations")).toBe(0);
  });

  it("samples vote; confidence is the share of votes", async () => {
    const run = await runToEnd({
      options: { strategy: "self_consistency", samples: 4 },
      test: { script: { answer_alone: ["other_option", "outside_options", "ok", "ok"] } },
    });
    const [vote] = await (await traceOf(run)).contents("vote");
    expect(vote).toMatchObject({ invalid: 1, sample: 3, answer: run.output.answer });
    expect(run.output).toMatchObject({ stop_reason: "voted", confidence: 0.5 });
  });

  it("an open question has a single answer, and no vote", async () => {
    const run = await runToEnd({ input: OPEN, options: { strategy: "single_agent" } });
    expect(run.output.answer.length).toBeGreaterThan(80);
    const refused = await send(
      "POST",
      "/v1/runs",
      debateOf({ input: OPEN, options: { strategy: "self_consistency" } }),
    );
    expect(refused.status).toBe(422);
  });

  it("each sample has a seed of its own: with the run's seed alone all votes would be one vote", async () => {
    const body = debateOf({ options: { strategy: "self_consistency", samples: 4 } });
    const models = { ...(await planModel(await planFromMock(client, body))), seed: 7 };
    const seedsOf = async () => {
      const id = await live.start({ ...body, models });
      await live.untilCompleted(id);
      const asked = (await callsOf(id)).filter(({ step }) => /answer_alone/.test(step));
      return asked
        .toSorted((one, other) => one.step.localeCompare(other.step))
        .map(({ request }) => (request as { seed?: number }).seed);
    };
    const first = await seedsOf();
    expect(first.every((seed) => typeof seed === "number")).toBe(true);
    expect(new Set(first).size).toBe(4);
    expect(await seedsOf()).toEqual(first);
  });

  it("the report names the model that answered, not that of the first debater", async () => {
    const body = debateOf({ options: { strategy: "single_agent" } });
    const model = await planModel(await planFromMock(client, body));
    const roles = { debater_1: (await planModel({})).default };
    const id = await live.start({ ...body, models: { ...model, roles } });
    const { output } = await live.untilCompleted(id);
    expect(output.report.text).toContain(`Models: ${model.default.replaceAll("_", "\\_")}`);
    expect(output.report.text).not.toContain(roles.debater_1.replaceAll("_", "\\_"));
  });
});
