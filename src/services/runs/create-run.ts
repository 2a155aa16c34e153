import { loadAgents } from "#agents/registry";
import { type Fault, Problem } from "#core/errors";
import { refused, toFaults } from "../fields/faults";
import { type Answer, IN_FLIGHT_FOR, inFlight } from "../idempotency/claim-key";
import { settlement } from "../idempotency/settle-key";
import { newId } from "#core/ids";
import { type ModelsRequest, modelsRequestSchema, resolveModels, type ResolvedModels } from "#llm";
import type { Services } from "../services";
import type { Claim } from "#store/idempotency";
import type { RunRow } from "#store/rows";
import type { Mode } from "#core/vocabulary";
import { wakeSendersOf, startInstances, armKeeper } from "../wake";
import { makeSecret } from "../webhooks/delivery/sign";
import { embeddingModelsOf, priceFaults } from "./check-prices";
import { presentRow } from "./present-run";
import type { PresentedRun } from "./schema";
import { NO_LIMITS } from "#core/run-settings";
import { createRunSchema, limitsRequestSchema, strayRunSchema } from "./requests";
import type { WorkflowDefinition } from "#workflow-kit/workflow";

/**
 * Starts a run. The answer shows the secret of its webhook, this once.
 * @param origin base of its callback URLs
 * @param settling stored with the run, so that an equal request finds both or neither
 * @throws Problem that lists every fault of the request
 */
export async function createRun(
  services: Services,
  caller: { tenant_id: string; mode: Mode },
  origin: string,
  body: unknown,
  settling?: Settling,
): Promise<PresentedRun> {
  const { store, settings, secrets } = services;
  const workflow = chooseWorkflow(services, body);
  const { request, models } = await read(services, workflow, caller, body);
  const webhook = request.webhook && {
    id: newId("whe"),
    status: "enabled" as const,
    ...request.webhook,
    secret: request.webhook.secret ?? makeSecret(),
  };
  const present = (row: RunRow) =>
    presentRow(row, { input: request.input, stages_done: [], interactions: [], webhook: webhook ?? null });
  await armKeeper(services);
  const created = await store.runs.create(
    {
      id: newId("run"),
      tenant_id: caller.tenant_id,
      workflow: workflow.name,
      workflow_version: workflow.version,
      mode: caller.mode,
      input: request.input,
      options: request.options,
      models,
      limits: { ...NO_LIMITS, ...request.limits },
      metadata: request.metadata,
      test: request.test ?? null,
      origin: settings.public_url?.replace(/\/+$/, "") ?? origin,
      webhook: webhook
        ? {
            endpoint_id: webhook.id,
            url: webhook.url,
            events: webhook.events,
            sealed_secret: secrets.seal(webhook.secret),
          }
        : null,
    },
    settings.max_concurrent_runs,
    settling && ((row) => settlement(secrets, settling.claim, settling.answer(present(row)))),
  );
  if (!created) throw inFlight(IN_FLIGHT_FOR);
  const { row, listeners, admitted } = created;
  await startInstances(services, admitted);
  await wakeSendersOf(services, listeners, row, "run.created");
  return present(row);
}

/** The key that came with the request, and what it is answered with. */
export interface Settling {
  claim: Claim;
  answer(run: PresentedRun): Answer;
}

function chooseWorkflow({ workflows, settings }: Services, body: unknown): WorkflowDefinition {
  const name = (body as { workflow?: unknown } | null)?.workflow;
  if (typeof name === "string" && Object.hasOwn(workflows, name)) return workflows[name]!;
  const stray = strayRunSchema(Object.keys(workflows), settings.url_policy.allow_private).safeParse(body);
  throw refused(toFaults(stray.error!, body));
}

