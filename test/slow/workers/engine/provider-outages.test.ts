import { rowOf } from "../../../support/runs";
/** A model that does not answer is waited for, asked again with growing pauses, or replaced by another model of its role. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "#engine/instance/instance";
import { executeRun } from "#engine/execute-run";
import { LlmError, type ModelCall } from "#llm";
import { Store } from "#store/store";
import type { Run } from "#workflow-kit/run";
import { FakeInstance } from "../../../support/fake-instance";
import { bindings, eventsOf, makeTenant } from "../../../support/parley";
import { newToyRun, TOY_ACTION, toyDependencies, toyModel, toyWorkflow } from "../../../support/toy-runs";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const store = new Store(bindings.DB, bindings.BUCKET);

let client: Awaited<ReturnType<typeof makeTenant>>;
beforeAll(async () => {
  client = await makeTenant();
});

/** Time that passes only while the instance, or a step between two quick attempts, sleeps. */
class SleepClock implements Clock {
  ms = Date.parse("2026-01-01T00:00:00Z");
  readonly begin = this.ms;
  now = (): number => this.ms;
  sleep = async (ms: number): Promise<void> => void (this.ms += ms);
}

const unreachable = () => new LlmError("provider_unreachable", "x/y could not be reached.", { retryable: true });
const two = async (run: Run) => {
  await run.stage("one", () => run.parallel(["1", "2"], (key) => run.step(TOY_ACTION, {}, { key })).then(() => null));
  await run.stage("two", () => run.step(TOY_ACTION, {}).then(() => null));
  return { accepted: true, stop_reason: "x" };
};

const ONE_REQUEST = {
  llm_calls: 1,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: null,
};

interface Settings {
  /** Of the run. */
  limits?: object;
  model?: object;
  /** Answers a call, or throws, at a time after the run's beginning in milliseconds. */
  answer(model: string, at: number): void;
  /** Each sleep ends the life of the instance, and a replay continues. */
  replays?: boolean;
  run_id?: string;
  epoch?: number;
}

/** Executes a run on virtual time; returns how it ended. */
async function runWith({ limits = {}, model = {}, answer, replays = false, run_id, epoch = 1 }: Settings) {
  const id = run_id ?? (await newToyRun(store, client.tenant, { limits, model }));
  const clock = new SleepClock();
  const asked: { model: string; at: number }[] = [];
  const llm = toyModel(async (call: ModelCall<any>) => {
    const at = clock.now() - clock.begin;
    asked.push({ model: call.model.model, at });
    await call.reserve?.({ calls: 1, tokens: 1, cost_usd: null });
    try {
      answer(call.model.model, at);
    } finally {
      call.spent?.(ONE_REQUEST);
    }
    return "x";
  });
  const named = {
    ...llm,
    complete: async (call: ModelCall<any>) => ({ ...(await llm.complete(call)), model: call.model.model }),
  };
  const deps = toyDependencies({ store, llm: named as typeof llm, clock });
  const instance = new FakeInstance();
  const ended = Promise.withResolvers<void>();
  const live = () => {
    const life = instance.live({
      onSleep: (ms) => {
        clock.ms += ms;
        if (!replays) return;
        life.end();
        live();
      },
    });
    void executeRun({ run_id: id, epoch }, life, toyWorkflow(two), deps).then(ended.resolve, ended.reject);
  };
  live();
  await ended.promise;
  const row = await rowOf(id);
  const events = await eventsOf(client.live, id);
  return {
    id,
    row,
    error: row.error === null ? null : JSON.parse(row.error),
    asked,
    took: clock.now() - clock.begin,
    steps: instance.begun.length,
    events: events.map(({ type }) => type),
    dataOf: (type: string) => events.filter((event) => event.type === type).map(({ data }) => data),
    artifacts: (await store.artifacts.list(id, {}, 10, null)).rows,
  };
}

