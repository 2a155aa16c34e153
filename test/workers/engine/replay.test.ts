/** Replay: a restarted instance runs the workflow's code again over the stored results, loses nothing and stores nothing twice. */
import { expect, it } from "vitest";
import { FakeInstance, type Life } from "../../support/fake-instance";
import { bindings, until } from "../../support/parley";
import { tenantOfFile, rowOf } from "../../support/runs";
import { newToyRun, TOY_ACTION, toyDependencies, toyModel, toyWorkflow } from "../../support/toy-runs";
import type { RunDependencies } from "#engine/instance/instance";
import { executeRun } from "#engine/execute-run";
import { LlmError } from "#llm";
import { Store } from "#store/store";

const client = tenantOfFile();
const store = new Store(bindings.DB, bindings.BUCKET);

const newRun = () => newToyRun(store, client.tenant);
const artifactsOf = async (id: string, kind?: string) => (await store.artifacts.list(id, { kind }, 10, null)).rows;
const untilPhase = (id: string, phase: "completed" | "failed") =>
  until(`the run has ${phase}`, async () => (await rowOf(id)).phase === phase);

/** Runs the first epoch of a run in a life of its instance, for as long as that lasts. */
const runIn = (life: Life, id: string, workflows: ReturnType<typeof toyWorkflow>, given?: Partial<RunDependencies>) =>
  void executeRun({ run_id: id, epoch: 1 }, life, workflows, toyDependencies(given));

it("after two parallel questions a replay issues the same waits as the first instance", async () => {
  const question = (key: string) => ({
    key,
    kind: "clarification" as const,
    prompt: "?",
    questions: [{ id: "q1", text: "?", type: "text" as const, required: true }],
  });
  const workflows = toyWorkflow(async (run) => {
    await run.stage("one", async () => {
      await run.parallel(["a", "b"], (key) => run.ask(question(key)));
      return 1;
    });
    await run.stage("two", async () => {
      await run.ask(question("c"));
      return 1;
    });
    return { accepted: true, stop_reason: "x" };
  });
  const id = await newRun();
  const instance = new FakeInstance();
  const open = (count: number) =>
    until(`${count} open interactions`, async () => {
      const found = await store.interactions.ofRun(id, "open");
      return found.length === count && found.map((interaction) => interaction.id);
    });
  const answer = async (interaction: string) => {
    await store.interactions.answer(interaction, { answer: { answers: { q1: "x" } }, answered_by: null });
    instance.send(interaction);
  };
  const waitsFor = (interaction: string) => instance.begun.filter((name) => name.includes(interaction)).length;

  const first = instance.live();
  runIn(first, id, workflows);
  const [a, b] = await open(2);
  await answer(a!);
  await until("the stage is left again, to wait for b alone", async () => instance.results.has("segment~2"));
  await answer(b!);
  const [c] = await open(1);
  await until("the first life waits for c", async () => waitsFor(c!) === 1);
  first.end(); // hibernated, or crashed

  runIn(instance.live(), id, workflows);
  await until("the second life waits for c", async () => waitsFor(c!) === 2);
  await answer(c!);
  await untilPhase(id, "completed");
});

it("a step gives up on a provider that always asks for a wait when the run may wait no longer, although the instance sleeps and replays", async () => {
  let calls = 0;
  const llm = toyModel(async () => {
    calls++;
    throw new LlmError("provider_rate_limited", "wait", { retryable: true, retry_after_ms: 30_000 });
  });
  const workflows = toyWorkflow(async (run) => {
    await run.stage("one", () => run.step(TOY_ACTION, {}));
    return { accepted: true, stop_reason: "x" };
  });
  const id = await newToyRun(store, client.tenant, { limits: { provider_wait: "2m" } });
  const instance = new FakeInstance();
  let now = Date.now();
  const clock = { now: () => now, sleep: async () => {} };
  const liveUntilItSleeps = () => {
    const life: Life = instance.live({
      onSleep: (ms) => {
        now += ms;
        life.end();
        liveUntilItSleeps();
      },
    });
    runIn(life, id, workflows, { llm, clock });
  };
  liveUntilItSleeps();
  await untilPhase(id, "failed");
  expect(calls).toBe(5);
});

