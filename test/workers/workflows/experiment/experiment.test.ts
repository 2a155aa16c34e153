/** Experiments over HTTP in test mode: variants are played on the items of a data set, scored and compared. */
import { describe, expect, it } from "vitest";
import { newDataset, questions } from "../../../support/experiments";
import { setUpRuns } from "../../../support/runs";
import { workflows } from "#workflows/index";

const { client, play, send, artifactsOf, contentsOf } = setUpRuns((body: object = {}) => ({
  workflow: "experiment",
  ...body,
}));

const VARIANTS = [
  { name: "one-call", workflow: "plain" },
  { name: "open", workflow: "plain", options: { form: "text" } },
];

describe("an experiment", () => {
  it("plays each variant on each item, scores the answers, compares the variants and reports", async () => {
    const dataset_id = await newDataset(client.test, questions(12));
    const run = await play({
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
      { variant: "one-call", measure: "accuracy", n: 12, mean: 1, low: 1, high: 1 },
      { variant: "open", measure: "accuracy", n: 12, mean: 0, low: 0, high: 0 },
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
});
