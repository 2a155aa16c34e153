/** The traces and data points of ended runs. */
import { beforeAll, describe, expect, it } from "vitest";
import { readSettings, type Settings } from "#services/settings";
import { makePlatform } from "#cloudflare/platform";
import { Store } from "#store/store";
import { reportEnds } from "#services/telemetry/report-ends";
import { bindings, hookUrl, planFromMock, planHook, planModel, replan, tracesOf, until } from "../../support/parley";
import { setUpRuns } from "../../support/runs";

const { client, live, openInteraction, start, verb } = setUpRuns();

const store = new Store(bindings.DB, bindings.BUCKET);

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, any>;
  events: { name: string }[];
  status: { code?: number; message?: string };
}

const plain = (attributes: { key: string; value: Record<string, any> }[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, "intValue" in value ? Number(value.intValue) : Object.values(value)[0]]),
  );

/** The spans of a run that a collector received, in order of arrival. */
async function spansAt(collector: string, run: string): Promise<Span[]> {
  const spans = (await tracesOf(collector)).flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((of: any) => of.scopeSpans.flatMap((scope: any) => scope.spans)),
  );
  return spans
    .map((span: any) => ({ ...span, attributes: plain(span.attributes) }))
    .filter((span: Span) => span.attributes["gen_ai.conversation.id"] === run);
}

const small = { input: { idea: "A zeppelin ferry" }, options: { qa_rounds: 0 } };

async function completedLive(): Promise<string> {
  const id = await live.start({ ...small, models: await planModel(await planFromMock(client, small)) });
  await live.untilCompleted(id);
  return id;
}

describe("the maintenance worker", () => {
  it("exports a finished run's trace once: the run, its stages, its steps, and the model in each step", async () => {
    const id = await completedLive();
    const spans = await until("the trace", async () => {
      const found = await spansAt("collector", id);
      return found.length > 0 && found;
    });
    const artifacts = await live.artifactsOf(id);
    const byModel = artifacts.filter((artifact) => artifact.model !== null);
    const named = (name: RegExp) => spans.filter((span) => name.test(span.name));
    const [root] = named(/^invoke_workflow requirements$/);
    expect(root).toMatchObject({
      attributes: {
        "gen_ai.operation.name": "invoke_workflow",
        "parley.run.status": "completed",
        "parley.run.epoch": 1,
      },
      status: {},
    });
    expect(root!.parentSpanId).toBeUndefined();
    expect(root!.events.map(({ name }) => name)).toEqual(["run.created", "run.started", "run.completed"]);
    const stages = named(/^stage /);
    expect(stages.map(({ name }) => name)).toEqual(
      ["elicitation", "modeling", "verification", "specification"].map((stage) => `stage ${stage}`),
    );
    for (const stage of stages) expect(stage.parentSpanId).toBe(root!.spanId);

    const steps = spans.filter((span) => "parley.step" in span.attributes);
    expect(steps.map((span) => span.attributes["parley.step"]).sort()).toEqual(
      artifacts.map(({ step }) => step).sort(),
    );
    for (const step of steps) {
      const stage = stages.find(({ spanId }) => spanId === step.parentSpanId);
      expect(stage?.attributes["parley.stage"]).toBe(step.attributes["parley.stage"]);
    }
    const chats = named(/^chat /);
    expect(chats).toHaveLength(byModel.length);
    expect(chats[0]!.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 20,
      "gen_ai.usage.cache_read.input_tokens": 40,
      "parley.llm_calls": 1,
    });
    expect(steps.map(({ spanId }) => spanId)).toContain(chats[0]!.parentSpanId);

    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    for (const span of spans) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    }
    const request = (await tracesOf("collector")).find(({ body }) => body.includes(id));
    expect(request!.headers).toMatchObject({ "content-type": "application/json", authorization: "Bearer collector" });
    expect(await store.runEnds.due(Date.now(), 100)).not.toContainEqual(expect.objectContaining({ run_id: id }));
    expect(JSON.stringify(spans)).not.toMatch(/zeppelin/i);
  });

  it("exports each end of a run that is retried, in one trace, and no step twice", async () => {
    const plan = await planFromMock(client, small);
    const late = Object.keys(plan).find((step) => step.startsWith("specification/"));
    const broken = { ...plan, [late!]: [{ status: 400, body: { error: { message: "no" } } }] };
    const models = await planModel(broken);
    const id = await live.start({ ...small, models });
    await live.untilFailed(id);

    await replan(models, plan);
    await live.verb(id, "retry", {});
    await live.untilCompleted(id);
    const spans = await until("both ends", async () => {
      const found = await spansAt("collector", id);
      return found.filter(({ name }) => name.startsWith("invoke_workflow")).length === 2 && found;
    });
    const [failed, completed] = spans.filter(({ name }) => name.startsWith("invoke_workflow"));
    expect(failed).toMatchObject({
      attributes: { "error.type": "provider_refused_request", "parley.run.epoch": 1 },
      status: { code: 2, message: "The model provider refused the request" },
    });
    expect(completed).toMatchObject({ attributes: { "parley.run.epoch": 2 }, status: {} });
    expect(completed!.events[0]!.name).toBe("run.retried");
    expect(completed!.traceId).toBe(failed!.traceId);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const steps = spans.flatMap((span) => span.attributes["parley.step"] ?? []);
    expect(steps.sort()).toEqual((await live.artifactsOf(id)).map(({ step }) => step).sort());
  });

  it("exports a run that was canceled while it waited, with its question", async () => {
    const id = await start({ options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
    const { id: interaction } = await openInteraction(id);
    await verb(id, "cancel");
    const [root, ...others] = await until("the trace", async () => {
      const found = await spansAt("collector", id);
      return found.length > 0 && found;
    });
    expect(root).toMatchObject({ attributes: { "parley.run.status": "canceled" } });
    expect(root!.events.map(({ name }) => name)).toContain("run.input_required");
    expect(JSON.stringify(root!.events)).toContain(interaction);
    expect(others.some(({ name }) => name === "chat mock")).toBe(true);
  });
});

