/**
 * Replay, on a stand-in for the platform's step object that keeps to what is documented: results by name survive, an event is
 * delivered once, a new life runs the same code again. (The local server delivers consumed events anew, which would hide faults.)
 */
import { expect, it } from "vitest";
import { bindings, makeTenant } from "../../support/parley";
import { Store } from "#store/store";
import { play } from "#engine/play";
import { newId } from "#core/ids";
import { LlmError } from "#llm";

const store = new Store(bindings.DB, bindings.BUCKET);
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
/** What the platform documents: results by name survive, events are delivered once; a new life replays. */
class Durable {
  results = new Map<string, any>();
  events: string[] = [];
  waiters = new Map<string, (() => void)[]>();
  log: string[] = [];
  send(type: string) {
    const w = this.waiters.get(type)?.shift();
    if (w) w();
    else this.events.push(type);
  }
}
/** As the platform does with a step that throws. */
async function attempts(fn: (how: { attempt: number }) => Promise<any>): Promise<any> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn({ attempt });
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}
function life(d: Durable, onSleep: () => void = () => {}) {
  const self = { dead: false };
  const gate = async <T>(v: T): Promise<T> => {
    await sleep(1);
    return self.dead ? new Promise<T>(() => {}) : v;
  };
  const step: any = {
    async do(name: string, _c: any, fn: any) {
      if (d.results.has(name)) return gate(d.results.get(name));
      d.log.push(name);
      const v = await attempts(fn);
      if (self.dead) return new Promise(() => {});
      d.results.set(name, v && JSON.parse(JSON.stringify(v)));
      return gate(d.results.get(name));
    },
    async waitForEvent(name: string, { type }: any) {
      if (d.results.has(name)) return gate(1);
      d.log.push(name);
      const i = d.events.indexOf(type);
      if (i >= 0) {
        d.events.splice(i, 1);
        d.results.set(name, 1);
        return gate(1);
      }
      await new Promise<void>((r) => {
        const l = d.waiters.get(type) ?? [];
        l.push(r);
        d.waiters.set(type, l);
      });
      d.results.set(name, 1);
      return gate(1);
    },
    async sleep(name: string) {
      if (d.results.has(name)) return gate(1);
      d.log.push(name);
      d.results.set(name, 1);
      onSleep();
      return gate(1);
    },
  };
  return {
    step,
    kill: () => {
      self.dead = true;
      d.waiters.clear();
    },
  };
}
const newRun = async (tenant: string, workflow: string) =>
  (await store.runs.create(
    {
      id: newId("run"),
      tenant_id: tenant,
      workflow,
      workflow_version: 1,
      mode: "live",
      input: {},
      options: { checkpoints: [], interaction_timeout: "7d", on_expiry: "proceed" },
      models: { roles: { r: { model: "x/y" } } },
      limits: { max_llm_calls: null, max_tokens: null, max_cost_usd: null, timeout: null },
      metadata: {},
      test: null,
      origin: "http://x",
      webhook: null,
    },
    1000,
  ))!.row;
const q = (key: string) => ({
  key,
  kind: "clarification" as const,
  prompt: "?",
  questions: [{ id: "q1", text: "?", type: "text" as const, required: true }],
});
const until = async <T>(what: string, f: () => Promise<T | false | undefined | null>, ms = 4000): Promise<T> => {
  for (const e = Date.now() + ms; Date.now() < e; await sleep(20)) {
    const v = await f();
    if (v) return v;
  }
  throw new Error("never: " + what);
};

const kinds = Object.fromEntries(["k", "note", "more"].map((kind) => [kind, { summary: "", send_to: ["all"] }]));
/** The least that an act needs. */
const action: any = {
  name: "act",
  role: "r",
  kind: "k",
  summary: "",
  prompt: "# System\nS\n\n# User\nU\n",
  variables: () => ({}),
  outcomes: ["x"],
  rehearse: () => "x",
};

