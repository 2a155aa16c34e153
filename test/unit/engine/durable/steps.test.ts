import { expect, test } from "vitest";
import { InstanceMemory } from "#engine/durable/memory";
import { StageExecution } from "#engine/durable/stage-execution";
import { commitOnce } from "#engine/durable/steps";
import type { Instance } from "#engine/instance/instance";
import type { NewArtifact } from "#store/artifacts";
import { workflows } from "#workflows/index";

const CLOCK = { pause: 0, active_ms: 0, active_since: null, followed: 0 as const, owns_keys: 0 as const };
const USED = {
  llm_calls: 1,
  input_tokens: 1,
  cached_input_tokens: 0,
  output_tokens: 1,
  reasoning_tokens: 0,
  cost_usd: null,
};
const BY = { name: "test", kind: "k", role: "tester" };

/** One stage execution over a database that records each transaction, and answers after `answer()`. */
function executionOf(kinds: Instance["workflow"]["kinds"]) {
  const transactions: NewArtifact[][] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const commit = async (_run: object, artifacts: NewArtifact[]) => {
    transactions.push(artifacts);
    await answered;
    return artifacts.map(() => ({ ...CLOCK, completed_seq: null }));
  };
  const instance = {
    run_id: "run",
    epoch: 1,
    spec: { tenant: "ten", listeners: [] },
    workflow: { kinds },
    deps: { code_version: "0", store: { artifacts: { commit } } },
  } as unknown as Instance;
  const stored = { run: { ...CLOCK, llm_calls: 0, queued_ms: 0, outages: "{}" }, artifacts: [], interactions: [] };
  const of = { segment: { startedAt: Date.now(), steps: 0, lastCheckedAt: Date.now() }, previous: null };
  const key = { stage: "s", iteration: 1, generation: 1 };
  const stage = new StageExecution(instance, new InstanceMemory(), key, Promise.resolve(stored), of);
  return { stage, transactions, answer, stored: () => transactions.flat() };
}

test("an artifact of every kind of every workflow is stored with the addressees that the workflow declares", async () => {
  for (const { name, kinds, actions } of Object.values(workflows)) {
    const { stage, answer, stored } = executionOf(kinds);
    answer();
    for (const kind of Object.keys(kinds))
      await commitOnce(stage, `s/${kind}`, { ...BY, kind }, {}, () => ({ content: "" }));
    for (const action of actions) await commitOnce(stage, `s/${action.name}`, action, {}, () => ({ content: "" }));
    await stage.writes.drain();
    expect(stored()).toHaveLength(Object.keys(kinds).length + actions.length);
    for (const { kind, send_to } of stored()) {
      expect(send_to, `${name}: ${kind}`).toEqual(kinds[kind]!.send_to);
      if (kind !== "human_feedback") expect(send_to.length, `${name}: ${kind}`).toBeGreaterThan(0);
    }
  }
});

test("an artifact has other addressees when its creator names them", async () => {
  const { stage, answer, stored } = executionOf({ k: { summary: "A kind.", send_to: ["all"] } });
  answer();
  const artifact = await commitOnce(stage, "s/a", { ...BY, send_to: ["reviewer"] }, {}, () => ({ content: "" }));
  await stage.writes.drain();
  expect([artifact.send_to, stored()[0]!.send_to]).toEqual([["reviewer"], ["reviewer"]]);
});

test("a kind that the workflow does not declare is refused before any work is done", async () => {
  let worked = false;
  const make = () => ((worked = true), { content: "" });
  await expect(commitOnce(executionOf({}).stage, "s/a", BY, {}, make)).rejects.toThrow('no kind of artifacts "k"');
  expect(worked).toBe(false);
});

test("a step that calls a model waits for its commit; any other continues, and the stage waits instead", async () => {
  const { stage, transactions, answer } = executionOf({ k: { summary: "A kind.", send_to: ["all"] } });
  const settled: string[] = [];
  const note = (name: string) => (promise: Promise<unknown>) => promise.then(() => settled.push(name));
  const computed = note("computed")(commitOnce(stage, "s/a", BY, {}, () => ({ content: 1 })));
  const asked = note("asked")(commitOnce(stage, "s/b", BY, {}, () => ({ content: 2, usage: USED })));
  await computed;
  const written = note("written")(stage.writes.drain());
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(settled).toEqual(["computed"]);
  answer();
  await Promise.all([asked, written]);
  expect(settled.toSorted()).toEqual(["asked", "computed", "written"]);
  expect(transactions.map((group) => group.map(({ step }) => step))).toEqual([["s/a", "s/b"]]);
});

test("what code makes in one go shares a commit, which begins when the stage waits for it, or a turn later", async () => {
  const { stage, transactions, answer } = executionOf({ k: { summary: "A kind.", send_to: ["all"] } });
  answer();
  const make = (name: string) => commitOnce(stage, `s/${name}`, BY, {}, () => ({ content: name }));
  await make("a");
  await make("b");
  expect(transactions).toEqual([]);
  await stage.writes.drain();
  await make("c");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(transactions.map((group) => group.map(({ step }) => step))).toEqual([["s/a", "s/b"], ["s/c"]]);
});
