/** The table of states and verbs, as the docs print it: a forbidden verb is a 409 that names the state. */
import { describe, expect, it } from "vitest";
import { VERBS, type Verb } from "#services/runs/states";
import { TERMINAL_STATUSES } from "#core/vocabulary";
import { bindings } from "../support/parley";
import { setUpRuns } from "../support/runs";
import { api, refusal } from "./api";

const { client, runToEnd, start, untilCompleted, untilFailed, untilStatus } = setUpRuns();

const verb = (name: Verb, id: string, body?: object) =>
  name === "delete"
    ? api("DELETE", `/v1/runs/${id}`, { key: client.test })
    : api("POST", `/v1/runs/${id}/${name}`, { key: client.test, body });

/** Creates a run that stays in the status. */
const INTO: Record<string, () => Promise<string>> = {
  input_required: async () => {
    const id = await start({ options: { human_stakeholder: true } });
    await untilStatus(id, "input_required");
    return id;
  },
  paused: async () => {
    const id = await start({ test: { latency_ms: 200 } });
    expect((await verb("pause", id)).body.status).toBe("paused");
    return id;
  },
  completed: async () => (await runToEnd({ options: { strategy: "single_model" } })).id,
  failed: async () => {
    const id = await start({ test: { faults: { llm: Array(20).fill("refusal") } } });
    await untilFailed(id);
    return id;
  },
  canceled: async () => {
    const id = await INTO.input_required!();
    expect((await verb("cancel", id)).body.status).toBe("canceled");
    return id;
  },
};

describe.each(Object.keys(INTO))("a run that is %s", (status) => {
  const verbs = Object.keys(VERBS) as Verb[];
  const takes = (name: Verb) => (VERBS[name].states as readonly string[]).includes(status);
  // One that waits for input is resumed only when it was paused, which the test below does.
  const refused = verbs.filter((name) => !takes(name) || (name === "resume" && status === "input_required"));
  const taken = verbs.filter((name) => !refused.includes(name));

  it(`refuses ${refused.join(", ")} with a 409 that names the state`, async () => {
    const id = await INTO[status]!();
    for (const name of refused) {
      const reply = await verb(name, id);
      expect(reply, name).toMatchObject(refusal(409, "wrong_state"));
      expect(reply.body.detail).toContain(status);
    }
    expect((await api("GET", `/v1/runs/${id}`, { key: client.test })).body.status).toBe(status);
  });

  it.each(taken)("takes %s", async (name) => {
    expect((await verb(name, await INTO[status]!())).status).toBe(name === "delete" ? 204 : 200);
  });
});

it("can be paused while it waits for input, once, and resumed, once", async () => {
  const id = await INTO.input_required!();
  expect((await verb("pause", id)).body.status).toBe("input_required");
  expect(await verb("pause", id)).toMatchObject(refusal(409, "wrong_state"));
  expect((await verb("resume", id)).body.status).toBe("input_required");
  expect(await verb("resume", id)).toMatchObject(refusal(409, "wrong_state"));
});

it("cancel after completion changes nothing", async () => {
  const id = await INTO.completed!();
  expect((await verb("cancel", id)).body.detail).toContain("completed");
  expect((await api("GET", `/v1/runs/${id}`, { key: client.test })).body).toMatchObject({
    status: "completed",
    output: { accepted: expect.any(Boolean) },
  });
});

it("a failed run has a problem as its error", async () => {
  const id = await INTO.failed!();
  const { error, finished_at } = (await api("GET", `/v1/runs/${id}`, { key: client.test })).body;
  expect(error).toMatchObject({ code: "output_refused", type: "/docs/errors#output_refused" });
  expect(finished_at).not.toBeNull();
});