/** A store whose D1 holds back the transactions that write a note, until they are let through. */
function storeThatHoldsNotes(): { store: Store; letThrough(): Promise<void> } {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held: Promise<unknown>[] = [];
  const writesNote = new WeakSet<D1PreparedStatement>();
  const prepare = (sql: string) => {
    const statement = bindings.DB.prepare(sql);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values: unknown[]) => {
      const bound = bind(...values);
      if (values.includes("note")) writesNote.add(bound);
      return bound;
    };
    return statement;
  };
  const batch = (statements: D1PreparedStatement[]) => {
    if (!statements.some((statement) => writesNote.has(statement))) return bindings.DB.batch(statements);
    const late = released.then(() => bindings.DB.batch(statements));
    held.push(late);
    return late;
  };
  return {
    store: new Store({ prepare, batch } as unknown as D1Database, bindings.BUCKET),
    letThrough: async () => {
      release();
      await Promise.allSettled(held);
    },
  };
}

it("commits of free steps overlap a model call, and an instance that is cut off meanwhile stores nothing twice", async () => {
  const workflows = toyWorkflow(async (run) => {
    await run.stage("one", async () => {
      const note = await run.record({ action: "write_note", kind: "note", role: "r", content: "n" });
      await run.step(TOY_ACTION, {}, { inputs: [note] });
      return 1;
    });
    return { accepted: true, stop_reason: "x" };
  });
  const id = await newRun();
  const instance = new FakeInstance();
  const holding = storeThatHoldsNotes();

  const notesWhenAsked: number[] = [];
  const deaf = toyModel(async () => {
    notesWhenAsked.push((await artifactsOf(id, "note")).length);
    return new Promise<never>(() => {}); // its answer never comes
  });
  const first = instance.live();
  runIn(first, id, workflows, { store: holding.store, llm: deaf });
  await until("the model is asked", async () => notesWhenAsked.length === 1);
  expect(notesWhenAsked).toEqual([0]);
  first.end();

  const answering = toyModel(async () => {
    await holding.letThrough(); // the first life's commit arrives late
    return "x";
  });
  runIn(instance.live(), id, workflows, { llm: answering });
  await untilPhase(id, "completed");
  const [note, ...others] = await artifactsOf(id, "note");
  expect(others).toEqual([]);
  const [made] = await artifactsOf(id, "k");
  expect(JSON.parse(made!.inputs)).toEqual([note!.id]);
});

it("of two instances that commit the same step, the later one finds the artifact of the earlier one", async () => {
  const workflowThat = (afterwards: () => Promise<unknown>) =>
    toyWorkflow(async (run) => {
      const made = await run.stage("one", async () => {
        const note = await run.record({ action: "write_note", kind: "note", role: "r", content: "n" });
        return run.record({ action: "write_more", kind: "more", role: "r", content: "m", inputs: [note] });
      });
      await afterwards();
      return { accepted: true, stop_reason: made.id };
    });
  const id = await newRun();
  const holding = storeThatHoldsNotes();
  runIn(
    new FakeInstance().live(),
    id,
    workflowThat(async () => {}),
    { store: holding.store },
  );
  await until("the late one has entered", async () => (await rowOf(id)).stage === "one");
  await new Promise<void>((isThrough) => {
    const early = workflowThat(async () => {
      isThrough();
      await new Promise(() => {}); // it never ends the run
    });
    runIn(new FakeInstance().live(), id, early);
  });
  await holding.letThrough();
  await untilPhase(id, "completed"); // by the late one
  const stored = await artifactsOf(id);
  expect(stored.map(({ kind }) => kind)).toEqual(["note", "more"]);
  expect(JSON.parse(stored[1]!.inputs)).toEqual([stored[0]!.id]);
  const output = JSON.parse((await rowOf(id)).output!);
  expect(output.stop_reason).toBe(stored[1]!.id);
});

const QUESTION = {
  key: "q",
  kind: "clarification" as const,
  prompt: "?",
  questions: [{ id: "q1", text: "?", type: "text" as const, required: true }],
};