/** Parses every part of the request, so that all faults are told at once. */
async function read(
  services: Services,
  workflow: WorkflowDefinition,
  { tenant_id, mode }: { tenant_id: string; mode: Mode },
  body: unknown,
) {
  const schema = createRunSchema(workflow, { mode, allow_private: services.settings.url_policy.allow_private });
  const parsed = schema.safeParse(body);
  const models = readModels(services, workflow, mode, body);
  const agents = await readAgents(services, workflow, tenant_id, body);
  const faults = [
    ...(parsed.success ? [] : toFaults(parsed.error, body)),
    ...models.faults,
    ...agents.faults,
    ...checked(workflow, models.resolved, body),
    ...(await corpusFaults(services, workflow, tenant_id, body)),
    ...(models.resolved
      ? await costFaults(services, workflow, { tenant_id, mode, models: models.resolved }, agents.models, body)
      : []),
  ];
  if (faults.length || !parsed.success || !models.resolved) throw refused(faults);
  return { request: parsed.data, models: models.resolved };
}

/** `models` by itself, so that what is wrong with the rest hides none of its faults. Those of its form are the whole's to tell. */
function readModels(
  { providers }: Services,
  workflow: WorkflowDefinition,
  mode: Mode,
  body: unknown,
): { resolved: ResolvedModels | null; faults: readonly Fault[] } {
  const parsed = modelsRequestSchema.safeParse((body as { models?: unknown }).models ?? {});
  if (!parsed.success) return { resolved: null, faults: [] };
  try {
    return {
      resolved: resolveModels(parsed.data satisfies ModelsRequest, workflow.roles, providers, mode),
      faults: [],
    };
  } catch (error) {
    if (error instanceof Problem) return { resolved: null, faults: error.faults };
    throw error;
  }
}

/** The agents that the options choose, by themselves too: whether they exist, and which models of their own they have. */
async function readAgents(
  services: Services,
  workflow: WorkflowDefinition,
  tenant: string,
  body: unknown,
): Promise<{ models: string[]; faults: readonly Fault[] }> {
  const options = workflow.options.safeParse((body as { options?: unknown }).options ?? {});
  if (!workflow.agents || !options.success) return { models: [], faults: [] };
  try {
    const profiles = await loadAgents(services, tenant, workflow.agents(options.data));
    return { models: profiles.flatMap(({ model }) => model ?? []), faults: [] };
  } catch (error) {
    if (error instanceof Problem) return { models: [], faults: error.faults };
    throw error;
  }
}

/** Corpora of the input that the tenant does not have. One that is deleted later is no error of the run's. */
async function corpusFaults(
  { store }: Services,
  workflow: WorkflowDefinition,
  tenant: string,
  body: unknown,
): Promise<Fault[]> {
  const input = workflow.input.safeParse((body as { input?: unknown }).input);
  if (!workflow.corpora || !input.success) return [];
  const ids = workflow.corpora(input.data);
  const rows = await Promise.all(ids.map((id) => store.corpora.get(tenant, id)));
  return ids.flatMap((id, index) =>
    rows[index]
      ? []
      : [{ path: `input.corpus_ids.${index}`, code: "unknown_corpus", message: `There is no corpus ${id}.` }],
  );
}

/** What the workflow itself has against input, options and models together; each by itself has been told of. */
function checked(workflow: WorkflowDefinition, models: ResolvedModels | null, body: unknown): Fault[] {
  const request = body as { input?: unknown; options?: unknown };
  const input = workflow.input.safeParse(request.input);
  const options = workflow.options.safeParse(request.options ?? {});
  if (!workflow.check || !models || !input.success || !options.success) return [];
  return workflow.check({ input: input.data, options: options.data, roles: models.roles });
}

/** Models without a price, where what the run costs is to be bounded. */
async function costFaults(
  services: Services,
  workflow: WorkflowDefinition,
  run: { tenant_id: string; mode: Mode; models: ResolvedModels },
  ofAgents: readonly string[],
  body: unknown,
): Promise<Fault[]> {
  const request = body as { input?: unknown; limits?: unknown };
  const max_cost_usd = limitsRequestSchema.safeParse(request.limits ?? {}).data?.max_cost_usd ?? null;
  if (max_cost_usd === null) return [];
  const input = workflow.input.safeParse(request.input);
  const ofEmbeddings = input.success ? await embeddingModelsOf(services, workflow, { ...run, input: input.data }) : [];
  return priceFaults(max_cost_usd, run.models, [...ofAgents, ...ofEmbeddings], services.providers, run.mode);
}