describe.each(["cancel", "pause", "resume"] as const)("%s", (name) => {
  const ready = async () => {
    const id = await INTO.input_required!();
    if (name === "resume") await verb("pause", id);
    return id;
  };

  it("accepts no body, an empty one, or empty JSON", async () => {
    for (const options of [{}, { body: "" }, { body: {} }]) {
      const reply = await api("POST", `/v1/runs/${await ready()}/${name}`, { key: client.test, ...options });
      expect(reply.status, JSON.stringify(options)).toBe(200);
    }
  });

  it("refuses any field by its name, and changes nothing", async () => {
    const id = await ready();
    const before = (await api("GET", `/v1/runs/${id}`, { key: client.test })).body;
    expect(await verb(name, id, { reason: "x" })).toMatchObject(refusal(422, "validation_failed", "reason"));
    expect((await api("GET", `/v1/runs/${id}`, { key: client.test })).body).toEqual(before);
  });
});

it("the answers of pause, resume and cancel have the same `updated_at` as a GET", async () => {
  const id = await INTO.input_required!();
  let last = (await api("GET", `/v1/runs/${id}`, { key: client.test })).body.updated_at;
  for (const name of ["pause", "resume", "cancel"] as const) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { updated_at } = (await verb(name, id)).body;
    expect(updated_at > last, name).toBe(true);
    expect((await api("GET", `/v1/runs/${id}`, { key: client.test })).body.updated_at).toBe(updated_at);
    last = updated_at;
  }
});

describe("retry", () => {
  it("is refused for a run that was canceled and retried too often to be removed in one go", async () => {
    const id = await INTO.canceled!();
    const setEpoch = (epoch: number) =>
      bindings.DB.prepare("UPDATE runs SET epoch = ? WHERE id = ?").bind(epoch, id).run();
    await setEpoch(200);
    const refused = await verb("retry", id);
    expect(refused).toMatchObject(refusal(409, "wrong_state"));
    expect(refused.body.detail).toContain("199 times");
    await setEpoch(199);
    expect((await verb("retry", id)).status).toBe(200);
  });

  it("answers with the time at which it changed the run", async () => {
    const id = await INTO.canceled!();
    const { updated_at } = (await api("GET", `/v1/runs/${id}`, { key: client.test })).body;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await verb("retry", id)).body.updated_at > updated_at).toBe(true);
  });

  it("accepts no body, an empty one, or empty JSON", async () => {
    for (const options of [{}, { body: "" }, { body: {} }, { headers: { "content-type": "application/json" } }]) {
      const id = await INTO.canceled!();
      const reply = await api("POST", `/v1/runs/${id}/retry`, { key: client.test, ...options });
      expect(reply.status, JSON.stringify(options)).toBe(200);
      expect(TERMINAL_STATUSES).not.toContain(reply.body.status);
      expect(reply.body).toMatchObject({ error: null, output: null, finished_at: null });
    }
  });

  it("refuses unknown fields, and a stage that the run has not entered", async () => {
    const id = await INTO.canceled!();
    expect(await verb("retry", id, { stage: "x" })).toMatchObject(refusal(422, "validation_failed", "stage"));
    const later = await verb("retry", id, { from_stage: "specification" });
    expect(later).toMatchObject(refusal(422, "validation_failed", "from_stage"));
    expect(later.body.errors[0].message).toContain("elicitation");
    expect(await verb("retry", id, { limits: { max_tokens: 0 } })).toMatchObject(
      refusal(422, "validation_failed", "limits.max_tokens"),
    );
    expect((await verb("retry", id, { from_stage: "elicitation" })).status).toBe(200);
  });

  it("replaces the given limits, and keeps the others", async () => {
    const id = await start({ limits: { max_llm_calls: 1, timeout: "2h" } });
    expect((await untilFailed(id)).error.code).toBe("budget_exceeded");
    const reply = await verb("retry", id, { limits: { max_llm_calls: null, max_tokens: 1_000_000 } });
    expect(reply.body.limits).toEqual({
      max_llm_calls: null,
      max_tokens: 1_000_000,
      max_cost_usd: null,
      timeout: "2h",
      provider_wait: "15m",
    });
    await untilCompleted(id);
  });
});
