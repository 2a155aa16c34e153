/** New code and runs that older code began: what it still supports continues, and what it does not keeps its questions for a retry. */
import { expect, it } from "vitest";
import { executeRun } from "#engine/execute-run";
import type { Run } from "#workflow-kit/run";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { Store } from "#store/store";
import { FakeInstance, type Life } from "../../support/fake-instance";
import { bindings, until } from "../../support/parley";
import { tenantOfFile, rowOf } from "../../support/runs";
import { newToyRun, TOY_ACTION, toyDependencies, toyModel, toyWorkflow } from "../../support/toy-runs";

const client = tenantOfFile();
const store = new Store(bindings.DB, bindings.BUCKET);
const QUESTION = {
  key: "q",
  kind: "clarification" as const,
  prompt: "?",
  questions: [{ id: "q1", text: "?", type: "text" as const, required: true }],
};

/** The code of one deployment. */
const deployed = (run: (run: Run) => Promise<object>, more: Partial<WorkflowDefinition> = {}) => {
  const { toy } = toyWorkflow(run);
  return { toy: { ...toy!, ...more } };
};
const stepsOf = async (id: string) => (await store.artifacts.list(id, {}, 20, null)).rows.map(({ step }) => step);
const questionsOf = async (id: string) =>
  (
    await bindings.DB.prepare("SELECT id, status, epoch FROM interactions WHERE run_id = ? ORDER BY id")
      .bind(id)
      .all<any>()
  ).results;
const openQuestion = (id: string) =>
  until("an open question", async () => (await questionsOf(id)).find(({ status }) => status === "open")?.id as string);

function runIn(life: Life, id: string, workflows: Record<string, WorkflowDefinition>, epoch = 1): Promise<void> {
  return executeRun({ run_id: id, epoch }, life, workflows, toyDependencies({ llm: toyModel(async () => "x") }));
}
async function answer(instance: FakeInstance, question: string): Promise<void> {
  await store.interactions.answer(question, { answer: { answers: { q1: "x" } }, answered_by: null });
  instance.send(question);
}
const retry = (id: string, workflow_version: number) =>
  store.runs.retry({ tenant_id: client.tenant, mode: "live" }, id, {
    from_stage: null,
    limits: null,
    workflow_version,
  });

/** Asks in its first stage; the second differs between deployments. */
const asking = (second: (run: Run) => Promise<unknown>) => async (run: Run) => {
  await run.stage("one", async () => {
    await run.step(TOY_ACTION, {});
    await run.ask(QUESTION);
  });
  await run.stage("two", () => second(run));
  return {};
};
const before = asking((run) => run.step(TOY_ACTION, {}, { key: "old" }));

it("a run that waits for a person survives a deployment with a raised version, as long as the new code has the path that it began", async () => {
  const id = await newToyRun(store, client.tenant);
  const instance = new FakeInstance();
  const life = instance.live();
  void runIn(life, id, deployed(before));
  const question = await openQuestion(id);
  life.end();

  const workflows = deployed(before, { version: 2 });
  const later = runIn(instance.live(), id, workflows);
  await answer(instance, question);
  await later;
  expect((await rowOf(id)).phase).toBe("completed");
  expect(await stepsOf(id)).toEqual(["one/step#1", "two/step#old"]);
});

it("a run that new code cannot run keeps its question open, and a retry uses the answer", async () => {
  const id = await newToyRun(store, client.tenant);
  const instance = new FakeInstance();
  const life = instance.live();
  void runIn(life, id, deployed(before));
  const question = await openQuestion(id);
  life.end();

  const workflows = deployed(before, { version: 2, min_version: 2 });
  const later = runIn(instance.live(), id, workflows);
  await until("it waits", async () => instance.begun.filter((name) => name.includes(question)).length === 2);
  expect((await rowOf(id)).phase).toBe("running");
  await answer(instance, question);
  await later;
  expect(JSON.parse((await rowOf(id)).error!).code).toBe("workflow_changed");

  await retry(id, 2);
  await runIn(new FakeInstance().live(), id, workflows, 2);
  expect((await rowOf(id)).phase).toBe("completed");
  expect(await questionsOf(id)).toEqual([expect.objectContaining({ id: question, status: "answered" })]);
});

it("a retry opens the question again that the failure canceled, with its id", async () => {
  const id = await newToyRun(store, client.tenant);
  let fails = true;
  const workflows = deployed(async (run) => {
    await run.stage("one", async () => {
      await run.parallel(["ask", "fail"], async (what) => {
        if (what === "ask") return run.ask(QUESTION);
        if (!fails) return null;
        await openQuestion(id);
        throw new Error("a bug");
      });
    });
    return {};
  });
  await runIn(new FakeInstance().live(), id, workflows);
  const [canceled] = await questionsOf(id);
  expect(canceled).toMatchObject({ status: "canceled", epoch: 1 });

  fails = false;
  await retry(id, 1);
  const instance = new FakeInstance();
  const ran = runIn(instance.live(), id, workflows, 2);
  const question = await openQuestion(id);
  expect(question).toBe(canceled.id);
  expect((await rowOf(id)).status).toBe("input_required");
  await answer(instance, question);
  await ran;
  expect((await rowOf(id)).phase).toBe("completed");
  expect(await questionsOf(id)).toEqual([expect.objectContaining({ id: question, status: "answered", epoch: 2 })]);
});
