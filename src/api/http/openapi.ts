import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { createAgentSchema, updateAgentSchema } from "#services/agents/requests";
import { createCorpusSchema, createDocumentSchema, updateCorpusSchema } from "#services/corpora/requests";
import { createScheduleSchema, updateScheduleSchema } from "#services/schedules/requests";
import { createTemplateSchema, startTemplateSchema, updateTemplateSchema } from "#services/templates/requests";
import { createDatasetSchema, updateDatasetSchema } from "#services/datasets/requests";
import { itemSchema } from "#services/datasets/schema";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { JsonSchema } from "#services/runs/describe-workflow";
import { verbTable } from "#services/runs/states";
import { createEndpointSchema, updateEndpointSchema } from "#services/webhooks/requests";
import { componentName, summaryOf } from "#core/events";
import { WEBHOOK_SCHEMAS, webhookSchema } from "#services/webhooks/message-schema";
import type { AppEnv } from "./context";
import { declareIdempotency } from "./idempotent-operations";
import { withDefaultsInWords } from "./openapi-defaults";
import { addWorkflows } from "./openapi-workflows";
import { answerSchema } from "#services/interactions/schema";

type Workflows = Readonly<Record<string, WorkflowDefinition>>;
type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

const DESCRIPTION = `
The [guide](/docs/guide) begins with a quick start. Parley runs published multi-agent LLM methods as durable workflows. Start a **run** of a workflow, follow its **events**, answer its
**interactions**, and collect its **artifacts**.

**Keys.** Send \`Authorization: Bearer parley_test_…\` or \`parley_live_…\`. Runs of a test key use a mock model: deterministic, free, and
without effect on the world. Test and live never meet: a key sees and changes only what keys of its mode made, and anything else is 404. Only
keys themselves are shared one way: a live \`admin\` key manages those of both modes.

**Errors** are problem details (RFC 9457) with a \`code\`, explained at [/docs/errors](/docs/errors). Bodies are strict: an unknown field is an
error that names it. One answer lists every error of a request.

**Lists** take \`limit\` and \`cursor\`, and answer with \`data\` and \`next_cursor\`. An unknown query parameter is an error.

**Rates.** The requests of a key are limited by the minute. \`RateLimit-Policy\` and \`RateLimit\` of every answer state the limit (\`q\`), how many
remain (\`r\`), and after how many seconds the count restarts (\`t\`). A request over the limit gets a 429 with \`Retry-After\`.

**Repeating a POST** is safe with an \`Idempotency-Key\`: for 24 hours the same key and body get the first answer again, errors too, with
\`Idempotency-Replayed: true\`; the same key with another body is 422 \`idempotency_key_reused\`, and 409 \`idempotency_key_in_flight\` while the first
request is being answered, for 60 seconds at most. A key belongs to the tenant, the mode of
its API key, and the path; for a callback, to its interaction. Answers 401, 403, 413, 429 and 5xx are not stored: the next request counts as the first. A run
is stored in one transaction with its answer, and its deletion removes the answers that show it.

**Changes.** Within \`v1\` only additions come: new operations, optional fields of requests, fields of answers, and values of enumerations that
answers have, such as types of events. Ignore what you do not know. Nothing is removed, renamed or given another meaning, and nothing becomes
required, before it has been deprecated for six months. What is deprecated has \`deprecated: true\` here and an entry in the changelog.
Texts for people, such as \`detail\`, may change at any time.

**Times** are RFC 3339 in UTC. Every response carries \`X-Request-Id\`.

## States and verbs

A run allows a verb only in some states; in others the answer is 409 \`wrong_state\`. A run can be paused while it waits for input: its status
stays \`input_required\`, and it can be resumed.

${verbTable()}
`.trim();

const TAGS = [
  { name: "Runs", description: "Durable executions of a workflow." },
  { name: "Artifacts", description: "Documents that a run has made so far, each with its provenance." },
  { name: "Events", description: "A run's append-only log." },
  { name: "Interactions", description: "Questions that a run puts to a person, and the answers." },
  { name: "Callbacks", description: "Interactions without a key: the URL is the capability." },
  { name: "Workflows", description: "The methods, each with its input, options and output." },
  { name: "Agents", description: "Worker agents that plans choose from: the tenant's own and the built-in ones." },
  { name: "Corpora", description: "Sets of documents that runs retrieve evidence from." },
  { name: "Templates", description: "Saved requests with fields to fill, and runs started from them." },
  { name: "Schedules", description: "Runs that start from a template at the times of a cron expression." },
  {
    name: "Data sets",
    description: "Items with the answers that should come out, for experiments. A closed one never changes.",
  },
  {
    name: "Webhook endpoints",
    description:
      "URLs that receive the events of all the tenant's runs of their mode: signed as in Standard Webhooks 1.0, and retried for " +
      "three days. An endpoint is disabled when it answers 410, or when a last retry fails and no other delivery succeeds; the tenant's other " +
      "endpoints of its mode then receive `webhook_endpoint.disabled`. A run's own webhook is also such an endpoint, found by `run_id`.",
  },
  { name: "Keys", description: "API keys of the tenant." },
  { name: "Providers", description: "Model providers, and the tenant's own keys for them." },
  { name: "Audit", description: "Who changed what, with which key." },
  {
    name: "Tenant",
    description: "All data of the caller: counted and exported for the mode of the key, deleted as a whole.",
  },
  { name: "Service", description: "The service itself." },
];

