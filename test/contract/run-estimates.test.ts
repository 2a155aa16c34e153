/** `POST /v1/runs/estimate`: a range, from which what runs then use does not stray. */
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { estimateSchema, type RunEstimate } from "#services/runs/estimate-schema";
import { newDataset } from "../support/experiments";
import { addKey, bindings, type Client, makeTenant, runWithStatus, start } from "../support/parley";
import { api, refusal, startBody } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const estimate = (body: object, key = client.test) => api("POST", "/v1/runs/estimate", { key, body });

const choices = [
  { label: "A", text: "Yes, from its receipt." },
  { label: "B", text: "No, not before an answer." },
];
const question = "Is a signed offer of a merchant binding for three months?";
const evidence = [{ source: "Code", text: "A signed offer of a merchant is binding for the time that it states." }];
const REQUESTS: [name: string, request: Record<string, any>][] = [
  ["requirements", { input: { idea: "A library that lends tools to neighbours, for a day or a week." } }],
  ["requirements, paper", { input: { idea: "A shelf for books." }, options: { profile: "paper" } }],
  ["requirements, one iteration", { input: { idea: "A shelf for books." }, options: { max_iterations: 1 } }],
  ["requirements, no questions", { input: { idea: "A cash machine." }, options: { qa_rounds: 0 } }],
  ["requirements, single model", { input: { idea: "A cash machine." }, options: { strategy: "single_model" } }],
  ["waterfall", { input: { requirement: "Plan a week in Lisbon." }, options: { clarification: "infer" } }],
  ["waterfall, skip", { input: { requirement: "Add 2 and 3." }, options: { clarification: "skip" } }],
  ["waterfall, single agent", { input: { requirement: "Add 2 and 3." }, options: { strategy: "single_agent" } }],
  ["waterfall, paper", { input: { requirement: "Add 2." }, options: { profile: "paper", clarification: "infer" } }],
  ["debate", { input: { question, choices } }],
  ["debate, evidence", { input: { question, choices, evidence } }],
  ["debate, open", { input: { question } }],
  ["debate, three rounds", { input: { question, choices }, options: { rounds: 3 } }],
  ["debate, single agent", { input: { question, choices }, options: { strategy: "single_agent" } }],
  ["debate, votes", { input: { question, choices }, options: { strategy: "self_consistency" } }],
  ["ideation", { input: { topic: "Calibration of models." }, options: { ideas: 3, proposals: 1 } }],
  ["ideation, two trials", { input: { topic: "Calibration." }, options: { ideas: 2, trials: 2, expand: "none" } }],
  ["ideation, baseline", { input: { topic: "Memory." }, options: { preset: "baseline", ideas: 2, proposals: 1 } }],
  ["plain", { input: { question } }],
  ["plain, a choice", { input: { question, choices } }],
];

describe("what runs use lies in their estimate", () => {
  it.each(REQUESTS)("%s", async (name, request) => {
    const body = { workflow: name.split(",")[0], ...request };
    const { status, body: range } = await estimate(body);
    expect(status).toBe(200);
    estimateSchema.parse(range);
    const { usage } = await runWithStatus(client.test, await start(client.test, body), "completed");
    expect(usage.llm_calls).toBeGreaterThanOrEqual(range.calls.low);
    expect(usage.llm_calls).toBeLessThanOrEqual(range.calls.high);
    for (const tokens of ["input_tokens", "output_tokens"] as const) {
      expect(usage[tokens], tokens).toBeGreaterThanOrEqual(range[tokens].low);
      expect(usage[tokens], tokens).toBeLessThanOrEqual(range[tokens].high);
    }
    expect(range.cost_usd).toEqual({ low: 0, high: 0 });
  });

  it("a run that takes every loop uses the upper bound of calls", async () => {
    const body = startBody({ options: { max_iterations: 2 } });
    const { body: range } = await estimate(body);
    const test = { script: { check_requirement: ["reject", "reject"] } };
    const run = await runWithStatus(client.test, await start(client.test, { ...body, test }), "completed");
    expect(run.usage.llm_calls).toBe(range.calls.high);
  });
});

