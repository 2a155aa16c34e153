/** Judged metrics over HTTP: a judge's calls, with the answers of trials blinded and really swapped. */
import { describe, expect, it } from "vitest";
import { newDataset, questions } from "../../../../support/experiments";
import { callsOf, planModel, replan } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";

const { client, live, runToEnd, contentsOf, send } = setUpRuns((body: object = {}) => ({
  workflow: "experiment",
  ...body,
}));

const judgement = (score_1: number, score_2: number) => ({
  content: JSON.stringify({ evidence: "Answer 1 is brief, answer 2 shows its steps.", score_1, score_2 }),
});

/** Two variants of `plain` whose models answer with their own words, and their experiment. */
async function duel(options: object, judge: Record<string, object[]>, items = questions(1)) {
  const [short, long] = await Promise.all(
    ["SHORT-REPLY", "LONG-REPLY with steps"].map((content) => planModel({ "*": [{ content }] })),
  );
  const judging = await planModel(judge as never);
  const variants = [
    { name: "secret-base", workflow: "plain", options: { form: "text" }, models: short },
    { name: "secret-system", workflow: "plain", options: { form: "text" }, models: long },
  ];
  const id = await live.start({
    input: { dataset_id: await newDataset(client.live, items), variants },
    options,
    models: { ...short, roles: { judge: judging.default } },
  });
  return { id, short: short!, long: long!, judging };
}

const texts = (calls: { request: { messages: { content: string }[] } }[]) =>
  calls.map(({ request }) => request.messages.map(({ content }) => content).join("\n"));

describe("fair_eval", () => {
  it("shows the judge both orders, really swapped, three times each with own seeds, and no names", async () => {
    // The judge likes the first place, and the long reply a little more.
    const { id, short, long } = await duel(
      { metrics: ["fair_eval"] },
      {
        "*": [judgement(8, 6)],
      },
    );
    const run = await live.untilCompleted(id);
    const calls = (await callsOf(id)).filter(({ step }) => step.includes("compare_answers"));
    expect(calls).toHaveLength(6);
    const firstIsLong = texts(calls).map((text) => text.indexOf("LONG-REPLY") < text.indexOf("SHORT-REPLY"));
    expect(firstIsLong.filter(Boolean)).toHaveLength(3);
    expect(new Set(calls.map(({ request }: any) => request.seed))).toHaveLength(6);
    expect(calls.map(({ request }: any) => request.temperature)).toEqual(Array(6).fill(1));
    const seen = texts(calls).join("\n");
    expect(seen).toContain("Which number is 1?");
    for (const name of ["secret-base", "secret-system", "plain", short!.default, long!.default].map((one) =>
      one.split("/").at(-1)!,
    ))
      expect(seen).not.toContain(name);
    // A judge who goes by the place alone makes a tie.
    expect(run.output.results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ variant: "secret-system", measure: "fair_eval.win", mean: 0.5 }),
      ]),
    );
    expect(run.output.document.text).toContain("fair_eval.win");
  });

  it("says who wins by the mean of all scores", async () => {
    const own = { "scoring/compare_answers#fair_eval/secret-system/q1/0/own-first.1": [judgement(9, 3)] };
    const other = { "scoring/compare_answers#fair_eval/secret-system/q1/0/other-first.1": [judgement(4, 6)] };
    const { id } = await duel({ metrics: [{ name: "fair_eval", samples: 1 }] }, { ...own, ...other });
    const run = await live.untilCompleted(id);
    // Own (9 + 6) / 2 = 7.5, other (3 + 4) / 2 = 3.5.
    const of = (measure: string) => run.output.results.filter((one: any) => one.measure === measure);
    expect(of("fair_eval.win").map(({ variant, mean }: any) => [variant, mean])).toEqual([
      ["secret-base", 0.5],
      ["secret-system", 1],
    ]);
    expect(of("fair_eval.score_difference").map(({ mean }: any) => mean)).toEqual([0, 4]);
    expect(run.output.comparisons).toEqual(
      expect.arrayContaining([expect.objectContaining({ measure: "fair_eval.win", difference: 0.5 })]),
    );
  });

  it("counts a judgement that fails as a failure with its reason, and not as a loss", async () => {
    const broken = [{ content: "I cannot say." }];
    const steps = (item: string) =>
      Object.fromEntries(
        ["own-first.1", "other-first.1"].map((part) => [
          `scoring/compare_answers#fair_eval/secret-system/${item}/0/${part}`,
          broken,
        ]),
      );
    const { id } = await duel(
      { metrics: [{ name: "fair_eval", samples: 1 }] },
      { ...steps("q2"), "*": [judgement(7, 7)] },
      questions(2),
    );
    const run = await live.untilCompleted(id);
    expect(run.output.results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ variant: "secret-system", measure: "fair_eval.win", n: 1, mean: 0.5 }),
      ]),
    );
    const [judged] = await live.contentsOf(run, "judgements");
    expect(judged.map(({ item, failure }: any) => [item, failure])).toEqual([
      ["q1", null],
      ["q2", expect.stringContaining("output_invalid")],
    ]);
    expect(run.output.judgements).toEqual([{ metric: "fair_eval", judged: 1, failed: 1 }]);
    expect(run.output.document.text).toMatch(/output\\?_invalid/);
  });

  it("asks for nothing twice when the experiment is retried after a failure of its judge's provider", async () => {
    const { id, judging } = await duel(
      { metrics: [{ name: "fair_eval", samples: 1 }] },
      {
        "scoring/compare_answers#fair_eval/secret-system/q1/0/other-first.1": [
          { status: 400, body: { error: { message: "planned" } } },
        ],
        "*": [judgement(9, 3)],
      },
    );
    await live.untilFailed(id);
    await replan(judging, { "*": [judgement(9, 3)] });
    await live.verb(id, "retry");
    await live.untilCompleted(id);
    const steps = (await callsOf(id)).filter(({ status }) => status === 200).map(({ step }) => step);
    expect(steps.filter((step) => step.includes("compare_answers")).toSorted()).toEqual([
      "scoring/compare_answers#fair_eval/secret-system/q1/0/other-first.1",
      "scoring/compare_answers#fair_eval/secret-system/q1/0/own-first.1",
    ]);
  });
});

