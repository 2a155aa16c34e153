/** Records at the end of a stage, and documents that are made later: the next stage begins meanwhile, and nothing is lost or stored twice. */
import { expect, it } from "vitest";
import { FakeInstance } from "../../support/fake-instance";
import { bindings, until } from "../../support/parley";
import { rowOf, tenantOfFile } from "../../support/runs";
import { newToyRun, TOY_ACTION, toyDependencies, toyModel, toyWorkflow } from "../../support/toy-runs";
import type { RunDependencies } from "#engine/instance/instance";
import { executeRun } from "#engine/execute-run";
import type { Run } from "#workflow-kit/run";
import { StorageUnavailableError } from "#core/unavailable";
import { sleep } from "#core/retry";
import { Store } from "#store/store";

const client = tenantOfFile();
const store = new Store(bindings.DB, bindings.BUCKET);
const newRun = () => newToyRun(store, client.tenant);
const DRAWING = { action: "draw", kind: "note", role: "r" };
const END = { accepted: true, stop_reason: "x" };

/** A model that answers, and whose calls count: their steps wait for their commits. */
const counted = (answer: () => Promise<unknown>) =>
  toyModel(async (call) => {
    call.spent?.({
      llm_calls: 1,
      input_tokens: 1,
      cached_input_tokens: 0,
      output_tokens: 1,
      reasoning_tokens: 0,
      cost_usd: null,
    });
    return answer();
  });

const runOnce = (id: string, run: (run: Run) => Promise<object>, given?: Partial<RunDependencies>) =>
  void executeRun({ run_id: id, epoch: 1 }, new FakeInstance().live(), toyWorkflow(run), toyDependencies(given));
const untilPhase = (id: string, phase: "completed" | "failed") =>
  until(`the run has ${phase}`, async () => (await rowOf(id)).phase === phase);
const artifactsOf = async (id: string) => (await store.artifacts.list(id, {}, 10, null)).rows;

/** The run's events: of an artifact its kind and stage, of another its type and stage. */
async function eventsOf(id: string): Promise<string[]> {
  const { results } = await bindings.DB.prepare("SELECT type, data FROM events WHERE run_id = ? ORDER BY seq")
    .bind(id)
    .all<{ type: string; data: string }>();
  return results.map(({ type, data }) => {
    const { kind, stage } = JSON.parse(data) as { kind?: string; stage?: string };
    return [kind ?? type.replace("run.", ""), stage].filter(Boolean).join(" ");
  });
}

it("the call of the next stage is under way before a drawing is made; the stage is completed after its drawing is stored", async () => {
  const order: string[] = [];
  const id = await newRun();
  const workflow = async (run: Run) => {
    await run.stage("one", async () => {
      const more = await run.record({ action: "write", kind: "more", role: "r", content: "m" });
      return run.recordLater({ ...DRAWING, inputs: [more] }, () => (order.push("drawn"), "a drawing"));
    });
    await run.stage("two", () => run.step(TOY_ACTION, {}));
    return END;
  };
  const llm = counted(async () => {
    order.push("asked");
    await until("the stage is entered", async () => (await rowOf(id)).stage === "two");
    return "x";
  });
  runOnce(id, workflow, { llm });
  await untilPhase(id, "completed");
  expect(order).toEqual(["asked", "drawn"]);
  expect(await eventsOf(id)).toEqual([
    "created",
    "started",
    "stage_started one",
    "more one",
    "note one",
    "stage_completed one",
    "stage_started two",
    "k two",
    "stage_completed two",
    "completed",
  ]);
});

it("a model that answers at once does not overtake the drawing of the stage before", async () => {
  const id = await newRun();
  const workflow = async (run: Run) => {
    await run.stage("one", async () => run.recordLater(DRAWING, () => "a drawing"));
    await run.stage("two", () => run.step(TOY_ACTION, {}));
    return END;
  };
  runOnce(id, workflow, { llm: counted(async () => "x") });
  await untilPhase(id, "completed");
  expect((await eventsOf(id)).filter((event) => /note|k two/.test(event))).toEqual(["note one", "k two"]);
});