describe("an estimate", () => {
  it("stores and starts nothing", async () => {
    const tenant = await makeTenant();
    await estimate(startBody(), tenant.test);
    const { results } = await bindings.DB.prepare("SELECT id FROM runs WHERE tenant_id = ?").bind(tenant.tenant).all();
    expect(results).toEqual([]);
  });

  it("uses the tenant's earlier runs of the workflow when there are five", async () => {
    const tenant = await makeTenant();
    const body = { workflow: "plain", input: { question } };
    const before = (await estimate(body, tenant.test)).body as RunEstimate;
    expect(before.earlier_runs).toBe(0);
    for (let run = 0; run < 5; run++) await runWithStatus(tenant.test, await start(tenant.test, body), "completed");
    const after = (await estimate(body, tenant.test)).body as RunEstimate;
    expect(after.earlier_runs).toBe(5);
    const width = ({ output_tokens: { low, high } }: RunEstimate) => high - low;
    expect(width(after)).toBeLessThan(width(before));
    const other = await makeTenant();
    expect((await estimate(body, other.test)).body.earlier_runs).toBe(0);
  });

  it("of a live run has the price of its models, and names those without one", async () => {
    const body = { workflow: "plain", input: { question } };
    const priced = (await estimate({ ...body, models: { default: "openai/m" } }, client.live)).body as RunEstimate;
    expect(priced.unpriced_models.length === 0).toBe(priced.cost_usd !== null);
    const { body: unpriced } = await estimate({ ...body, models: { default: "openai/unheard-of" } }, client.live);
    expect(unpriced).toMatchObject({ cost_usd: null, unpriced_models: ["openai/unheard-of"] });
    expect(unpriced.notes).toContain("Set prices in PROVIDERS to get a cost.");
  });

  it("of an experiment adds up its trials, by variant", async () => {
    const made = await api("POST", "/v1/datasets", { key: client.test, body: { name: "A", workflow: "debate" } });
    const lines = Array.from({ length: 12 }, (_, index) =>
      JSON.stringify({
        id: `q${index}`,
        input: { question: `${question} (${index})`, choices },
        gold: { choice: "A" },
      }),
    );
    await api("POST", `/v1/datasets/${made.body.id}/items`, {
      key: client.test,
      body: lines.join("\n"),
      headers: { "content-type": "application/x-ndjson" },
    });
    await api("POST", `/v1/datasets/${made.body.id}/close`, { key: client.test });
    const variants = [
      { name: "one", workflow: "plain" },
      { name: "many", workflow: "debate", options: { rounds: 1 } },
    ];
    const { status, body } = await estimate({
      workflow: "experiment",
      input: { dataset_id: made.body.id, variants },
      options: { repetitions: 2 },
    });
    expect(status).toBe(200);
    z.object({ children: z.array(z.any()).length(2) }).parse(body);
    expect(body.children[0]).toMatchObject({ name: "one", runs: 24, calls: { low: 24, high: 24 } });
    expect(body.children[1].calls.low).toBeGreaterThanOrEqual(24 * 3);
    expect(body.calls.low).toBe(body.children[0].calls.low + body.children[1].calls.low);
  });

  it("of an experiment says that it is too low where a trial makes more calls than are counted", async () => {
    const items = [{ id: "t1", input: { topic: "Memory." } }];
    const dataset_id = await newDataset(client.test, items, "ideation");
    const options = { ideas: 20, trials: 100, proposals: 50, critics: 8, depth: 8 };
    const variants = [{ name: "large", workflow: "ideation", options }];
    const { status, body } = await estimate({ workflow: "experiment", input: { dataset_id, variants } });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { notes: expect.arrayContaining([expect.stringContaining("too low")]) },
    });
  });

  it("of an experiment counts the calls of its judges", async () => {
    const made = await api("POST", "/v1/datasets", { key: client.test, body: { name: "B", workflow: "debate" } });
    const path = `/v1/datasets/${made.body.id}`;
    const headers = { "content-type": "application/x-ndjson" };
    const item = JSON.stringify({ id: "q", input: { question } });
    await api("POST", `${path}/items`, { key: client.test, body: item, headers });
    await api("POST", `${path}/close`, { key: client.test });
    const variants = ["a", "b"].map((name) => ({ name, workflow: "plain" }));
    const request = (metrics: unknown[]) => ({
      workflow: "experiment",
      input: { dataset_id: made.body.id, variants },
      options: { metrics },
    });
    const { status, body } = await estimate(request([{ name: "fair_eval", samples: 2 }]));
    expect(status).toBe(200);
    // A call of each variant, and for the second, which is compared with the first, two samples in both orders.
    expect(body.calls).toEqual({ low: 2 + 4, high: 2 + 4 });
    const run = await start(client.test, request([{ name: "fair_eval", samples: 2 }]));
    const { usage } = await runWithStatus(client.test, run, "completed");
    expect(usage.llm_calls).toBe(2 + 4);
  });

  it("lists every error that the run would have, and asks for the scope to start it", async () => {
    expect(await estimate({ workflow: "requirements", input: {} })).toMatchObject(
      refusal(422, "validation_failed", "input.idea"),
    );
    expect(await estimate(startBody(), await addKey(client.tenant, "test", ["runs:read"]))).toMatchObject(
      refusal(403, "missing_scope"),
    );
  });
});
