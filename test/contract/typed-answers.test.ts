/** What the API answers has the types of openapi.json: a run those of its workflow, an event and a webhook those of their type. */
import { Validator } from "@cfworker/json-schema";
import { beforeAll, describe, expect, it } from "vitest";
import { workflows } from "#workflows/index";
import openapi from "../../openapi/openapi.json";
import { newDataset, questions } from "../support/experiments";
import { all, type Client, makeTenant, runWithStatus } from "../support/parley";
import { api } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

/** The schemas without their examples, whose ids the validator would read as names of schemas. */
const SCHEMAS = JSON.parse(JSON.stringify(openapi.components.schemas), (name, value) =>
  name === "example" ? undefined : value,
) as object;

/** Errors of a value against a component of the document. */
const errorsOf = (component: string, value: unknown) => {
  const schema = { components: { schemas: SCHEMAS }, $ref: `#/components/schemas/${component}` };
  return new Validator(schema, "2020-12", false).validate(value).errors;
};

async function post(path: string, body: unknown): Promise<any> {
  const reply = await api("POST", path, { key: client.test, body });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body;
}

/** A request of each workflow that its own example makes, and for an experiment one on a data set that exists. */
async function requestOf(name: string): Promise<{ input: object; options?: object }> {
  const { example } = workflows[name as keyof typeof workflows] as unknown as {
    example: { input: object; options?: object };
  };
  if (name !== "experiment") return example;
  const id = await newDataset(client.test, questions(1));
  return { ...example, input: { dataset_id: id, variants: [{ name: "one", workflow: "plain" }] } };
}

describe.each(Object.keys(workflows))("a run of %s", (workflow) => {
  it("has the input, the options with every default, and the output of its workflow", async () => {
    const started = await post("/v1/runs", { workflow, ...(await requestOf(workflow)) });
    expect(errorsOf("Run", started)).toEqual([]);
    const run = await runWithStatus(client.test, started.id, "completed", "input_required");
    expect(errorsOf("Run", run)).toEqual([]);
    const [entry] = (await api("GET", "/v1/runs?limit=1", { key: client.test })).body.data;
    expect(errorsOf("RunEntry", entry)).toEqual([]);
    for (const event of await all(client.test, `/v1/runs/${run.id}/events`))
      expect(errorsOf("Event", event), event.type).toEqual([]);
    // The schema is not so loose that it takes another workflow's options.
    expect(errorsOf("Run", { ...run, options: { ...run.options, unknown: 1 } })).not.toEqual([]);
    const { profile: _, ...without } = run.options;
    expect(errorsOf("Run", { ...run, options: without })).not.toEqual([]);
  });
});

it("each webhook has the schema of its type, which the document names among its webhooks", async () => {
  const events = Object.keys(openapi.webhooks).filter((type) => type !== "webhook.ping");
  const body = { delivery: "poll", events };
  const endpoint = await post("/v1/webhook-endpoints", body);
  const waiting = await post("/v1/runs", {
    workflow: "requirements",
    input: { idea: "A shelf of books" },
    options: { qa_rounds: 0, reviews: ["requirement_draft"] },
  });
  await runWithStatus(client.test, waiting.id, "input_required");
  await post(`/v1/runs/${waiting.id}/cancel`, {});
  const done = await post("/v1/runs", { workflow: "plain", input: { request: "Say hello." } });
  await runWithStatus(client.test, done.id, "completed");
  await post(`/v1/webhook-endpoints/${endpoint.id}/ping`, {});
  const seen = new Set<string>();
  for (const delivery of await all(client.test, `/v1/webhook-endpoints/${endpoint.id}/deliveries`)) {
    const webhook = JSON.parse(delivery.body);
    expect(errorsOf("Webhook", webhook), webhook.type).toEqual([]);
    const schema = openapi.webhooks[webhook.type as keyof typeof openapi.webhooks].post.requestBody;
    const component = schema.content["application/json"].schema.$ref.split("/").at(-1)!;
    expect(errorsOf(component, webhook), component).toEqual([]);
    seen.add(webhook.type);
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      "run.input_required",
      "run.completed",
      "run.canceled",
      "webhook.ping",
      "run.artifact_created",
    ]),
  );
});
