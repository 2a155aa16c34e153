/** `options.profile`: under `paper` the engine performs an action with what its `paper` replaces. */
import { expect, it } from "vitest";
import { FakeInstance } from "../../support/fake-instance";
import { bindings, until } from "../../support/parley";
import { tenantOfFile, rowOf } from "../../support/runs";
import { newToyRun, TOY_ACTION, toyDependencies, toyModel, toyWorkflow } from "../../support/toy-runs";
import { executeRun } from "#engine/execute-run";
import { z } from "zod";
import type { ModelCall } from "#llm";
import type { Action } from "#workflow-kit/action";
import { Store } from "#store/store";

const client = tenantOfFile();
const store = new Store(bindings.DB, bindings.BUCKET);

const action: Action<object, any> = {
  ...(TOY_ACTION as Action<object, any>),
  decoding: { temperature: 0.9, top_p: 0.5 },
  output: z.strictObject({ text: z.string() }),
  paper: {
    prompt: "# System\nThe paper's\n\n# User\n{{more}}\n",
    output: undefined,
    decoding: { temperature: 0.1 },
    variables: () => ({ more: "From the paper" }),
  },
};

/** The only call of a run with these options. */
async function callOf(options: object): Promise<ModelCall<any>> {
  const calls: ModelCall<any>[] = [];
  const llm = toyModel(async (call) => {
    calls.push(call);
    return "x";
  });
  const workflows = toyWorkflow(async (run) => {
    await run.stage("one", () => run.step(action, {}));
    return {};
  });
  const id = await newToyRun(store, client.tenant, { options });
  void executeRun({ run_id: id, epoch: 1 }, new FakeInstance().live(), workflows, toyDependencies({ llm }));
  await until("the run has ended", async () => (await rowOf(id)).phase === "completed");
  expect(calls.length).toBe(1);
  return calls[0]!;
}

it("the paper's prompt, form and decoding replace the action's own", async () => {
  const call = await callOf({ profile: "paper" });
  expect(call).toMatchObject({ system: "The paper's", user: "From the paper", output: { type: "markdown" } });
  expect(call.model).toEqual({ model: "x/y", temperature: 0.1 });
});

it("under the default profile, and in runs from before there were profiles, the action is its own", async () => {
  for (const options of [{ profile: "default" }, {}]) {
    const call = await callOf(options);
    expect(call).toMatchObject({ system: "S", user: "U", output: { type: "json" } });
    expect(call.model).toEqual({ model: "x/y", temperature: 0.9, top_p: 0.5 });
  }
});
