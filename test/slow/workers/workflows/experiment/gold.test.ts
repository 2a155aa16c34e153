/** What the model endpoint sees of the methods that an experiment compares: their inputs, and never gold or tags. */
import { expect, it } from "vitest";
import { newDataset, trialsOf } from "../../../../support/experiments";
import { QUESTION } from "../../../../support/debate";
import { planOfIdeation } from "../../../../support/ideation";
import { call, callsOf, planModel, until } from "../../../../support/parley";
import { reportOf } from "../../../../support/report";
import { setUpRuns } from "../../../../support/runs";

const { client, live } = setUpRuns((body: object = {}) => ({ workflow: "experiment", ...body }));

/** Every part of gold. Its texts hold a word that is in no prompt, its number stands nowhere else. A choice is a bare letter, and cannot be told apart. */
const GOLD = {
  number: 907_150_423,
  text: ["Qxgoldz text"],
  calls: [{ name: "Qxgoldz_function", arguments: { Qxgoldz_argument: ["Qxgoldz value"] } }],
  rubric: [{ text: "Qxgoldz rubric", points: 1 }],
  reference: "Qxgoldz reference",
  authorities: ["Qxgoldz authority"],
  model: {
    entities: [{ name: "Qxgoldz entity", type: "actor" }],
    relations: [{ type: "association", from: "Qxgoldz entity", to: "Qxgoldz entity" }],
  },
};
const GOLDEN = /Qxgoldz|907.?150.?423/i;

const MARK = "Marzipan";

/** One small request to each method: its items' input, its options, and a metric. */
const METHODS = [
  {
    workflow: "requirements",
    input: { idea: `An application that lends moulds for ${MARK} to neighbours.` },
    options: { qa_rounds: 1, num_user_stories: 2 },
    metric: "model_match",
    embeds: false,
  },
  {
    workflow: "waterfall",
    input: { requirement: `Say what 500 g of ${MARK} cost in three shops, and name the cheapest.` },
    options: { clarification: "skip" },
    metric: "number_match",
    embeds: false,
  },
  {
    workflow: "debate",
    input: { ...QUESTION, question: `${QUESTION.question} The van carries ${MARK}.` },
    options: { rounds: 2, solvers: 2 },
    gold: { choice: "A" },
    metric: "accuracy",
    embeds: false,
  },
  {
    workflow: "ideation",
    input: { topic: `Ways to measure how fresh ${MARK} is.` },
    options: { paper_source: "none", preset: "parallel_2", trials: 2, ideas: 2, proposals: 1 },
    metric: "non_duplicate_ratio",
    embeds: true,
  },
];

it.each(METHODS)(
  "no request of $workflow holds gold or tags, embeddings included",
  { timeout: 200_000 },
  async ({ workflow, input, options, gold = {}, metric, embeds }) => {
    const models = await planModel(await planOfIdeation(client, { workflow, input, options }));
    const items = ["q1", "q2"].map((id) => ({
      id,
      input,
      gold: { ...GOLD, ...gold },
      tags: ["Qxgoldz tag"],
    }));
    const id = await live.start({
      input: {
        title: "Qxgoldz title",
        dataset_id: await newDataset(client.live, items, workflow),
        variants: [{ name: "tested", workflow, options }],
      },
      // One after the other: in a full run of the tests, and never alone, one of two runs of `waterfall` at the same time sometimes stopped. By its
      // rows it waited for an answer of its tenant's committer, but why is not found. What is searched does not depend on it.
      options: { metrics: [metric], concurrency: 1, on_failure: { retries: 0 } },
      models: { ...models, embedding: models.default },
    });
    const ended = async () => (await live.send("GET", `/v1/runs/${id}`)).body;
    const run = await until(
      "its end",
      async () => (await ended()).finished_at && ended(),
      90_000,
      () => reportOf(id),
    );
    expect(run.output.trials).toMatchObject({ planned: 2, completed: 2, failed: 0 });
    const trials = await trialsOf(client.live, id);
    const calls = (await Promise.all(trials.map((trial) => callsOf(trial.id)))).flat();
    expect(new Set(calls.map((one) => one.run))).toEqual(new Set(trials.map((trial) => trial.id)));
    const seen = JSON.stringify(calls.map(({ request }) => request));
    expect(seen).toContain(MARK);
    expect(seen).not.toMatch(GOLDEN);
    expect(calls.some(({ step }) => step.includes("embed"))).toBe(embeds);
    // The planted strings are what the metric reads: they are in the data set.
    const stored = await call("GET", `/v1/datasets/${run.input.dataset_id}/items`, { key: client.live });
    expect(JSON.stringify(stored.body)).toMatch(GOLDEN);
  },
);
