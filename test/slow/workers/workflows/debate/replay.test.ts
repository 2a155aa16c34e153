/** An interrupted debate continues over its stored steps: no call is repeated, and the judge sees the same parties. */
import { beforeAll, describe, expect, it } from "vitest";
import { corpusOf, debateOf } from "../../../../support/debate";
import { callsOf, planFromMock, planModel, replan, until } from "../../../../support/parley";
import { noneInFlight, type Plan } from "../../../../support/plans";
import { setUpRuns } from "../../../../support/runs";

const { client, live, send } = setUpRuns();

let body: ReturnType<typeof debateOf>;
const bodyOn = (corpus: string) =>
  debateOf({
    // Few are shown at first, so that every round can request more.
    input: { evidence: [], corpus_ids: [corpus] },
    options: { debaters: 3, rounds: 3, top_k: 2, cross_examiner: true, interventions: ["misconception_refutation"] },
  });
let plan: Plan;
beforeAll(async () => {
  body = bodyOn(await corpusOf(live.send));
  plan = await planFromMock(client, bodyOn(await corpusOf(send)));
});

const stepsOf = async (id: string) => (await callsOf(id)).map(({ step }) => step);

/** The slow call holds the run where it is to be interrupted. */
async function begin(slow: string) {
  const models = await planModel({ ...plan, [slow]: [{ ...plan[slow]![0]!, delay_ms: 1500 }] });
  const id = await live.start({ ...body, models });
  await until(`${slow} in flight`, async () => (await stepsOf(id)).includes(slow));
  return { id, models };
}

const PLACES = [
  "opening/write_opening#round_1.debater_2",
  "rebuttal/request_snippet#round_2.debater_1",
  "rebuttal/write_rebuttal#round_3.debater_3",
  "cross_examination/answer_question#debater_2",
  "judgment/check_citations#1",
  "judgment/judge_debate#1",
];

describe.each(PLACES)("interrupted at %s", (place) => {
  it("by a pause: every step is called once", async () => {
    const { id } = await begin(place);
    await live.verb(id, "pause");
    await noneInFlight(id);
    await live.verb(id, "resume");
    const run = await live.untilCompleted(id);
    const steps = await stepsOf(id);
    expect(steps.toSorted()).toEqual([...new Set(steps)].toSorted());
    expect(steps.toSorted()).toEqual(Object.keys(plan).toSorted());
    expect(run.output).toMatchObject({ stop_reason: "judged", rounds: 3 });
  });

  it("by a cancel and a retry: no stored step is called again", async () => {
    const { id, models } = await begin(place);
    await live.verb(id, "cancel");
    const stored = (await live.traceOf(id)).artifacts.filter(({ model }) => model !== null).map(({ step }) => step);
    await replan(models, plan);
    await live.verb(id, "retry", {});
    await live.untilCompleted(id);
    const steps = await stepsOf(id);
    for (const step of stored) expect(steps.filter((one) => one === step)).toHaveLength(1);
    const { artifacts } = await live.traceOf(id);
    expect(
      artifacts
        .filter(({ model }) => model !== null)
        .map(({ step }) => step)
        .toSorted(),
    ).toEqual(Object.keys(plan).toSorted());
  });
});

it("a judge that fails and is asked again sees the same case under the same letters", async () => {
  const judge = "judgment/judge_debate#1";
  const models = await planModel({ ...plan, [judge]: [{ status: 401, body: { error: { message: "no such key" } } }] });
  const id = await live.start({ ...body, models });
  await live.untilFailed(id);
  await replan(models, plan);
  await live.verb(id, "retry", {});
  await live.untilCompleted(id);
  const prompts = (await callsOf(id)).filter(({ step }) => step === judge).map(({ request }) => request.messages);
  expect(prompts).toHaveLength(2);
  expect(prompts[1]).toEqual(prompts[0]);
});
