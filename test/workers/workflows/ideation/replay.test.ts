/** A run that failed continues from there. */
import { describe, expect, it } from "vitest";
import { ideationOf, planOfIdeation } from "../../../support/ideation";
import { callsOf, planModel, replan } from "../../../support/parley";
import { setUpRuns } from "../../../support/runs";

const { client, live } = setUpRuns(ideationOf);

describe("a run that fails in the middle of its dialogues", () => {
  it("continues from there on retry: no answered call is repeated", async () => {
    const body = ideationOf({ options: { preset: "parallel_2", trials: 3, ideas: 2, expand: "none" } });
    const plan = await planOfIdeation(client, body);
    const broken = "dialogue/critique_ideas#parallel_2.t2.p1.r1.c1";
    const models = await planModel({ ...plan, [broken]: [{ status: 400, body: { error: { message: "no" } } }] });
    const id = await live.start({ ...body, models });
    await live.untilFailed(id);
    await replan(models, plan);
    expect((await live.verb(id, "retry")).status).toBe(200);
    const run = await live.untilCompleted(id);
    expect(run.output.ideas).toHaveLength(6);
    const answered = (await callsOf(id)).filter(({ status }) => status === 200).map(({ step }) => step);
    expect(new Set(answered).size).toBe(answered.length);
    expect(answered.filter((step) => step.startsWith("dialogue/"))).toHaveLength(12);
  });
});
