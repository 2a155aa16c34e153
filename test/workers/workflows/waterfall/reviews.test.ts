/** A person edits or rejects an artifact of a stage. */
import { describe, expect, it } from "vitest";
import { setUpRuns } from "../../../support/runs";
import { waterfallOf } from "../../../support/waterfall";

const { answer, eventsOf, openInteraction, start, untilCompleted } = setUpRuns(waterfallOf);

describe("reviews", () => {
  it("let a person edit the program, and run the edited program", async () => {
    const id = await start({ options: { clarification: "skip", reviews: ["code"] } });
    const interaction = await openInteraction(id);
    const edited_content = 'export default async function main() { return "written by hand"; }';
    const reply = await answer(interaction, { decision: "approve", edited_content });
    expect(reply.status).toBe(200);
    const run = await untilCompleted(id);
    expect(run.output).toMatchObject({ answer: "written by hand", accepted: true });
    expect(run.output.code.text).toBe(edited_content);
  });

  it("let no program make large events, whatever agent name it calls", async () => {
    const id = await start({ options: { clarification: "skip", reviews: ["code"] } });
    const interaction = await openInteraction(id);
    const edited_content = `export default async function main(agents) {
  try { await agents.call("x".repeat(100_000), "y", null); } catch (error) { return error.message; }
}`;
    await answer(interaction, { decision: "approve", edited_content });
    const run = await untilCompleted(id);
    expect(run.output.answer).toMatch(/^There is no agent "x{99}…"\. Nearest are: /);
    expect(JSON.stringify(await eventsOf(id)).length).toBeLessThan(20_000);
  });

  it("end the run when a person rejects", async () => {
    const id = await start({ options: { clarification: "skip", reviews: ["task_plan"] } });
    const interaction = await openInteraction(id);
    await answer(interaction, { decision: "reject" });
    const run = await untilCompleted(id);
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "rejected_by_human", answer: null });
    expect(run.output.plan.kind).toBe("task_plan");
  });
});
