/** Samples of one prompt: with the run's seed, each still has a seed of its own, the same in every run. */
import { expect, it } from "vitest";
import { FakeInstance } from "../../support/fake-instance";
import { bindings, until } from "../../support/parley";
import { tenantOfFile, rowOf } from "../../support/runs";
import { newToyRun, TOY_ACTION, toyDependencies, toyModel, toyWorkflow } from "../../support/toy-runs";
import { executeRun } from "#engine/execute-run";
import { Store } from "#store/store";

const client = tenantOfFile();
const store = new Store(bindings.DB, bindings.BUCKET);

/** Five answers to one prompt, from a model that answers the same to the same seed. */
async function samples(seed: number): Promise<string[]> {
  const llm = toyModel(async ({ model }) => `answer ${model.seed}`);
  const workflows = toyWorkflow(async (run) => {
    await run.stage("one", async () => {
      await run.parallel([1, 2, 3, 4, 5], (sample) => run.step(TOY_ACTION, {}, { key: `sample.${sample}` }));
      return 1;
    });
    return {};
  });
  const id = await newToyRun(store, client.tenant, { seed, model: { seed, temperature: 0.7 } });
  void executeRun({ run_id: id, epoch: 1 }, new FakeInstance().live(), workflows, toyDependencies({ llm }));
  await until("the run has ended", async () => (await rowOf(id)).phase === "completed");
  const { rows } = await store.artifacts.list(id, { kind: TOY_ACTION.kind }, 10, null);
  const contents = await Promise.all(
    rows.map(async (row) => store.artifacts.content((await store.artifacts.get(id, row.id))!)),
  );
  return contents.toSorted();
}

it("samples of one prompt differ under a seed, and are the same ones again in another run with it", async () => {
  const first = await samples(7);
  expect(new Set(first).size).toBe(5);
  expect(await samples(7)).toEqual(first);
  expect(await samples(8)).not.toEqual(first);
});