it("a run completes after the drawing of its last stage is stored, under the reference that it returned", async () => {
  const id = await newRun();
  const workflow = async (run: Run) => {
    const { artifact_id } = await run.stage("one", async () => run.recordLater(DRAWING, () => "a drawing"));
    return { ...END, stop_reason: artifact_id };
  };
  runOnce(id, workflow);
  await untilPhase(id, "completed");
  const [drawing] = await artifactsOf(id);
  expect(drawing).toMatchObject({
    id: JSON.parse((await rowOf(id)).output!).stop_reason,
    stage: "one",
    step: "one/draw#note.1",
  });
  expect((await eventsOf(id)).slice(-3)).toEqual(["note one", "stage_completed one", "completed"]);
});

it("a drawing that failed once is made by the next attempt, although the next stage had begun", async () => {
  const id = await newRun();
  let drawn = 0;
  let asked = 0;
  const workflow = async (run: Run) => {
    await run.stage("one", async () => {
      await run.step(TOY_ACTION, {});
      return run.recordLater(DRAWING, () => {
        if (++drawn === 1) throw new Error("a bug that shows once");
        return "a drawing";
      });
    });
    await run.stage("two", () => run.step(TOY_ACTION, {}));
    return END;
  };
  runOnce(id, workflow, { llm: counted(async () => ++asked) });
  await untilPhase(id, "completed");
  expect(drawn).toBe(2);
  expect((await artifactsOf(id)).map(({ step }) => step)).toEqual(["one/step#1", "one/draw#note.1", "two/step#1"]);
  expect(await eventsOf(id)).toContain("stage_completed one");
});

it("an instance that is restarted between the stages makes the drawing, once", async () => {
  const id = await newRun();
  const drawings: string[] = [];
  const workflow = (name: string) => async (run: Run) => {
    await run.stage("one", async () =>
      run.recordLater(DRAWING, () => {
        drawings.push(name);
        return "a drawing";
      }),
    );
    await run.stage("two", () => run.step(TOY_ACTION, {}));
    return END;
  };
  const instance = new FakeInstance();
  const first = instance.live();
  const crashing = counted(async () => {
    first.end();
    return new Promise<never>(() => {}); // its answer never comes
  });
  void executeRun({ run_id: id, epoch: 1 }, first, toyWorkflow(workflow("first")), toyDependencies({ llm: crashing }));
  await until("the first life has drawn", async () => (await artifactsOf(id)).length === 1);
  const answering = toyDependencies({ llm: counted(async () => "x") });
  void executeRun({ run_id: id, epoch: 1 }, instance.live(), toyWorkflow(workflow("second")), answering);
  await untilPhase(id, "completed");
  expect(drawings).toEqual(["first"]);
  expect((await artifactsOf(id)).map(({ kind }) => kind)).toEqual(["note", "k"]);
});

it.each(["paused", "asked"])(
  "a run that is %s after a stage has stored the stage's drawing before it waits",
  async (why) => {
    const id = await newRun();
    const question = {
      key: "q",
      kind: "clarification" as const,
      prompt: "?",
      questions: [{ id: "q1", text: "?", type: "text" as const, required: true }],
    };
    const workflow = async (run: Run) => {
      await run.stage("one", async () => {
        await run.step(TOY_ACTION, {});
        return run.recordLater(DRAWING, () => "a drawing");
      });
      await run.stage<unknown>("two", () => (why === "asked" ? run.ask(question) : run.step(TOY_ACTION, {})));
      return END;
    };
    let calls = 0;
    const llm = counted(async () => {
      calls++;
      if (why === "paused")
        await bindings.DB.prepare("UPDATE runs SET paused = 1, pauses = 1 WHERE id = ?").bind(id).run();
      return "x";
    });
    const instance = new FakeInstance();
    void executeRun({ run_id: id, epoch: 1 }, instance.live(), toyWorkflow(workflow), toyDependencies({ llm }));
    await until("its first step has ended", async () => instance.results.has("segment"));
    expect((await artifactsOf(id)).map(({ kind }) => kind)).toEqual(["k", "note"]);
    expect(calls).toBe(1);
  },
);

/** Steps of a stage that follows one without a model call. */
const eightCalls = (run: Run) =>
  run.parallel([1, 2, 3, 4, 5, 6, 7, 8], (n) => run.step(TOY_ACTION, {}, { key: String(n) }));

