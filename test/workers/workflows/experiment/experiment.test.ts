/** Experiments over HTTP in test mode: variants are run on the items of a data set, scored and compared. */
import { describe, expect, it } from "vitest";
import { newDataset, questions, trialsOf } from "../../../support/experiments";
import { call, callsOf, makeTenant, planModel, runWithStatus } from "../../../support/parley";
import { rowOf, setUpRuns } from "../../../support/runs";
import { workflows } from "#workflows/index";

const { client, live, runToEnd, send, verb, artifactsOf, contentsOf, start, untilStatus } = setUpRuns(
  (body: object = {}) => ({
    workflow: "experiment",
    ...body,
  }),
);

const VARIANTS = [
  { name: "one-call", workflow: "plain" },
  { name: "open", workflow: "plain", options: { form: "text" } },
];

describe("an experiment", () => {
  it("runs each variant on each item, scores the answers, compares the variants and reports", async () => {
    const dataset_id = await newDataset(client.test, questions(12));
    const run = await runToEnd({
      input: { title: "Two forms", dataset_id, variants: VARIANTS },
      options: { repetitions: 2 },
    });
    expect(workflows.experiment.output.safeParse(run.output).error).toBeUndefined();
    expect(run.output).toMatchObject({
      trials: { planned: 48, completed: 48, failed: 0, left_out: 0, reused: 0 },
      partial: false,
      stop_reason: "analysed",
    });
    expect(run.children).toMatchObject({ total: 48, completed: 48 });
    expect(run.output.results).toEqual([
      { variant: "one-call", measure: "accuracy", n: 12, mean: 1, low: expect.closeTo(0.757505993345, 9), high: 1 },
      { variant: "open", measure: "accuracy", n: 12, mean: 0, low: 0, high: expect.closeTo(0.242494006655, 9) },
    ]);
    expect(run.output.comparisons).toEqual([
      expect.objectContaining({ system: "open", baseline: "one-call", difference: -1, n: 12, verdict: "worse" }),
    ]);
    expect(run.output.usage.map(({ variant, paid }: any) => [variant, paid.llm_calls])).toEqual([
      ["one-call", 24],
      ["open", 24],
    ]);
    expect(run.output.document.text).toContain("Two forms");
    expect(run.output.documents.csv.text.trim().split("\n")).toHaveLength(49);
    expect(run.output.documents.ndjson.text.trim().split("\n")).toHaveLength(48);
    const [chunk] = await contentsOf(run, "trial_results");
    expect(chunk).toHaveLength(48);
    expect(chunk[0]).toMatchObject({ variant: "one-call", item: "q1", repetition: 0, scores: { accuracy: 1 } });
    const kinds = new Set((await artifactsOf(run)).map(({ kind }) => kind));
    expect(kinds).toContain("analysis");
  });

  it("runs a random sample, passes errors and latency of the mock model on to its trials, and tells its own run in the report", async () => {
    const dataset_id = await newDataset(client.test, questions(12));
    const run = await runToEnd({
      input: { dataset_id, variants: VARIANTS, sample: { size: 3, seed: 4 } },
      test: { latency_ms: 5, faults: { llm: ["refusal", "refusal", "refusal"] } },
      options: { on_failure: { retries: 0 } },
    });
    expect(run.output.trials).toMatchObject({ planned: 6, completed: 0, failed: 6 });
    const trials = await trialsOf(client.test, run.id);
    expect(trials.map(({ id }) => id)).toHaveLength(6);
    const first = await call("GET", `/v1/runs/${trials[0].id}`, { key: client.test });
    expect(first.body.test).toEqual({ latency_ms: 5, faults: { llm: ["refusal", "refusal", "refusal"] } });
    const report = run.output.document.text;
    expect(report).toContain("3 of 12 items, drawn at random with seed 4");
    expect(report).toContain(
      `Run: \`${run.id}\`, created ${run.created_at}, mode test; experiment version 1, code version`,
    );
    expect(report).toMatch(/\| `open` \| `plain` version 1 \|/u);
  });

  it("finds which of two models is right, and no prompt holds gold or tags", async () => {
    const items = questions(8).map((item) => ({
      ...item,
      gold: { ...item.gold, reference: `PLANTED-GOLD ${item.id}`, rubric: [{ text: "PLANTED-RUBRIC", points: 1 }] },
      tags: ["PLANTED-TAG"],
    }));
    const models = await Promise.all(["A", "B"].map((label) => planModel({ "*": [{ content: `Answer: ${label}` }] })));
    const variants = ["right", "wrong"].map((name, index) => ({ name, workflow: "plain", models: models[index] }));
    const run = await live.runToEnd({
      input: { dataset_id: await newDataset(client.live, items), variants },
      options: { metrics: ["accuracy"], compare: [["right", "wrong"]] },
      models: models[0],
    });
    expect(run.output.results.map(({ variant, mean }: any) => [variant, mean])).toEqual([
      ["right", 1],
      ["wrong", 0],
    ]);
    expect(run.output.comparisons).toEqual([
      expect.objectContaining({ system: "right", baseline: "wrong", difference: 1, verdict: "better" }),
    ]);
    const calls = (await Promise.all((await trialsOf(client.live, run.id)).map(({ id }) => callsOf(id)))).flat();
    expect(calls).toHaveLength(16);
    const seen = JSON.stringify(calls.map(({ request }) => request));
    expect(seen).toContain("Which number is 8?");
    expect(seen).not.toMatch(/PLANTED/);
  });

  it("has its limits met: analyses the trials that were run, and says that it is partial", async () => {
    const dataset_id = await newDataset(client.test, questions(10));
    const input = { dataset_id, variants: VARIANTS };
    const run = await runToEnd({ input, options: { concurrency: 1 }, limits: { max_llm_calls: 8 } });
    expect(run.output).toMatchObject({ partial: true, stop_reason: "limit_reached" });
    expect(run.output.trials).toMatchObject({ planned: 20, completed: 8, failed: 0 });
    expect(run.output.results.map(({ variant, n }: any) => [variant, n])).toEqual([
      ["one-call", 4],
      ["open", 4],
    ]);
    expect(run.output.document.text).toContain("not run");
    // None of them is tried again: the limit stays met.
    const epochs = await Promise.all((await trialsOf(client.test, run.id)).map((trial) => rowOf(trial)));
    expect(new Set(epochs.map(({ epoch }) => epoch))).toEqual(new Set([1]));
  });

  it("counts a trial that fails as wrong, or leaves it out, after as many retries as were asked for", async () => {
    const models = await planModel({ "*": [{ status: 400, body: { error: { message: "planned" } } }] });
    const good = await planModel({ "*": [{ content: "Answer: A" }] });
    const variants = [
      { name: "good", workflow: "plain", models: good },
      { name: "bad", workflow: "plain", models },
    ];
    const dataset_id = await newDataset(client.live, questions(3));
    const body = (then: string) => ({
      input: { dataset_id, variants },
      // oxlint-disable-next-line no-thenable -- a name
      options: { on_failure: { retries: 2, then } },
      models: good,
    });
    const wrong = await live.runToEnd(body("count_as_wrong"));
    expect(wrong.output.trials).toMatchObject({ completed: 3, failed: 3, left_out: 0 });
    expect(wrong.output.results.map(({ variant, n, mean }: any) => [variant, n, mean])).toEqual([
      ["good", 3, 1],
      ["bad", 3, 0],
    ]);
    const failed = (await trialsOf(client.live, wrong.id)).filter(({ status }) => status === "failed");
    expect(await Promise.all(failed.map(async (trial) => (await rowOf(trial)).epoch))).toEqual([3, 3, 3]);
    const left = await live.runToEnd(body("leave_out"));
    expect(left.output.trials).toMatchObject({ completed: 3, failed: 3, left_out: 3 });
    expect(left.output.results.map(({ variant }: any) => variant)).toEqual(["good"]);
  });

  it("reuses equal trials of earlier experiments, and pays for none of them again", async () => {
    const dataset_id = await newDataset(client.test, questions(5));
    const options = { repetitions: 2 };
    const models = { seed: 7 };
    const first = await runToEnd({ input: { dataset_id, variants: VARIANTS }, options, models });
    const again = (changes: object) =>
      runToEnd({ input: { dataset_id, variants: VARIANTS }, options: { ...options, reuse: true }, models, ...changes });

    const second = await again({});
    expect(second.output.trials).toMatchObject({ planned: 20, completed: 20, reused: 20 });
    expect(second.output.results).toEqual(first.output.results);
    expect(second.children).toBeNull();
    expect(second.usage.llm_calls).toBe(0);
    expect(second.output.usage[0]).toMatchObject({ paid: { llm_calls: 0 }, reused: { llm_calls: 10 } });

    // A third repetition, and a variant under another name with the same request.
    const renamed = [{ ...VARIANTS[0]!, name: "renamed" }];
    const third = await again({
      input: { dataset_id, variants: renamed },
      options: { repetitions: 3, reuse: true },
    });
    expect(third.output.trials).toMatchObject({ planned: 15, completed: 15, reused: 10 });

    const otherSeed = await again({ models: { seed: 8 } });
    expect(otherSeed.output.trials).toMatchObject({ completed: 20, reused: 0 });

    const stranger = await makeTenant();
    const input = { dataset_id: await newDataset(stranger.test, questions(5)), variants: VARIANTS };
    const body = { workflow: "experiment", input, options: { ...options, reuse: true }, models };
    const { id } = (await call("POST", "/v1/runs", { key: stranger.test, body })).body;
    const theirs = await runWithStatus(stranger.test, id, "completed");
    expect(theirs.output.trials).toMatchObject({ completed: 20, reused: 0 });
  });

  it("reads the artifacts that a metric needs, of its own trials and of reused ones", async () => {
    const item = {
      id: "library",
      input: { idea: "A library that lends tools to neighbours." },
      gold: { model: { entities: [{ name: "Nothing of the kind", type: "actor" }], relations: [] } },
    };
    const input = {
      dataset_id: await newDataset(client.test, [item], "requirements"),
      variants: [{ name: "mare", workflow: "requirements", options: { qa_rounds: 0 } }],
    };
    const options = { metrics: ["model_match"], reuse: true };
    const first = await runToEnd({ input, options });
    const found = first.output.results.find(({ measure }: any) => measure === "model_match.precision");
    expect(found).toMatchObject({ variant: "mare", n: 1, mean: 0 }); // null, and no result, if the model were not read
    const second = await runToEnd({ input, options });
    expect(second.output.trials).toMatchObject({ reused: 1 });
    expect(second.output.results).toEqual(first.output.results);
  });

  it("is canceled with its trials, and a retry runs those that were not finished", async () => {
    const dataset_id = await newDataset(client.test, questions(6));
    const id = await start({ input: { dataset_id, variants: VARIANTS }, options: { concurrency: 1 } });
    await untilStatus(id, "running");
    expect((await verb(id, "pause")).status).toBe(200);
    expect((await verb(id, "resume")).status).toBe(200);
    expect((await verb(id, "cancel")).body).toMatchObject({ status: "canceled" });
    const trials = await trialsOf(client.test, id);
    expect(trials.every(({ status }) => ["completed", "canceled"].includes(status))).toBe(true);
    expect((await verb(id, "retry")).status).toBe(200);
    const run = await untilStatus(id, "completed");
    expect(run.output.trials).toMatchObject({ planned: 12, completed: 12 });
    expect(await trialsOf(client.test, id)).toHaveLength(12);
  });
});

