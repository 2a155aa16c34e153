/** The contracts of four workflows, inputs, outputs, reviews, and the outcomes that the mock model runs. */
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { artifactsOf, call, type Client, makeTenant, openInteraction, runWithStatus, start } from "../support/parley";
import { api, refusal } from "./api";

interface Contract {
  name: string;
  /** The field of the input that has the text. */
  text: string;
  optional: string[];
  output: string[];
  /** Options of a short run. */
  short: { input: Record<string, unknown>; options: Record<string, unknown> };
  review_kind: string;
}

const CONTRACTS: Contract[] = [
  {
    name: "requirements",
    text: "idea",
    optional: ["title", "background", "stakeholders", "draft", "model"],
    output: ["accepted", "document", "specification", "draft", "model", "error_report", "iterations", "stop_reason"],
    short: { input: { idea: "A library that lends tools." }, options: { qa_rounds: 0 } },
    review_kind: "requirement_draft",
  },
  {
    name: "waterfall",
    text: "requirement",
    optional: ["context"],
    output: ["answer", "accepted", "gherkin", "plan", "pseudocode", "code", "executions", "stop_reason"],
    short: { input: { requirement: "Count to ten." }, options: { clarification: "skip" } },
    review_kind: "task_plan",
  },
  {
    name: "debate",
    text: "question",
    optional: ["choices", "jurisdiction", "language", "evidence", "corpus_ids"],
    output: [
      "answer",
      "confidence",
      "rationale",
      "checklist",
      "winner",
      "citations",
      "invented_citations",
      "rounds",
      "stop_reason",
    ],
    short: {
      input: {
        question: "Is a signed offer binding?",
        choices: [
          { label: "A", text: "Yes." },
          { label: "B", text: "No." },
        ],
      },
      options: { solvers: 0 },
    },
    review_kind: "option_ranking",
  },
  {
    name: "ideation",
    text: "topic",
    optional: ["papers", "existing_ideas", "corpus_ids"],
    output: ["ideas", "kept", "dropped", "ranking", "proposals", "metrics"],
    short: {
      input: { topic: "Prompting methods that tell how sure a model is." },
      options: { preset: "baseline", ideas: 2, trials: 1, proposals: 1 },
    },
    review_kind: "proposal",
  },
];

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const contractOf = async (name: string) => (await api("GET", `/v1/workflows/${name}`, { key: client.test })).body;
/** A named schema is in its own `$defs`. */
const named = (schema: any) => (schema.$ref ? schema.$defs[schema.$ref.slice("#/$defs/".length)] : schema);
const create = (body: object) => api("POST", "/v1/runs", { key: client.test, body });
const cancel = (id: string) => call("POST", `/v1/runs/${id}/cancel`, { key: client.test });

describe.each(CONTRACTS)("$name", ({ name, text, optional, output, short, review_kind }) => {
  it("has its stages, roles and actions listed, with schemas of input, options and output that name every field", async () => {
    const contract = await contractOf(name);
    for (const list of [contract.stages, contract.roles, contract.actions]) expect(list.length).toBeGreaterThan(0);
    expect(named(contract.input).required).toEqual([text]);
    expect(Object.keys(named(contract.input).properties)).toEqual([text, ...optional]);
    expect(Object.keys(named(contract.options).properties)).toEqual(
      expect.arrayContaining(["reviews", "interaction_timeout", "on_expiry"]),
    );
    expect(Object.keys(named(contract.output).properties)).toEqual(expect.arrayContaining(output));
  });

  it("accepts a text of 1 to 20,000 characters", async () => {
    const of = (value: string) => ({ workflow: name, ...short, input: { ...short.input, [text]: value } });
    for (const value of ["", "x".repeat(20_001)])
      expect(await create(of(value))).toMatchObject(refusal(422, "validation_failed", `input.${text}`));
    for (const value of ["x", "x".repeat(20_000)]) {
      const reply = await create({ ...of(value), test: { latency_ms: 60_000 } });
      expect(reply.status).toBe(201);
      await cancel(reply.body.id);
    }
  });

  it("ends with an output that fits its schema, and every artifact of a model names the mock model", async () => {
    const id = await start(client.test, { workflow: name, ...short });
    const run = await runWithStatus(client.test, id, "completed");
    z.fromJSONSchema((await contractOf(name)).output).parse(run.output);
    const artifacts = await artifactsOf(client.test, id);
    expect(new Set(artifacts.map(({ model }) => model))).toEqual(new Set([null, "mock"]));
    expect(run.usage.cost_usd ?? 0).toBe(0);
  });

  it("pauses for feedback after an artifact of a kind that `reviews` names", async () => {
    const options = { ...short.options, reviews: [review_kind] };
    const id = await start(client.test, { workflow: name, input: short.input, options });
    const interaction = await openInteraction(client.test, id);
    expect(interaction).toMatchObject({ run_id: id, kind: "feedback", status: "open" });
    const [about] = interaction.artifacts;
    expect((await call("GET", `/v1/runs/${id}/artifacts/${about}`, { key: client.test })).body.kind).toBe(review_kind);
    await cancel(id);
  });

  it("accepts a script of exactly the listed outcomes", async () => {
    const { actions } = await contractOf(name);
    const script = Object.fromEntries(actions.map((action: any) => [action.name, action.outcomes]));
    const of = (more: object) => ({
      workflow: name,
      ...short,
      test: { latency_ms: 60_000, script: { ...script, ...more } },
    });
    const reply = await create(of({}));
    expect(reply.status).toBe(201);
    expect(reply.body.test.script).toEqual(script);
    await cancel(reply.body.id);
    const more = Object.fromEntries(actions.map((action: any) => [action.name, ["sing"]]));
    const paths = actions.map((action: any) => `test.script.${action.name}.0`);
    expect(await create(of(more))).toMatchObject(refusal(422, "validation_failed", ...paths));
    expect(await create(of({ dance: ["accept"] }))).toMatchObject(
      refusal(422, "validation_failed", "test.script.dance"),
    );
  });
});
