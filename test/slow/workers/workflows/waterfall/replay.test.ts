/** A generated program that is interrupted finishes on the same path, and no answered agent is called again. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../../../support/model";
import { callsOf, planFromMock, planModel, replan, until } from "../../../../support/parley";
import type { Plan } from "../../../../support/plans";
import { stepOf, planProgram, type TestProgram, testPrograms } from "../../../../support/programs";
import { setUpRuns } from "../../../../support/runs";

const { client, live, send } = setUpRuns();

const body = {
  workflow: "waterfall",
  input: { requirement: "Say which comes first, and say why it does" },
  options: { clarification: "skip" },
};
let mocked: Plan;
let programs: ReturnType<typeof testPrograms>;
beforeAll(async () => {
  mocked = await planFromMock(client, body);
  const { data } = (await send("GET", "/v1/agents?limit=2")).body;
  programs = testPrograms(data[0].name, data[1].name);
});

const agentCalls = async (id: string) => (await callsOf(id)).filter((one) => one.step.includes("/execution#"));
const inFlight = (id: string, program: TestProgram, task: string) => {
  const step = stepOf(program.calls.find((one) => one.task === task)!);
  return until(`a call of ${task} in flight`, async () =>
    (await callsOf(id)).some((one) => one.step === step && one.ended_at === null),
  );
};
const stored = async (id: string) =>
  (await live.artifactsOf(id)).filter((one) => one.kind === "agent_result").map((one) => one.step);

async function begin(program: TestProgram) {
  const plan = planProgram(mocked, program);
  const models = await planModel(plan);
  return { id: await live.start({ ...body, models }), models, plan };
}

const INTERRUPTED = [
  ["five calls, two in parallel", "parallel", "two"],
  ["a race", "race", "after the quick one"],
  ["results in order of completion", "order", "saw C"],
] as const;

describe.each(INTERRUPTED)("a program with %s", (_what, name, task) => {
  it("is paused in the middle and resumed: each agent is called once", async () => {
    const program = programs[name];
    const { id } = await begin(program);
    await inFlight(id, program, task);
    expect((await live.verb(id, "pause")).body.status).toBe("paused");
    await until("the calls in flight end", async () => (await agentCalls(id)).every((one) => one.ended_at !== null));
    const before = (await agentCalls(id)).length;
    expect(before).toBeLessThan(program.calls.length);
    await live.verb(id, "resume");
    const run = await live.untilCompleted(id);
    expect(run.output).toMatchObject({ answer: program.result, executions: 1, accepted: true });
    const steps = (await agentCalls(id)).map((one) => one.step);
    expect(steps.toSorted()).toEqual(program.calls.map(stepOf).toSorted());
  });

  it("is canceled in the middle and retried: no stored step is called again", async () => {
    const program = programs[name];
    const { id, models, plan } = await begin(program);
    await inFlight(id, program, task);
    await live.verb(id, "cancel");
    const kept = await stored(id);
    expect(kept.length).toBeGreaterThan(0);
    // Without the committed order, the call that lost the race before the interruption would win now.
    const hasty = Object.entries(plan).map(([step, answers]) => [
      step,
      answers.map((one) => ({ ...one, delay_ms: 0 })),
    ]);
    await replan(models, Object.fromEntries(hasty));
    await live.verb(id, "retry", {});
    const run = await live.untilCompleted(id);
    const steps = (await agentCalls(id)).map((one) => one.step);
    for (const step of kept) expect(steps.filter((one) => one === step)).toHaveLength(1);
    if (name === "order") expect(run.output.answer).toMatch(/^C then /);
    else {
      expect(run.output.answer).toBe(program.result);
      expect(new Set(steps)).toEqual(new Set(program.calls.map(stepOf)));
    }
  });
});

it("numbers the outcomes of an execution without a gap", async () => {
  const { id } = await begin(programs.order);
  await live.untilCompleted(id);
  const log = (await live.artifactsOf(id)).find((one) => one.kind === "execution_log");
  const content = await live.contentOf(id, log);
  expect(content.agent_calls.map((one: any) => [one.completed_seq, one.task])).toEqual(
    ["c", "saw C", "b", "saw C B", "a", "saw C B A"].map((task, index) => [index + 1, task]),
  );
});

describe("failures that a program does not see, and those that it can catch", () => {
  const catching: TestProgram = {
    source: `export default async function main(agents) {
  try {
    return await agents.call("NAME", "do it", null);
  } catch (error) {
    return "caught: " + error.message;
  }
}`,
    calls: [],
    result: "",
  };
  const asking = (answers: Answer[]) => {
    const agent = programs.race.calls[0]!.agent;
    const program = { ...catching, source: catching.source.replace('"NAME"', JSON.stringify(agent)) };
    const step = stepOf({ agent, task: "do it", input: null });
    return { step, plan: { ...planProgram(mocked, program), [step]: answers } };
  };

  it("a provider that keeps failing fails the run, and a retry continues from there", async () => {
    const { step, plan } = asking([{ status: 401, body: { error: { message: "no such key" } } }]);
    const models = await planModel(plan);
    const id = await live.start({ ...body, models });
    expect((await live.untilFailed(id)).error.code).toBe("provider_refused_request");
    await replan(models, { ...plan, [step]: [{ content: "done" }] });
    await live.verb(id, "retry", {});
    expect((await live.untilCompleted(id)).output.answer).toBe("done");
    expect((await callsOf(id)).filter((one) => one.step === "implementation/generate_code#1")).toHaveLength(1);
  });

  it("an exhausted budget fails the run, and a higher one continues it", async () => {
    const { plan } = asking([{ content: "done" }]);
    const models = await planModel(plan);
    const before = Object.keys(mocked).filter((step) => !/execution#|verify_response/.test(step)).length;
    const id = await live.start({ ...body, models, limits: { max_llm_calls: before } });
    expect((await live.untilFailed(id)).error.code).toBe("budget_exceeded");
    await live.verb(id, "retry", { limits: { max_llm_calls: 100 } });
    expect((await live.untilCompleted(id)).output.answer).toBe("done");
  });

  it("an agent whose input exceeds its model's context is an outcome that the program can catch", async () => {
    const message = "This model's maximum context length is 8192 tokens, and your messages have 90000.";
    const { plan } = asking([{ status: 400, body: { error: { message, code: "context_length_exceeded" } } }]);
    const id = await live.start({ ...body, models: await planModel(plan) });
    const run = await live.untilCompleted(id);
    expect(run.output.answer).toMatch(/^caught: .* gave no usable answer\. .*maximum context length is 8192 tokens/);
  });

  it("an agent that refuses is an outcome that the program can catch", async () => {
    const { plan } = asking([{ content: "CANNOT: I do not know how." }]);
    const id = await live.start({ ...body, models: await planModel(plan) });
    const run = await live.untilCompleted(id);
    expect(run.output.answer).toMatch(/^caught: .* cannot do this: I do not know how\.$/);
  });
});