describe.each([false, true])("a model that does not answer (replayed after each sleep: %s)", (replays) => {
  it("for ten minutes: the run waits, tells it once, and completes soon after the return", async () => {
    const ended = await runWith({
      replays,
      answer: (_, at) => {
        if (at < 10 * MINUTE) throw unreachable();
      },
    });
    expect(ended.row.phase).toBe("completed");
    expect(ended.took).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(ended.took).toBeLessThan(12 * MINUTE);
    expect(ended.steps).toBeLessThan(70);
    const [failing, ...others] = ended.dataOf("run.provider_failing");
    expect(others).toEqual([]);
    expect(failing).toMatchObject({
      status: "running",
      provider: "x",
      model: "x/y",
      code: "provider_unreachable",
      reason: "It cannot be reached.",
      since: expect.stringMatching(/^2026-01-01T00:00:/),
      next_attempt_at: expect.stringMatching(/^2026-01-01T00:00:/),
    });
    expect(ended.dataOf("run.provider_recovered")).toEqual([
      expect.objectContaining({ provider: "x", model: "x/y", since: failing.since }),
    ]);
    expect(JSON.parse(ended.row.outages)).toEqual({});
  });

  it("for longer than the run may wait: it fails as provider_unavailable, and retry continues from there", async () => {
    let back = false;
    const answer = () => {
      if (!back) throw unreachable();
    };
    const failed = await runWith({ replays, answer, limits: { provider_wait: "5m" } });
    expect(failed.error).toMatchObject({ code: "provider_unavailable", status: 503 });
    expect(failed.error.detail).toContain("x/y could not be reached. The run has waited");
    expect(failed.error.detail).toContain("5m");
    expect(failed.took).toBeGreaterThanOrEqual(5 * MINUTE);
    expect(failed.took).toBeLessThan(5 * MINUTE + 30 * SECOND);
    expect(failed.dataOf("run.provider_failing")).toHaveLength(1);
    expect(failed.dataOf("run.provider_recovered")).toEqual([]);
    back = true;
    const change = { from_stage: null, limits: null, workflow_version: 1 };
    const { epoch } = (await store.runs.retry(failed.row, failed.id, change))!;
    const retried = await runWith({ replays, answer, run_id: failed.id, epoch });
    expect(retried.row.phase).toBe("completed");
    expect(retried.dataOf("run.provider_recovered")).toEqual([]);
  });
});

it("a wait of a day takes few steps", async () => {
  const ended = await runWith({
    limits: { provider_wait: "1d" },
    answer: (_, at) => {
      if (at < 23 * HOUR) throw unreachable();
    },
  });
  expect(ended.row.phase).toBe("completed");
  expect(ended.steps).toBeLessThan(400);
});

it("attempts during the wait use none of the run's calls up", async () => {
  const ended = await runWith({
    limits: { max_llm_calls: 11 }, // two steps find the outage with four calls each, then three answers
    answer: (_, at) => {
      if (at < 10 * MINUTE) throw unreachable();
    },
  });
  expect(ended.error).toBeNull();
  expect(ended.asked.length).toBeGreaterThan(30);
  expect(ended.row.llm_calls).toBe(11);
});

it("a second outage of the same run is told again", async () => {
  let calls = 0;
  const ended = await runWith({
    answer: () => {
      calls++;
      if (calls < 12 || (calls > 13 && calls < 24)) throw unreachable();
    },
  });
  expect(ended.row.phase).toBe("completed");
  expect(ended.dataOf("run.provider_failing")).toHaveLength(2);
  expect(ended.dataOf("run.provider_recovered")).toHaveLength(2);
});

it("a provider's Retry-After is respected within the wait, and one beyond it fails the run at once", async () => {
  const limited = (seconds: number) =>
    new LlmError("provider_rate_limited", "x/y answered 429.", { retryable: true, retry_after_ms: seconds * SECOND });
  const within = await runWith({
    answer: (_, at) => {
      if (at < 10 * MINUTE) throw limited(10 * 60);
    },
  });
  expect(within.row.phase).toBe("completed");
  expect(within.took).toBe(10 * MINUTE);
  expect(within.dataOf("run.provider_failing")[0].reason).toBe("It is overloaded, or limits the requests.");
  const beyond = await runWith({
    answer: () => {
      throw limited(7200);
    },
  });
  expect(beyond.error.code).toBe("provider_rate_limited");
  expect(beyond.error.detail).toContain("7200 s");
  expect(beyond.took).toBe(0);
});

