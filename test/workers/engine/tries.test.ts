/** An unusable answer of a sampled step is asked for anew, with another seed, up to a bound. */
import { describe, expect, it } from "vitest";
import { FakeInstance, type Life } from "../../support/fake-instance";
import { bindings, until } from "../../support/parley";
import { rowOf, setUpRuns } from "../../support/runs";
import { newToyRun, TOY_ACTION, toyDependencies, toyModel, toyWorkflow } from "../../support/toy-runs";
import { executeRun } from "#engine/execute-run";
import { LlmError, type ModelCall } from "#llm";
import { Store } from "#store/store";
import type { Action } from "#workflow-kit/action";

const { client, send, runToEnd: followRun, artifactsOf } = setUpRuns();
const store = new Store(bindings.DB, bindings.BUCKET);

const unusable = (code: "output_invalid" | "output_truncated" | "output_empty" = "output_invalid") =>
  new LlmError(code, "Neither answer could be used.");
const sampled: Action<object, string> = { ...TOY_ACTION, decoding: { temperature: 1 } };

/** Executes a run of one step, over lives of its instance that end with each sleep, and returns its calls, row and artifacts. */
async function runStep(
  action: Action<object, string>,
  answer: (nth: number) => string | Error,
  settings: Parameters<typeof newToyRun>[2] = { seed: 7, model: { seed: 7 } },
) {
  const calls: ModelCall<any>[] = [];
  const llm = toyModel(async (call) => {
    const said = answer(calls.push(call));
    if (said instanceof Error) throw said;
    return said;
  });
  const workflows = toyWorkflow(async (run) => {
    await run.stage("one", () => run.step(action, {}));
    return {};
  });
  const id = await newToyRun(store, client.tenant, settings);
  const instance = new FakeInstance();
  let now = Date.now();
  const clock = { now: () => now, sleep: async () => {} };
  const live = () => {
    const life: Life = instance.live({
      onSleep: (ms) => {
        now += ms;
        life.end();
        live();
      },
    });
    void executeRun({ run_id: id, epoch: 1 }, life, workflows, toyDependencies({ llm, clock }));
  };
  live();
  const row = await until("the run has ended", async () => {
    const found = await rowOf(id);
    return found.finished_at !== null && found;
  });
  const artifacts = await store.artifacts.provenance(id);
  return { calls, row, artifacts, seeds: calls.map(({ model }) => model.seed) };
}

describe("a sampled step", () => {
  it("is asked anew with other seeds until an answer is usable, and its artifact counts the tries", async () => {
    const codes = ["output_invalid", "output_truncated"] as const;
    const { row, artifacts, seeds } = await runStep(sampled, (nth) => (nth <= 2 ? unusable(codes[nth - 1]) : "good"));
    expect(row.phase).toBe("completed");
    expect(new Set(seeds).size).toBe(3);
    expect(artifacts).toHaveLength(1);
    expect(artifacts[0]).toMatchObject({ tries: 3 });
    expect(JSON.parse(artifacts[0]!.parameters!)).toEqual({ temperature: 1, seed: seeds[2] });
  });

  it("fails the run after three tries, and the error says how many there were", async () => {
    const { row, calls } = await runStep(sampled, () => unusable());
    expect(calls).toHaveLength(3);
    expect(JSON.parse(row.error!)).toMatchObject({
      code: "output_invalid",
      detail: expect.stringContaining("It was asked for 3 times"),
    });
  });

  it("is tried as often as its action says", async () => {
    const { row, calls } = await runStep({ ...sampled, tries: 5 }, (nth) =>
      nth < 5 ? unusable("output_empty") : "good",
    );
    expect(row.phase).toBe("completed");
    expect(calls).toHaveLength(5);
  });

  it("keeps its count of tries when the stage is left to wait for a provider", async () => {
    const busy = new LlmError("provider_rate_limited", "wait", { retryable: true, retry_after_ms: 30_000 });
    const { calls, seeds } = await runStep(sampled, (nth) => (nth === 2 ? busy : unusable()));
    expect(calls).toHaveLength(4); // three tries, and the refused request
    expect(seeds[1]).toBe(seeds[2]);
    expect(new Set(seeds).size).toBe(3);
  });

  it("that a crash cuts off between two tries begins anew, and stores one artifact", async () => {
    const workflows = toyWorkflow(async (run) => {
      await run.stage("one", () => run.step(sampled, {}));
      return {};
    });
    const id = await newToyRun(store, client.tenant, { seed: 7, model: { seed: 7 } });
    const instance = new FakeInstance();
    const seeds: (number | undefined)[] = [];
    const runIn = (life: Life, answer: () => Promise<string>) => {
      const llm = toyModel(async ({ model }) => {
        seeds.push(model.seed);
        return answer();
      });
      void executeRun({ run_id: id, epoch: 1 }, life, workflows, toyDependencies({ llm }));
    };
    const first = instance.live();
    let calls = 0;
    runIn(first, async () => {
      if (++calls === 1) throw unusable();
      first.end();
      return new Promise<never>(() => {});
    });
    await until("the second try has begun", async () => calls === 2);
    runIn(instance.live(), async () => "good");
    await until("the run has ended", async () => (await rowOf(id)).phase === "completed");
    const artifacts = await store.artifacts.provenance(id);
    expect(artifacts).toMatchObject([{ tries: 1 }]);
    expect(seeds[2]).toBe(seeds[0]);
    expect(seeds[1]).not.toBe(seeds[0]);
  });

  it("is not asked anew after a refusal", async () => {
    const { calls } = await runStep(sampled, () => new LlmError("output_refused", "No."));
    expect(calls).toHaveLength(1);
  });
});

it("a step at temperature 0 is tried again when the model refuses a temperature, since its answers are sampled all the same", async () => {
  const options = { retryable: false, ignores_temperature: true };
  const { calls, row } = await runStep({ ...sampled, decoding: { temperature: 0 } }, (nth) =>
    nth < 3 ? new LlmError("output_invalid", "Neither answer could be used.", options) : "good",
  );
  expect(row.phase).toBe("completed");
  expect(calls).toHaveLength(3);
});

it("a step at temperature 0 is tried once", async () => {
  const { calls, row } = await runStep({ ...sampled, decoding: { temperature: 0 }, tries: 5 }, () => unusable());
  expect(calls).toHaveLength(1);
  expect(JSON.parse(row.error!).detail).not.toContain("times");
});

it("a mock run outlives an answer that stays malformed after its repair, and shows the tries in artifact and manifest", async () => {
  const { body: workflow } = await send("GET", "/v1/workflows/requirements");
  const run = await followRun({
    input: { idea: "A library that lends tools" },
    // Given criteria: the first step has no other beside it that could take its errors.
    options: { acceptance_criteria: [{ name: "Clear", description: "Each sentence has one meaning." }] },
    models: { roles: Object.fromEntries(workflow.roles.map(({ name }: any) => [name, { temperature: 0.5 }])) },
    test: { faults: { llm: ["malformed", "malformed"] } },
    limits: { max_tokens: 10_000_000 },
  });
  expect(await rowOf(run)).toMatchObject({ reserved_calls: 0, reserved_tokens: 0 });
  const twice = (await artifactsOf(run)).filter(({ tries }) => tries !== 1);
  expect(twice).toMatchObject([{ tries: 2, repairs: 0, usage: { llm_calls: 3 } }]);
  const { body: manifest } = await send("GET", `/v1/runs/${run.id}/manifest`);
  const { steps, tries } = manifest.actions.find(({ action }: any) => action === twice[0].caused_by);
  expect(tries).toBe(steps + 1);
});
