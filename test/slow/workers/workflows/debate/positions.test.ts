/** The debaters' positions, for a question with choices and for an open one. */
import { describe, expect, it } from "vitest";
import { debateOf, OPEN, QUESTION } from "../../../../support/debate";
import { setUpRuns } from "../../../../support/runs";

const { runToEnd, send, traceOf } = setUpRuns(debateOf);

describe("positions", () => {
  const labelsOf = async (run: { id: string }) =>
    (await (await traceOf(run)).contents("position_assignment"))[0].positions.map((one: any) => one.label);

  it("every option has its debater", async () => {
    const run = await runToEnd({ options: { positions: "all_options", rounds: 1 } });
    expect(await labelsOf(run)).toEqual(["A", "B", "C", "D"]);
    expect((await traceOf(run)).count("rank_options")).toBe(0);
  });

  it("of more than six options the six most probable have a debater", async () => {
    const choices = Array.from({ length: 9 }, (_, index) => ({
      label: String(index + 1),
      text: `Reading number ${index}`,
    }));
    const run = await runToEnd({ input: { choices }, options: { positions: "all_options", rounds: 1 } });
    expect(await labelsOf(run)).toHaveLength(6);
  });

  it("the caller may list them, by label or text", async () => {
    const run = await runToEnd({ options: { positions: ["D", QUESTION.choices[1]!.text], rounds: 1 } });
    expect(await labelsOf(run)).toEqual(["D", "B"]);
  });

  it("free: each debater chooses, and no two have the same", async () => {
    const run = await runToEnd({ options: { positions: "free", debaters: 3, rounds: 1 } });
    expect(new Set(await labelsOf(run)).size).toBe(3);
    expect((await traceOf(run)).count("choose_option")).toBe(3);
  });

  it("never more debaters than choices", async () => {
    const run = await runToEnd({
      input: { choices: QUESTION.choices.slice(0, 2) },
      options: { debaters: 6, rounds: 1 },
    });
    expect(await labelsOf(run)).toHaveLength(2);
  });

  it("that do not fit the question are refused before any call is made", async () => {
    const { status, body } = await send("POST", "/v1/runs", debateOf({ options: { positions: ["A", "Z"] } }));
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { path: "options.positions.1", code: "custom", message: "No choice has this label; the labels are A, B, C, D." },
    ]);
  });
});

describe("an open question", () => {
  it.each([
    ["ranked", ["frame_positions"]],
    ["free", ["propose_framing", "propose_framing", "frame_positions"]],
    [["The firm offer stands.", "The offer was revoked."], []],
  ])("is framed (%j), debated, and answered by a synthesis", async (positions, framing) => {
    const run = await runToEnd({ input: OPEN, options: { positions } });
    const seen = await traceOf(run);
    expect(seen.actions.filter((one) => /fram/.test(one))).toEqual(framing);
    const [assigned] = await seen.contents("position_assignment");
    expect(assigned.positions.map((one: any) => one.label).toSorted()).toEqual(["P1", "P2"]);
    expect(run.output.answer.length).toBeGreaterThan(80);
    expect(run.output).toMatchObject({ stop_reason: "judged", winner: expect.stringMatching(/^debater_/) });
    expect(run.output.report.text).toContain(run.output.answer.split("\n")[0]);
  });
});