it("an error that does not pass by itself is not waited for", async () => {
  const ended = await runWith({
    answer: () => {
      throw new LlmError("provider_refused_request", "x/y answered 401: Incorrect API key", { retryable: false });
    },
  });
  expect(ended.error).toMatchObject({ code: "provider_refused_request" });
  expect(ended.error.detail).toContain("Incorrect API key");
  expect(ended.took).toBe(0);
  expect(ended.events).not.toContain("run.provider_failing");
});

describe("with fallback models", () => {
  const model = { model: "a/x", fallbacks: ["b/y", "c/z"] };

  it("the next one answers while the first fails, without a wait, and the first is asked again when its time has come", async () => {
    const ended = await runWith({
      model,
      answer: (name) => {
        if (name === "a/x") throw unreachable();
      },
    });
    expect(ended.row.phase).toBe("completed");
    expect(ended.took).toBeLessThan(10 * SECOND);
    expect(ended.artifacts.map((row) => row.model)).toEqual(["b/y", "b/y", "b/y"]);
    // Two steps at once find that it fails; the third knows.
    expect(ended.asked.filter((one) => one.model === "a/x").length).toBeLessThanOrEqual(6);
    expect(ended.asked.at(-1)!.model).toBe("b/y");
    expect(ended.dataOf("run.provider_failing")).toEqual([expect.objectContaining({ provider: "a", model: "a/x" })]);
  });

  it("a model that its provider does not know is asked once", async () => {
    const ended = await runWith({
      model,
      answer: (name) => {
        const unknown = { retryable: false, model_refused: true, model: name };
        if (name !== "c/z") throw new LlmError("provider_refused_request", `${name} answered 404.`, unknown);
      },
    });
    expect(ended.row.phase).toBe("completed");
    expect(ended.artifacts.map((row) => row.model)).toEqual(["c/z", "c/z", "c/z"]);
    expect(ended.asked.filter((one) => one.model === "a/x")).toHaveLength(2);
    expect(ended.events).not.toContain("run.provider_failing");
  });

  it("a key that is refused, or missing, moves on to the next one, which the artifacts name", async () => {
    const refused = { retryable: false, model_refused: true };
    const ended = await runWith({
      model,
      answer: (name) => {
        if (name === "a/x")
          throw new LlmError("provider_refused_request", "a/x answered 401.", { ...refused, model: name });
        if (name === "b/y") throw new LlmError("provider_key_required", "Set your own key.", refused);
      },
    });
    expect(ended.row.phase).toBe("completed");
    expect(ended.artifacts.map((row) => row.model)).toEqual(["c/z", "c/z", "c/z"]);
  });

  it("when all of them fail the run waits, and takes the first that answers", async () => {
    const ended = await runWith({
      model,
      answer: (name, at) => {
        if (at < 3 * MINUTE || name !== "b/y")
          throw new LlmError("provider_unavailable", "down", { retryable: true, model: name });
      },
    });
    expect(ended.row.phase).toBe("completed");
    expect(new Set(ended.artifacts.map((row) => row.model))).toEqual(new Set(["b/y"]));
    expect(ended.dataOf("run.provider_failing").map((data) => data.model)).toEqual(["a/x", "b/y", "c/z"]);
    expect(ended.dataOf("run.provider_recovered").map((data) => data.model)).toEqual(["b/y"]);
  });

  it("when one is unknown and the other fails, the run waits for the latter", async () => {
    const ended = await runWith({
      model: { model: "a/x", fallbacks: ["b/y"] },
      answer: (name, at) => {
        const unknown = { retryable: false, model_refused: true, model: name };
        if (name === "a/x") throw new LlmError("provider_refused_request", "a/x answered 404.", unknown);
        if (at < 3 * MINUTE) throw new LlmError("provider_unavailable", "down", { retryable: true, model: name });
      },
    });
    expect(ended.row.phase).toBe("completed");
    expect(ended.took).toBeGreaterThanOrEqual(3 * MINUTE);
  });

  it("when none of them is known, the run fails with the last one's message", async () => {
    const ended = await runWith({
      model,
      answer: (name) => {
        throw new LlmError("provider_refused_request", `${name} answered 404.`, {
          retryable: false,
          model_refused: true,
          model: name,
        });
      },
    });
    expect(ended.error).toMatchObject({ code: "provider_refused_request" });
    expect(ended.error.detail).toContain("c/z answered 404.");
  });
});