it("after two parallel questions a replay issues the same waits as the first life", async () => {
  const { tenant } = await makeTenant();
  const workflows: any = {
    w: {
      name: "w",
      version: 1,
      kinds,
      run: async (run: any) => {
        await run.stage("one", async () => {
          await run.parallel(["a", "b"], (k: string) => run.ask(q(k)));
          return 1;
        });
        await run.stage("two", async () => {
          await run.ask(q("c"));
          return 1;
        });
        return { accepted: true, stop_reason: "x" };
      },
    },
  };
  const { id } = await newRun(tenant, "w");
  const deps: any = { store, llm: {}, llm_timeout_ms: 1000, startNext: async () => {}, deliver() {} };
  const d = new Durable();
  const first = life(d);
  void play({ run_id: id, epoch: 1 }, first.step, workflows, deps);
  const open = (n: number) =>
    until(`${n} open`, async () => {
      const o = await store.interactions.openOfRuns([id]);
      return o.length === n && o;
    });
  const [a, b] = await open(2);
  const answer = async (i: string) => {
    await store.interactions.answer(i, { answers: { q1: "x" } }, null);
    d.send(i);
  };
  await answer(a!.id);
  await sleep(300);
  await answer(b!.id);
  const [c] = await open(1);
  await until("waits for c", async () => d.log.some((n) => n.includes(c!.id)));
  first.kill(); // hibernated, or crashed
  const second = life(d);
  void play({ run_id: id, epoch: 1 }, second.step, workflows, deps);
  await sleep(300);
  await answer(c!.id);
  await sleep(1000);
  expect((await store.runs.get(tenant, id))!.phase).toBe("completed");
});

it("a provider that always asks to wait is given up after MAX_ATTEMPTS, though the instance sleeps and replays", async () => {
  const { tenant } = await makeTenant();
  let calls = 0;
  const workflows: any = {
    w: {
      name: "w",
      version: 1,
      kinds,
      run: async (run: any) => {
        await run.stage("one", () => run.act(action, {}));
        return { accepted: true, stop_reason: "x" };
      },
    },
  };
  const llm: any = {
    complete: async () => {
      calls++;
      throw new LlmError("provider_rate_limited", "wait", { retryable: true, retry_after_ms: 30_000 });
    },
  };
  const { id } = await newRun(tenant, "w");
  const d = new Durable();
  let lives = 0;
  const live = () => {
    if (++lives > 12) return;
    const l = life(d, () => {
      l.kill();
      setTimeout(live, 5);
    });
    void play({ run_id: id, epoch: 1 }, l.step, workflows, {
      store,
      llm,
      llm_timeout_ms: 1000,
      startNext: async () => {},
      deliver() {},
    } as any);
  };
  live();
  await sleep(4000);
  expect(calls).toBeLessThanOrEqual(6);
  expect(calls).toBeGreaterThan(1);
}, 15_000);

/** A database where the row of what no model made stands only when it is let through. */
function slowToWrite(): { db: D1Database; letThrough(): void } {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  const sql = new WeakMap<object, string>();
  const prepared = (statement: any, text: string): any => {
    sql.set(statement, text);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values: any[]) => prepared(bind(...values), values.includes("note") ? "note" : text);
    return statement;
  };
  const db = {
    prepare: (text: string) => prepared(bindings.DB.prepare(text), text),
    batch: async (statements: object[]) => {
      if (statements.some((statement) => sql.get(statement) === "note")) await held;
      return bindings.DB.batch(statements as D1PreparedStatement[]);
    },
  };
  return { db: db as unknown as D1Database, letThrough };
}

