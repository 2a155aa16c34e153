/** Unclear points of a request: a person is asked, answers are inferred, or the request is used unchanged. */
import { describe, expect, it } from "vitest";
import { expire, setUpRuns } from "../../../../support/runs";
import { waterfallOf } from "../../../../support/waterfall";

const { actionsOf, answer, contentsOf, openInteraction, runToEnd, start, untilCompleted } = setUpRuns(waterfallOf);

describe("clarification", () => {
  it("asks a person by default, and infers missing answers, marked as inferred", async () => {
    const id = await start();
    const interaction = await openInteraction(id);
    expect(interaction.questions.map((question: any) => question.dimension)).toEqual(["purpose", "type", "condition"]);
    const [first] = interaction.questions;
    const answered = await answer(interaction, {
      answers: { [first.id]: "A honeymoon with two children" },
      comment: "No museums",
      answered_by: "Ada",
    });
    expect(answered.status).toBe(200);
    const run = await untilCompleted(id);
    const logs = await contentsOf(run, "user_log");
    expect(logs.at(-1).entries.map((entry: any) => entry.source)).toEqual(["user", "inferred", "inferred"]);
    expect(logs.at(-1)).toMatchObject({ comment: "No museums" });
    const [refined] = await contentsOf(run, "refined_requirement");
    expect(refined.refined_requirement).toContain("A honeymoon with two children");
    expect(refined.inferred_answers).toHaveLength(2);
    expect(run.output.gherkin.text).toContain("honeymoon");
  });

  it("infers all answers when a person leaves all questions empty", async () => {
    const id = await start();
    const interaction = await openInteraction(id);
    await answer(interaction, { answers: {} });
    const run = await untilCompleted(id);
    const [, , log] = await contentsOf(run, "user_log");
    expect(log.entries.every((entry: any) => entry.source === "inferred")).toBe(true);
  });

  it("infers all answers when nobody answers in time", async () => {
    const id = await start();
    const interaction = await openInteraction(id);
    await expire(interaction);
    const run = await untilCompleted(id);
    expect((await contentsOf(run, "user_log")).at(-1).entries.map((entry: any) => entry.source)).toEqual(
      Array.from({ length: 3 }, () => "inferred"),
    );
    expect(run.output.accepted).toBe(true);
  });

  it("uses a clear request unchanged", async () => {
    const run = await runToEnd({ test: { script: { ask_clarifications: ["none"] } } });
    expect(await actionsOf(run)).not.toContain("optimize_requirement");
    expect(run.output.accepted).toBe(true);
  });

  it("asks nothing under skip", async () => {
    const actions = await actionsOf(await runToEnd({ options: { clarification: "skip" } }));
    expect(actions).not.toContain("ask_clarifications");
  });
});
