/** The largest runs that options allow complete: no step's result, no row and no output is too large. */
import { expect, it } from "vitest";
import { TOPIC } from "../../../../support/ideation";
import { until } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";

const { artifactsOf, send, start, untilCompleted } = setUpRuns();

const finished = async (id: string) => {
  await until(
    "the end of a large run",
    async () => (await send("GET", `/v1/runs?limit=1&status=completed&workflow=ideation`)).body.data.length,
    240_000,
  );
  return untilCompleted(id);
};

it("100 trials of 20 ideas: all except repetitions are kept, ranked and expanded", { timeout: 300_000 }, async () => {
  const id = await start({
    workflow: "ideation",
    input: { topic: TOPIC },
    options: {
      preset: "baseline",
      trials: 100,
      ideas: 20,
      parallelism: 32,
      paper_source: "none",
      dedup_threshold: 1,
      tournament_rounds: 2,
      proposals: 50,
    },
  });
  const run = await finished(id);
  expect(run.output.ideas).toHaveLength(2000);
  expect(run.output.kept.length + run.output.dropped.length).toBe(2000);
  expect(run.output.kept.length).toBeGreaterThan(80);
  expect(run.output.proposals).toHaveLength(50);
  expect(run.output.ranking).toHaveLength(run.output.kept.length);
  const artifacts = await artifactsOf(id);
  const set = artifacts.find(({ kind }) => kind === "idea_set");
  expect(set.size).toBeGreaterThan(900_000); // which no step's result could hold
  const dialogue = artifacts.filter(({ stage, model }) => stage === "dialogue" && model !== null);
  expect(dialogue).toHaveLength(300);
});