/** The OpenAPI document, generated from the routes and from the workflows' contracts. Call it once for an app: it adds to the routes. */
export function openApiDocument(app: OpenAPIHono<AppEnv>, workflows: Workflows): Document {
  declareIdempotency(app);
  registerComponents(app);
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version: "1",
      description: DESCRIPTION,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "/", description: "Where this document is served." }],
    tags: TAGS,
  });
  const schemas = document.components!.schemas as Record<string, JsonSchema>;
  const examples = addWorkflows(schemas, workflows);
  const create = document.paths!["/v1/runs"]!.post!.requestBody as { content: Record<string, JsonSchema> };
  create.content["application/json"]!.examples = examples;
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withDefaultsInWords(schema);
  shareErrors(document);
  return document;
}

type ErrorResponse = {
  content: { "application/problem+json": { examples: Record<string, unknown> }; "text/html"?: unknown };
};

/** Turns error answers into components, named by their codes: most are used by many operations. */
function shareErrors(document: Document): void {
  const shared = (document.components!.responses ??= {}) as Record<string, unknown>;
  for (const path of Object.values(document.paths!)) {
    for (const { responses } of Object.values(path as Record<string, { responses: Record<string, unknown> }>)) {
      for (const [status, answer] of Object.entries(responses).filter(([code]) => code >= "400")) {
        const { "application/problem+json": problem, "text/html": page } = (answer as ErrorResponse).content;
        if (!problem) continue;
        const name = [...Object.keys(problem.examples), ...(page ? ["page"] : [])].join("-or-");
        shared[name] = answer;
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
  }
}

const SIGNATURE_HEADERS = z.object({
  "webhook-id": z.string().openapi({ description: "The id of the event, the same at every attempt." }),
  "webhook-timestamp": z.string().openapi({ description: "Seconds since 1970, of this attempt." }),
  "webhook-signature": z.string().openapi({
    description:
      "`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. Two, apart by a space, during a rotation.",
  }),
});

/** Registers the requests that Parley makes, by their type. */
function registerWebhooks(app: OpenAPIHono<AppEnv>): void {
  for (const schema of WEBHOOK_SCHEMAS) {
    const { value: type } = schema.shape.type;
    app.openAPIRegistry.registerWebhook({
      method: "post",
      path: type,
      operationId: `on${componentName(type)}`,
      tags: ["Webhook endpoints"],
      security: [], // the signature
      summary: summaryOf(type),
      request: { headers: SIGNATURE_HEADERS, body: { required: true, content: { "application/json": { schema } } } },
      responses: {
        "2XX": { description: "Delivered. 410 disables the endpoint; after anything else the webhook is sent again." },
      },
    });
  }
}

/** Registers components that routes refer to only by name, and webhooks. */
function registerComponents(app: OpenAPIHono<AppEnv>): void {
  registerWebhooks(app);
  app.openAPIRegistry.register("Webhook", webhookSchema);
  app.openAPIRegistry.register("Answer", answerSchema);
  app.openAPIRegistry.register("CreateAgent", createAgentSchema(null));
  app.openAPIRegistry.register("UpdateAgent", updateAgentSchema(null));
  app.openAPIRegistry.register("CreateCorpus", createCorpusSchema(null));
  app.openAPIRegistry.register("UpdateCorpus", updateCorpusSchema());
  app.openAPIRegistry.register("CreateDocument", createDocumentSchema);
  app.openAPIRegistry.register("CreateTemplate", createTemplateSchema);
  app.openAPIRegistry.register("UpdateTemplate", updateTemplateSchema);
  app.openAPIRegistry.register("StartTemplate", startTemplateSchema);
  app.openAPIRegistry.register("CreateSchedule", createScheduleSchema);
  app.openAPIRegistry.register("UpdateSchedule", updateScheduleSchema);
  app.openAPIRegistry.register("CreateDataset", createDatasetSchema(null));
  app.openAPIRegistry.register("UpdateDataset", updateDatasetSchema);
  app.openAPIRegistry.register("DatasetItem", itemSchema);
  app.openAPIRegistry.register("CreateWebhookEndpoint", createEndpointSchema({ allow_private: false }));
  app.openAPIRegistry.register("UpdateWebhookEndpoint", updateEndpointSchema({ allow_private: false }));
  app.openAPIRegistry.registerComponent("securitySchemes", "ApiKey", {
    type: "http",
    scheme: "bearer",
    description:
      "`parley_test_…` or `parley_live_…`, with the scope that the operation names; `admin` implies the others.",
  });
}