describe("judges in test mode", () => {
  it("leave an experiment partial when a limit keeps them from being asked", async () => {
    const dataset_id = await newDataset(client.test, questions(1));
    const variants = ["one", "two"].map((name) => ({ name, workflow: "plain" }));
    const options = { metrics: ["accuracy", { name: "fair_eval", samples: 1 }] };
    const run = await runToEnd({ input: { dataset_id, variants }, options, limits: { max_llm_calls: 3 } });
    expect(run.output).toMatchObject({
      partial: true,
      stop_reason: "limit_reached",
      judgements: [{ metric: "fair_eval", judged: 0, failed: 1 }],
    });
    expect(run.output.results).toEqual(
      expect.arrayContaining([expect.objectContaining({ variant: "two", measure: "accuracy", n: 1 })]),
    );
    expect(run.output.document.text).toContain("a judgement was not made");
  });

  it("grade rubrics, specifications and models", async () => {
    const rubric = [{ text: "Names the question itself.", points: 2 }];
    const graded = await runToEnd({
      input: {
        dataset_id: await newDataset(client.test, [{ ...questions(1)[0]!, gold: { rubric } }]),
        variants: [{ name: "open", workflow: "plain", options: { form: "text" } }],
      },
      options: { metrics: ["rubric"] },
    });
    expect(graded.output.results).toEqual([expect.objectContaining({ measure: "rubric", n: 1 })]);
    expect(graded.usage.llm_calls).toBe(2);

    const model = { entities: [{ name: "Library", type: "actor" }], relations: [] };
    const library = { id: "library", input: { idea: "A library that lends tools to neighbours." }, gold: { model } };
    const specified = await runToEnd({
      input: {
        dataset_id: await newDataset(client.test, [library], "requirements"),
        variants: [{ name: "mare", workflow: "requirements", options: { qa_rounds: 0 } }],
      },
      options: {
        metrics: ["srs_quality", "model_match_judged", { name: "model_match_embedded", threshold: 0.7 }],
      },
    });
    const measures = specified.output.results.map(({ measure }: any) => measure);
    expect(measures).toEqual(expect.arrayContaining(["srs_quality.completeness", "model_match_judged.f1"]));
    expect(measures).toContain("model_match_embedded.f1");
    expect(specified.output.document.text).toContain("`model_match_embedded` version 1 (threshold 0.7)");
  });

  it("compare the ideas of two variants, pair by pair", async () => {
    const topic = { id: "topic", input: { topic: "Ways to ask several models one question" } };
    const ideas = { workflow: "ideation", options: { trials: 1, ideas: 2 } };
    const compared = await runToEnd({
      input: {
        dataset_id: await newDataset(client.test, [topic], "ideation"),
        variants: [
          { ...ideas, name: "one" },
          { ...ideas, name: "two" },
        ],
      },
      options: { metrics: [{ name: "idea_quality", pairs: 2 }] },
    });
    expect(compared.output.results).toEqual(
      expect.arrayContaining([expect.objectContaining({ variant: "two", measure: "idea_quality", n: 1 })]),
    );
    expect((await contentsOf(compared, "idea_comparison")).length).toBeGreaterThan(1);
  });

  it("check whether the rationale of a debate carries the argument that prevailed", async () => {
    const item = { id: "q", input: { question: "Is it so?", choices: (questions(1)[0]!.input as any).choices } };
    const run = await runToEnd({
      input: {
        dataset_id: await newDataset(client.test, [item], "debate"),
        variants: [{ name: "debated", workflow: "debate", options: { rounds: 1, skip_debate_above: 1 } }],
      },
      options: { metrics: ["reasoning_consistency"] },
    });
    expect(run.output.results).toEqual(
      expect.arrayContaining([expect.objectContaining({ measure: "reasoning_consistency", n: 1, mean: 1 })]),
    );
    const [check] = await contentsOf(run, "reasoning_check");
    expect(check.premises).toEqual([
      expect.objectContaining({ party: expect.stringMatching(/^[A-Z]$/), entailed: true }),
    ]);
  });

  it("are refused with an unknown parameter, an unknown rival, and nothing to compare", async () => {
    const dataset_id = await newDataset(client.test, questions(1));
    const variants = [{ name: "only", workflow: "plain" }];
    const errors = async (metrics: unknown[]) => {
      const { body } = await send("POST", "/v1/runs", {
        workflow: "experiment",
        input: { dataset_id, variants },
        options: { metrics },
      });
      return body.errors.map(({ path, code }: any) => [path, code]);
    };
    expect(await errors([{ name: "fair_eval", samples: 0 }])).toEqual([["options.metrics.0.samples", "too_small"]]);
    expect(await errors([{ name: "fair_eval", against: "nobody" }])).toEqual([
      ["options.metrics.0.against", "unknown_variant"],
    ]);
    expect(await errors(["fair_eval"])).toEqual([["options.metrics.0", "custom"]]);
    expect(await errors(["rubric"])).toEqual([["dataset.q1.gold.rubric", "gold_missing"]]);
    expect(await errors([{ name: "accuracy", loud: true }])).toEqual([["options.metrics.0", "custom"]]);
  });
});