describe("a request for an experiment", () => {
  const refused = async (body: object) => {
    const reply = await send("POST", "/v1/runs", { workflow: "experiment", ...body });
    expect(reply.status).toBe(422);
    return reply.body.errors.map(({ path, code }: any) => [path, code]);
  };

  it("is refused with all its errors, each with its item and its path", async () => {
    const items = questions(3);
    const dataset_id = await newDataset(client.test, [{ ...items[0]!, gold: {} }, items[1]!, items[2]!]);
    const errors = await refused({
      input: {
        dataset_id,
        items: ["q1", "q2", "q9"],
        variants: [
          { name: "plain", workflow: "plain", options: { form: "song" } },
          { name: "ideas", workflow: "ideation" },
        ],
      },
      options: { metrics: ["accuracy", "nothing"], compare: [["plain", "other"]] },
    });
    expect(errors).toEqual(
      expect.arrayContaining([
        ["input.items.2", "unknown_item"],
        ["input.variants.0.options.form", expect.any(String)],
        ["dataset.q1.input.topic", expect.any(String)],
        ["dataset.q2.input.topic", expect.any(String)],
        ["dataset.q1.gold.choice", "gold_missing"],
        ["options.metrics.0", "metric_unsuited"],
        ["options.metrics.1", "unknown_metric"],
        ["options.compare.0.1", "unknown_variant"],
      ]),
    );
    expect(errors.filter(([path]: [string]) => path.startsWith("dataset.q3"))).toEqual([]);
  });

  it("is refused when a limit in dollars would hold for trials of a model without a price", async () => {
    const unpriced = { name: "unpriced", workflow: "plain", models: await planModel({}) };
    const { body, status } = await live.send("POST", "/v1/runs", {
      workflow: "experiment",
      input: { dataset_id: await newDataset(client.live, questions(1)), variants: [unpriced] },
      models: { default: "openai/priced" },
      limits: { max_cost_usd: 1 },
    });
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      expect.objectContaining({ path: "input.variants.0.limits.max_cost_usd", code: "no_price" }),
    ]);
  });

  it("is refused with variants of one name, an experiment as variant, and too many trials", async () => {
    const dataset_id = await newDataset(client.test, questions(300));
    const plain = { name: "plain", workflow: "plain" };
    const nested = { name: "nested", workflow: "experiment" };
    expect(await refused({ input: { dataset_id, variants: [plain, plain, nested] } })).toEqual([
      ["input.variants.2.workflow", expect.any(String)],
      ["input.variants.1.name", expect.any(String)],
    ]);
    expect(await refused({ input: { dataset_id, variants: [plain] }, options: { repetitions: 20 } })).toEqual([
      ["input", "too_many_trials"],
    ]);
  });
});
