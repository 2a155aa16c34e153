import { z } from "zod";
import type { TextPolicy } from "#core/outbound/url-policy";
import { limitsSchema } from "#core/run-settings";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { modelsRequestSchema } from "#llm";
import { metadataSchema as anyMetadata, MAX_METADATA } from "../fields/metadata";
import { nonBlankText } from "#workflow-kit/options";
import { DEFAULT_WEBHOOK_EVENTS, EVENT_TYPES, LLM_FAULTS, type Mode } from "#core/vocabulary";
import { webhookSecret, webhookTypes, webhookUrl } from "../webhooks/requests";

/** Schemas of requests that create and retry runs. */

export const limitsRequestSchema = limitsSchema.partial();

const metadataSchema = anyMetadata.describe(
  `Your own data about the run; lists can be filtered by it. At most ${MAX_METADATA} entries.`,
);

const webhookSchema = (policy: TextPolicy) =>
  z.strictObject({
    url: webhookUrl(policy),
    events: webhookTypes(EVENT_TYPES).default([...DEFAULT_WEBHOOK_EVENTS]),
    secret: webhookSecret.optional(),
  });

const testSchema = (workflow: WorkflowDefinition) =>
  z.strictObject({
    script: z
      .strictObject(
        Object.fromEntries(
          workflow.actions.map(({ name, outcomes }) => [name, z.array(z.enum(outcomes)).max(100).optional()]),
        ),
      )
      .optional()
      .describe(
        "By action: the outcomes that the mock model returns in iterations 1, 2 and so on; later iterations return the action's first outcome.",
      ),
    faults: z
      .strictObject({ llm: z.array(z.enum(LLM_FAULTS)).max(1000).optional() })
      .optional()
      .describe("The fault that each call to the model meets, in order."),
    latency_ms: z.int().min(0).max(60_000).optional().describe("How long each call takes."),
  });

/** The fields that are the same for every workflow. */
const common = (policy: TextPolicy) => ({
  models: modelsRequestSchema.prefault({}),
  limits: limitsRequestSchema.default({}),
  webhook: webhookSchema(policy).optional().describe("Only for this run."),
  metadata: metadataSchema.default({}),
  requested_by: nonBlankText(200)
    .optional()
    .describe("Who asks for the run, such as a name. Shown to people who are asked, and in webhooks."),
});

const newCreateRunSchema = (workflow: WorkflowDefinition, mode: Mode, policy: TextPolicy) =>
  z.strictObject({
    workflow: z.literal(workflow.name),
    input: workflow.input,
    options: workflow.options.prefault({}),
    ...common(policy),
    test: testSchema(workflow)
      .refine(() => mode === "test", "Only runs of a test key use the mock model; omit `test`, or use a test key.")
      .optional(),
  });

const cache = new Map<string, ReturnType<typeof newCreateRunSchema>>();

/** The body of `POST /v1/runs` for one workflow. Cached, because building a schema costs more than parsing with it. */
export function createRunSchema(
  workflow: WorkflowDefinition,
  { mode, url_policy: policy }: { mode: Mode; url_policy: TextPolicy },
): ReturnType<typeof newCreateRunSchema> {
  const { allow_private, private_hosts, reserved_hosts, own_host } = policy;
  const name = JSON.stringify([workflow.name, mode, allow_private, private_hosts, reserved_hosts, own_host]);
  const schema = cache.get(name) ?? newCreateRunSchema(workflow, mode, policy);
  cache.set(name, schema);
  return schema;
}

/** For a body that names an unknown workflow: it always fails, and also reports the errors of the other fields. */
export const fallbackRunSchema = (workflows: readonly string[], policy: TextPolicy) =>
  z.strictObject({
    workflow: z.string().refine(() => false, {
      error: ({ input }) => `There is no workflow "${input}"; there is ${workflows.join(", ")}.`,
      params: { code: "unknown_workflow" },
    }),
    input: z.looseObject({}),
    options: z.looseObject({}).optional(),
    ...common(policy),
    test: z.looseObject({}).optional(),
  });

/** The body of a verb that takes no fields. */
export const noFieldsSchema = z.strictObject({}).meta({ id: "NoFields" });

/** The body of `POST /v1/runs/{id}/retry`; the limits that are given replace the run's. */
export const retryRunSchema = z.strictObject({
  from_stage: z.string().optional().describe("A stage that the run has entered: it and all after it are done again."),
  limits: limitsRequestSchema.optional().describe("Replace the run's limits of these names; null removes a limit."),
});
export type RetryRequest = z.infer<typeof retryRunSchema>;