it("is one step until it waits and one afterwards; stages that this instance has finished are not run again", async () => {
  const ran: string[] = [];
  const workflows = toyWorkflow(async (run) => {
    const first = await run.stage("one", async () => {
      ran.push("one");
      return [(await run.step(TOY_ACTION, {})).id];
    });
    await run.stage("two", async () => {
      ran.push("two");
      return run.ask(QUESTION);
    });
    return { accepted: true, stop_reason: first.splice(0).join() };
  });
  const id = await newRun();
  const instance = new FakeInstance();
  let calls = 0;
  runIn(instance.live(), id, workflows, { llm: toyModel(async () => ++calls) });
  const [question] = await until("it asks", async () => {
    const open = await store.interactions.ofRun(id, "open");
    return open.length === 1 && instance.results.has("segment") && open;
  });
  await store.interactions.answer(question!.id, { answer: { answers: { q1: "x" } }, answered_by: null });
  instance.send(question!.id);
  await untilPhase(id, "completed");
  expect(instance.begun).toEqual(["segment", `wait ${question!.id}`, "segment~2"]);
  expect([ran, calls]).toEqual([["one", "two", "two"], 1]);
  const [made] = await artifactsOf(id, "k");
  expect(JSON.parse((await rowOf(id)).output!).stop_reason).toBe(made!.id);
});

it("leaves a step after two hundred steps, and pays none of them again in the next", async () => {
  const workflows = toyWorkflow(async (run) => {
    for (const stage of ["one", "two", "three"])
      await run.stage(stage, async () => {
        for (let n = 1; n <= 90; n++) await run.step(TOY_ACTION, {}, { key: `${n}` });
      });
    return { accepted: true, stop_reason: "x" };
  });
  const id = await newRun();
  const instance = new FakeInstance();
  let calls = 0;
  runIn(instance.live(), id, workflows, { llm: toyModel(async () => ++calls) });
  await untilPhase(id, "completed");
  expect([instance.begun, calls]).toEqual([["segment", "segment~2"], 270]);
});

it("remembers in its next step what failed: an attempt that gave nothing usable is not paid again", async () => {
  const failures: unknown[] = [];
  const workflows = toyWorkflow(async (run) => {
    await run.stage("one", async () => {
      const { failure } = await run.tryStep(TOY_ACTION, {}, { key: "bad" });
      failures.push(failure?.code);
      for (let n = 1; n <= 210; n++) await run.step(TOY_ACTION, {}, { key: `${n}` });
    });
    return { accepted: true, stop_reason: "x" };
  });
  const id = await newRun();
  const instance = new FakeInstance();
  let bad = 0;
  const llm = toyModel(async ({ labels }) => {
    if (!labels.step.endsWith("#bad")) return "x";
    bad++;
    throw new LlmError("output_refused", "It refused.", { retryable: false });
  });
  runIn(instance.live(), id, workflows, { llm });
  await untilPhase(id, "completed");
  expect([instance.begun, failures, bad]).toEqual([["segment", "segment~2"], Array(2).fill("output_refused"), 1]);
});

it("carries no counts of steps that were answered from step to step: a step's result has a limit", async () => {
  const workflows = toyWorkflow(async (run) => {
    await run.stage("one", async () => {
      for (let n = 1; n <= 3; n++) await run.step(TOY_ACTION, {}, { key: `${n}` });
      await run.ask(QUESTION);
    });
    return { accepted: true, stop_reason: "x" };
  });
  const id = await newRun();
  const instance = new FakeInstance();
  let calls = 0;
  const llm = toyModel(async () => {
    if (++calls % 2 === 1) throw new LlmError("provider_unavailable", "Once more.", { retryable: true });
    return "x";
  });
  runIn(instance.live(), id, workflows, { llm, clock: { now: Date.now, sleep: async () => {} } });
  await until("it asks", async () => instance.results.has("segment"));
  expect(calls).toBe(6);
  expect(instance.results.get("segment")).toHaveProperty("attempts", {});
});
