/** Which ideas are kept: duplicates and ideas that fail a filter are dropped, each with the reason. */
import { describe, expect, it } from "vitest";
import { ideationOf, planOfIdeation } from "../../../../support/ideation";
import { planModel } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";

const { artifactsOf, client, contentsOf, countOf, live, runToEnd } = setUpRuns(ideationOf);

describe("duplicates", () => {
  it("are dropped, each with the idea that it repeats and their similarity", async () => {
    const run = await runToEnd({
      options: { preset: "single", trials: 2, expand: "none" },
      test: { script: { propose_ideas: ["distinct", "duplicate"] } },
    });
    expect(run.output.ideas).toHaveLength(10);
    expect(run.output.dropped.map(({ idea }: any) => idea)).toEqual(["i6", "i7", "i8", "i9", "i10"]);
    for (const { because } of run.output.dropped) {
      expect(because).toMatchObject({ cause: "similar", similar_to: "i1" });
      expect(because.similarity).toBeGreaterThan(0.8);
    }
    expect(run.output.metrics).toMatchObject({ ideas: 10, kept: 5, non_duplicate_ratio: 0.5 });
    const [matrix] = await contentsOf(run, "similarity_matrix");
    expect(matrix.rows).toHaveLength(10);
    expect(matrix.rows[5][0]).toBeGreaterThan(0.8);
  });

  it("by name have another cause than duplicates by meaning", async () => {
    const run = await runToEnd({
      options: { preset: "single", trials: 3, ideas: 3, expand: "none", dedup_threshold: 1 },
      test: { script: { propose_ideas: ["distinct", "same_names", "same_names"] } },
    });
    const causes = run.output.dropped.map(({ because }: any) => because.cause);
    expect(causes).toHaveLength(6);
    expect(new Set(causes)).toEqual(new Set(["same_name"]));
  });

  it("that the measure misses are dropped by the ranker: the later one, with the reason", async () => {
    const run = await runToEnd({
      options: { preset: "single", expand: "none", duplicate_checks: 2 },
      test: { script: { check_duplicate: ["same", "different"] } },
    });
    expect(await countOf(run, "check_duplicate")).toBe(2);
    const [{ closest }] = await contentsOf(run, "kept_ideas");
    const [[earlier, later]] = closest.map(({ ideas }: any) => ideas);
    expect(closest.map(({ verdict }: any) => verdict?.same ?? null)).toEqual([true, false, null, null, null]);
    expect(run.output.dropped).toEqual([
      {
        idea: later,
        because: {
          cause: "same_idea",
          similar_to: earlier,
          similarity: closest[0].similarity,
          reason: expect.stringContaining("in one way"),
        },
      },
    ]);
    expect(run.output.metrics).toMatchObject({ kept: 4, non_duplicate_ratio: 0.8 });
    expect(run.output.documents.report.text).toContain("the same idea as");
  });

  it("are found by words when no encoder is requested", async () => {
    const run = await runToEnd({
      options: { preset: "single", trials: 2, expand: "none" },
      models: { embedding: null },
      test: { script: { propose_ideas: ["distinct", "duplicate"] } },
    });
    expect(run.output.metrics.measure).toEqual({ method: "lexical", model: "word-and-pair-cosine", threshold: 0.6 });
    expect(run.output.kept).toHaveLength(5);
  });
});

describe("an encoder that is not the paper's", () => {
  it("gets its own threshold, from texts whose ideas differ, and the same one in each run", async () => {
    const body = ideationOf({ options: { preset: "single", ideas: 3, expand: "none" } });
    const thresholds = [];
    for (const _ of [1, 2]) {
      const models = await planModel(await planOfIdeation(client, body));
      const id = await live.start({ ...body, models: { ...models, embedding: "openai/encoder" } });
      const run = await live.untilCompleted(id);
      const steps = (await live.artifactsOf(run)).map(({ step }) => step);
      expect(steps.some((step) => step.startsWith("deduplication/embed#calibration"))).toBe(true);
      expect(run.output.metrics.measure).toMatchObject({ method: "embedding", model: "openai/encoder" });
      thresholds.push(run.output.metrics.measure.threshold);
    }
    expect(thresholds[0]).toBe(thresholds[1]);
    expect(thresholds[0]).toBeGreaterThan(0.5);
  });

  it("is noted when most ideas would be duplicates", async () => {
    const run = await runToEnd({
      options: { preset: "single", trials: 2, ideas: 6, expand: "none", dedup_threshold: 0 },
    });
    expect(run.output.kept.length).toBeLessThan(6);
    expect(run.output.paper_source.note).toContain("set `dedup_threshold` higher");
    expect(run.output.documents.report.text).toContain("dedup");
  });
});

describe("filters", () => {
  it("drop an idea at the first filter that it fails, with the reason", async () => {
    const run = await runToEnd({
      options: { preset: "single", ideas: 3, expand: "none", filters: ["significance", "consistency"] },
      test: { script: { check_idea: ["fail", "pass", "pass"] } },
    });
    expect(run.output.dropped).toEqual([
      { idea: "i1", because: { cause: "consistency", reason: expect.stringContaining("does not pass") } },
    ]);
    expect(await countOf(run, "check_idea")).toBe(1 + 2 + 2);
    expect(run.output.kept).toEqual(["i2", "i3"]);
  });

  it("end the run when no idea is left", async () => {
    const run = await runToEnd({
      options: { preset: "single", ideas: 2, filters: ["feasibility"] },
      test: { script: { check_idea: ["fail", "fail"] } },
    });
    expect(run.output).toMatchObject({ stop_reason: "nothing_left", kept: [], ranking: [], proposals: [] });
    expect(run.output.documents.ideas.text).toContain("No idea is left.");
  });

  it("search for published ideas in the source of papers", async () => {
    const run = await runToEnd({
      options: {
        preset: "single",
        ideas: 2,
        expand: "none",
        filters: ["novelty"],
        paper_source: "semantic_scholar",
        bank_size: 10,
      },
      test: { script: { check_novelty: ["known", "new"] } },
    });
    expect(run.output.dropped).toMatchObject([{ idea: "i1", because: { cause: "novelty" } }]);
    const made = (await artifactsOf(run)).filter(({ stage }) => stage === "filtering");
    const searches = made.filter(({ kind }) => kind === "paper_search");
    const queries = made.filter(({ kind }) => kind === "novelty_queries");
    expect(queries).toHaveLength(2);
    const written = (await contentsOf(run, "novelty_queries")).flatMap((content) => content.queries);
    const asked = (await contentsOf(run, "paper_search")).filter(({ query }) => written.includes(query.text));
    expect(asked).toHaveLength(written.length);
    expect(written.some((query) => run.output.ideas.some(({ name }: any) => query.includes(name)))).toBe(false);
    const verdicts = made.filter(({ caused_by }) => caused_by === "check_novelty");
    const looked = verdicts.flatMap(({ inputs }) => inputs.slice(1));
    expect(looked.toSorted()).toEqual(searches.map(({ id }) => id).toSorted());
    // Of more papers than the check compares, the nearest by the encoder are taken.
    expect(made.some(({ step }) => step.startsWith("filtering/embed#novelty.i1"))).toBe(true);
  });

  it("report when there are no papers to compare with", async () => {
    const run = await runToEnd({ options: { preset: "single", ideas: 1, expand: "none", filters: ["novelty"] } });
    expect(run.output.paper_source.note).toContain("Novelty could not be checked");
    expect(run.output.kept).toEqual(["i1"]);
  });
});
