/**
 * The server is killed with SIGKILL while a generated program runs, and restarted: the program finishes on the same path, and every finished
 * agent call was made exactly once. Only a call in flight during the kill may be repeated.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../support/model";
import { stepOf, planProgram, testPrograms } from "../../support/programs";
import { type Kill, lostCalls, Served, until } from "../../support/served";

const request = {
  workflow: "waterfall",
  input: { requirement: "Say which comes first, and say why it does" },
  options: { clarification: "skip" },
};
let served: Served;
let mocked: Record<string, Answer[]>;
let programs: ReturnType<typeof testPrograms>;
beforeAll(async () => {
  served = await Served.start();
  mocked = await served.planFromMock(request, 50);
  const { data } = await served.api("GET", "/v1/agents?limit=2", served.test_key);
  programs = testPrograms(data[0].name, data[1].name);
});
afterAll(() => served.close());

const agentCalls = async (id: string) => (await served.callsOf(id)).filter((call) => call.step.includes("/execution#"));

describe.each([
  ["five agent calls, two in parallel", "parallel", ["two", "four"]],
  ["Promise.race", "race", ["after the quick one"]],
  ["results pushed in order of completion", "order", ["saw C", "saw C B"]],
] as const)("a program with %s", (_what, name, killedAt) => {
  it("finishes on the same path after each kill, with each agent called exactly once", async () => {
    const program = programs[name];
    await served.plan(planProgram(mocked, program));
    const { id } = await served.api("POST", "/v1/runs", served.live_key, request);

    const kills: Kill[] = [];
    for (const task of killedAt) {
      const step = stepOf(program.calls.find((call) => call.task === task)!);
      await until(`a call of ${task} in flight`, async () =>
        (await served.callsOf(id)).some((call) => call.step === step && call.ended_at === null),
      );
      kills.push(await served.kill());
      await served.up();
    }
    const run = await served.status(id, "completed");
    expect(run.output).toMatchObject({ answer: program.result, accepted: true, executions: 1 });

    const calls = await agentCalls(id);
    const lost = lostCalls(calls, kills);
    expect(lost.length).toBeGreaterThanOrEqual(kills.length);
    const finished = calls.filter((call) => !lost.includes(call)).map((call) => call.step);
    expect(finished.toSorted()).toEqual(program.calls.map(stepOf).toSorted());

    const { data } = await served.api("GET", `/v1/runs/${id}/artifacts?limit=100&kind=agent_result`, served.live_key);
    expect(data.map((artifact: any) => artifact.step).toSorted()).toEqual(program.calls.map(stepOf).toSorted());
  });
});