/** A store that does something before each commit of a kind. */
function storeBefore(wanted: string, work: () => Promise<unknown>): Store {
  const other = new Store(bindings.DB, bindings.BUCKET);
  const commit = other.artifacts.commit.bind(other.artifacts);
  other.artifacts.commit = async (run, artifacts) => {
    if (artifacts.some(({ kind }) => kind === wanted)) await work();
    return commit(run, artifacts);
  };
  return other;
}

/** Longer than a stage may continue without having heard from D1 before the next one begins. */
const QUIET_MS = 1200;

it("a run that is canceled during a long last step of a stage makes no calls of the next stage", async () => {
  const id = await newRun();
  let asked = 0;
  const workflow = async (run: Run) => {
    await run.stage("one", () =>
      run.compute(DRAWING, async () => {
        await sleep(QUIET_MS);
        await store.runs.cancel({ tenant_id: client.tenant, mode: "live" }, id);
        return "n";
      }),
    );
    await run.stage("two", () => eightCalls(run));
    return END;
  };
  const instance = new FakeInstance();
  const given = toyDependencies({ llm: counted(async () => ++asked) });
  await executeRun({ run_id: id, epoch: 1 }, instance.live(), toyWorkflow(workflow), given);
  expect([asked, (await rowOf(id)).phase]).toEqual([0, "canceled"]);
});

it("a run that is paused while the last record of a stage is written makes no calls of the next stage", async () => {
  const id = await newRun();
  let asked = 0;
  const instance = new FakeInstance();
  const pause = () => bindings.DB.prepare("UPDATE runs SET paused = 1, pauses = 1 WHERE id = ?").bind(id).run();
  const workflow = async (run: Run) => {
    await run.stage("one", async () => {
      await sleep(QUIET_MS);
      await run.record({ ...DRAWING, content: "n" });
    });
    await run.stage("two", () => eightCalls(run));
    return END;
  };
  const given = toyDependencies({ llm: counted(async () => ++asked), store: storeBefore(DRAWING.kind, pause) });
  void executeRun({ run_id: id, epoch: 1 }, instance.live(), toyWorkflow(workflow), given);
  await until("the step ends", async () => instance.results.has("segment"));
  expect(asked).toBe(0);
});

it.each([
  ["the record at the end of a stage", DRAWING.kind, 0],
  ["the record at the end of a long stage", DRAWING.kind, QUIET_MS],
  ["the answers of a model", TOY_ACTION.kind, 0],
])(
  "storage that is away for 20 minutes when %s shall be written: each call is paid for once",
  async (_, kind, quiet) => {
    const id = await newRun();
    let now = Date.now();
    const back = now + 20 * 60_000;
    const clock = { now: () => now, sleep: async (ms: number) => void (now += ms) };
    const away = async () => {
      if (now < back) throw new StorageUnavailableError("D1", "away");
    };
    let asked = 0;
    const workflow = async (run: Run) => {
      await run.stage("one", async () => {
        await sleep(quiet);
        await run.record({ ...DRAWING, content: "n" });
      });
      await run.stage("two", () => eightCalls(run));
      return END;
    };
    const given = toyDependencies({ llm: counted(async () => ++asked), clock, store: storeBefore(kind, away) });
    await executeRun({ run_id: id, epoch: 1 }, new FakeInstance().live(), toyWorkflow(workflow), given);
    const { llm_calls, phase } = await rowOf(id);
    expect({ asked, llm_calls, phase }).toEqual({ asked: 8, llm_calls: 8, phase: "completed" });
    expect(await artifactsOf(id)).toHaveLength(9);
  },
);

it("a drawing with a bug fails its own stage, not the next one", async () => {
  const id = await newRun();
  const workflow = async (run: Run) => {
    await run.stage("one", async () =>
      run.recordLater(DRAWING, () => {
        throw new Error("a bug");
      }),
    );
    await run.stage("two", () => run.step(TOY_ACTION, {}));
    return END;
  };
  runOnce(id, workflow, { llm: counted(async () => "x") });
  await untilPhase(id, "failed");
  expect(JSON.parse((await rowOf(id)).error!)).toMatchObject({
    code: "internal_error",
    detail: "The stage one failed because of an internal error; retry continues from its last finished step.",
  });
});