describe("reporting an end", () => {
  /** A time of this test in the far future, so that the maintenance worker finds no due end. */
  let clock = Date.UTC(2100, 0, 1);
  const HOUR = 3_600_000;
  let run: string;
  beforeAll(async () => {
    run = await completedLive();
    await until("the maintenance worker is done with it", async () => (await spansAt("collector", run)).length);
  });

  /** Restores the end of the run as unreported. */
  async function again(): Promise<void> {
    clock += 1000 * HOUR;
    await bindings.DB.prepare("DELETE FROM run_ends").run(); // ends from other tests would be due earlier
    await bindings.DB.prepare(
      "INSERT INTO run_ends (run_id, epoch, tenant_id, phase, ended_at, due_at) SELECT id, 1, tenant_id, phase, finished_at, ?2 FROM runs WHERE id = ?1",
    )
      .bind(run, clock)
      .run();
  }
  const left = () => bindings.DB.prepare("SELECT * FROM run_ends WHERE run_id = ?").bind(run).first<any>();
  const report = (collector: string, more: Partial<Settings["otlp"] & object> = {}, env: object = {}) => {
    const settings = readSettings(bindings);
    const otlp = { ...settings.otlp!, url: `${hookUrl(collector)}/v1/traces`, ...more };
    const platform = makePlatform({ ...bindings, ...env });
    return reportEnds({ store, platform, settings: { ...settings, otlp } }, { now: clock, limit: 10 });
  };

  it("that is exported twice has the same ids, so that a repetition adds nothing", async () => {
    await again();
    await report("twice");
    await again();
    await report("twice");
    const spans = await spansAt("twice", run);
    const half = spans.length / 2;
    expect(half).toBeGreaterThan(10);
    expect(spans.slice(half)).toEqual(spans.slice(0, half));
    expect(await left()).toBeNull();
  });

  it("is retried with growing delays while the collector refuses it temporarily, and then succeeds", async () => {
    await again();
    await planHook("busy", [503, 429, 200]);
    await report("busy");
    expect(await left()).toMatchObject({ attempts: 1, due_at: clock + 10_000 });
    await report("busy");
    expect(await left()).toMatchObject({ attempts: 1 });
    clock += 10_000;
    await report("busy");
    expect(await left()).toMatchObject({ attempts: 2, due_at: clock + 20_000 });
    clock += 20_000;
    await report("busy");
    expect(await left()).toBeNull();
    expect(await tracesOf("busy")).toHaveLength(3);
  });

  it("is retried while the collector cannot be reached", async () => {
    await again();
    await report("nowhere", { url: "http://127.0.0.1:9/v1/traces" });
    expect(await left()).toMatchObject({ attempts: 1 });
    await store.runEnds.deleteReported(await left());
  });

  it("is given up when the collector refuses it permanently", async () => {
    await again();
    await planHook("strict", [400]);
    await report("strict");
    expect(await left()).toBeNull();
    expect(await tracesOf("strict")).toHaveLength(1);
  });

  it("has contents only when capturing is enabled", async () => {
    await again();
    await report("discreet");
    await again();
    await report("open", { capture_content: true });
    expect(JSON.stringify(await spansAt("discreet", run))).not.toMatch(/zeppelin/i);
    const [root, ...others] = await spansAt("open", run);
    expect(JSON.parse(root!.attributes["gen_ai.input.messages"])).toEqual([
      { role: "user", parts: [{ type: "text", content: expect.stringContaining("A zeppelin ferry") }] },
    ]);
    const answers = others.filter((span) => "gen_ai.output.messages" in span.attributes);
    expect(answers.length).toBe(others.filter(({ name }) => name.startsWith("chat ")).length);
    expect(JSON.stringify(answers)).toMatch(/zeppelin/i);
  });

  it("writes one data point to Analytics Engine, also when its trace must be sent again", async () => {
    const points: any[] = [];
    const ANALYTICS = { writeDataPoint: (point: unknown) => void points.push(point) };
    await again();
    await planHook("counted", [503, 200]);
    await report("counted", {}, { ANALYTICS });
    clock += 10_000;
    await report("counted", {}, { ANALYTICS });
    expect(await left()).toBeNull();
    const { body } = await live.send("GET", `/v1/runs/${run}`);
    expect(points).toEqual([
      {
        indexes: [client.tenant],
        blobs: [run, "requirements", "live", "completed", "", "0.1.0"],
        doubles: [
          1,
          Date.parse(body.finished_at) - Date.parse(body.created_at),
          expect.any(Number),
          body.progress.steps_done,
          body.usage.llm_calls,
          body.usage.input_tokens,
          body.usage.cached_input_tokens,
          body.usage.output_tokens,
          0,
        ],
      },
    ]);
  });

  it("is deleted when no telemetry is configured", async () => {
    await again();
    const settings = readSettings(bindings);
    const services = { store, platform: makePlatform(bindings), settings: { ...settings, otlp: null } };
    await reportEnds(services, { now: clock, limit: 10 });
    expect(await left()).toBeNull();
  });
});