it("what no model made is being stored while the model is asked, and a life that is cut off then leaves nothing double", async () => {
  const { tenant } = await makeTenant();
  const asked: number[] = [];
  const notes = async (id: string) => (await store.artifacts.list(id, { kind: "note" }, 10, null)).rows;
  const workflows: any = {
    w: {
      name: "w",
      version: 1,
      kinds,
      run: async (run: any) => {
        await run.stage("one", async () => {
          const note = await run.record({ action: "write_note", kind: "note", role: "r", content: "n" });
          await run.act(action, {}, { inputs: [note] });
          return 1;
        });
        return { accepted: true, stop_reason: "x" };
      },
    },
  };
  const { id } = await newRun(tenant, "w");
  const d = new Durable();
  const { db, letThrough } = slowToWrite();
  const deps = (of: Store, complete: () => Promise<any>): any => ({
    store: of,
    llm: { complete },
    llm_timeout_ms: 1000,
    code_version: "0",
    startNext: async () => {},
    deliver() {},
  });
  const first = life(d);
  const cut = deps(new Store(db, bindings.BUCKET), async () => {
    asked.push((await notes(id)).length);
    return new Promise(() => {}); // its answer never comes
  });
  void play({ run_id: id, epoch: 1 }, first.step, workflows, cut);
  await until("the model is asked", async () => asked.length === 1);
  expect(asked).toEqual([0]);
  first.kill();
  const second = life(d);
  const usage = { llm_calls: 1, input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, cost_usd: null };
  const whole = deps(store, async () => {
    letThrough(); // what the first life had sent comes late
    await sleep(100);
    return { value: "x", model: "x/y", rung: "markdown", repairs: 0, tool_calls: [], usage };
  });
  void play({ run_id: id, epoch: 1 }, second.step, workflows, whole);
  await until("it has ended", async () => (await store.runs.get(tenant, id))!.phase === "completed");
  const [note, ...others] = await notes(id);
  expect(others).toEqual([]);
  const [made] = (await store.artifacts.list(id, { kind: "k" }, 10, null)).rows;
  expect(JSON.parse(made!.inputs)).toEqual([note!.id]);
});

it("of two lives that store the same, the later finds what the earlier has stored", async () => {
  const { tenant } = await makeTenant();
  const { db, letThrough } = slowToWrite();
  const { id } = await newRun(tenant, "w");
  const workflows: any = {
    w: {
      name: "w",
      version: 1,
      kinds,
      run: async (run: any) => {
        const made = await run.stage("one", async () => {
          const note = await run.record({ action: "write_note", kind: "note", role: "r", content: "n" });
          return run.record({ action: "write_more", kind: "more", role: "r", content: "m", inputs: [note] });
        });
        return { accepted: true, stop_reason: made.id };
      },
    },
  };
  const deps = (of: Store): any => ({
    store: of,
    llm: {},
    llm_timeout_ms: 1000,
    code_version: "0",
    startNext: async () => {},
    deliver() {},
  });
  const late = new Durable();
  void play({ run_id: id, epoch: 1 }, life(late).step, workflows, deps(new Store(db, bindings.BUCKET)));
  await until("the late one has entered", async () => (await store.runs.get(tenant, id))!.stage === "one");
  let end = () => {};
  const early = new Durable();
  const { step } = life(early);
  const ended = new Promise<void>((resolve) => (end = resolve));
  const patient = {
    ...step,
    do: async (name: string, ...rest: any[]) => (name === "finish" ? ended : step.do(name, ...rest)),
  };
  void play({ run_id: id, epoch: 1 }, patient, workflows, deps(store));
  await until("the early one is through", async () => early.results.has("one"));
  letThrough();
  await until("the late one ends the run", async () => (await store.runs.get(tenant, id))!.phase === "completed");
  end();
  const stored = (await store.artifacts.list(id, {}, 10, null)).rows;
  expect(stored.map(({ kind }) => kind)).toEqual(["note", "more"]);
  expect(JSON.parse(stored[1]!.inputs)).toEqual([stored[0]!.id]);
  const output = JSON.parse((await store.runs.get(tenant, id))!.output!);
  expect(output.stop_reason).toBe(stored[1]!.id);
});
