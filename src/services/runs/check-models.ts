import type { Owner } from "#core/owner";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { FieldError } from "#core/errors";
import type { Providers, ResolvedModels } from "#llm";
import { MOCK_MODEL } from "#llm";
import { keyErrors } from "../providers/check-keys";
import type { Services } from "../services";

/** The cost limit of a run, and everything that decides which models it uses. */
interface ModelUse {
  owner: Owner;
  models: ResolvedModels;
  /** Absent when it is not valid. */
  input?: unknown;
  agent_models: readonly string[];
  max_cost_usd: number | null;
}

/** Errors of the models that a run may call: they need a price under a limit in dollars, and a key where the host lends none. */
export async function modelErrors(
  services: Pick<Services, "store" | "providers" | "settings">,
  workflow: WorkflowDefinition,
  run: ModelUse,
): Promise<FieldError[]> {
  const needsKeys = services.settings.tenant_provider_keys === "required";
  if (run.owner.mode === "test" || (run.max_cost_usd === null && !needsKeys)) return [];
  const names = await modelsOf(services, workflow, run);
  return [...priceErrors(services, run, names), ...(await keyErrors(services, run.owner, names, "models"))];
}

/** The error of a new live run whose cost a budget that refuses runs could not count: it would spend without ever reaching the budget. */
export async function budgetErrors(
  services: Pick<Services, "store" | "providers">,
  workflow: WorkflowDefinition,
  run: ModelUse,
): Promise<FieldError[]> {
  if (run.owner.mode === "test") return [];
  const unpriced = unpricedOf(services, await modelsOf(services, workflow, run));
  if (!unpriced.length || !(await services.store.budgets.refuses(run.owner.tenant_id))) return [];
  const message =
    `No price is configured for ${unpriced.join(", ")}, and the tenant's budget, which refuses runs at its limit, cannot count their cost. ` +
    "Use models with a price, or set the budget's at_limit to alarm.";
  return [{ path: "models", code: "no_price", message }];
}

async function modelsOf(
  services: Pick<Services, "store">,
  workflow: WorkflowDefinition,
  run: ModelUse,
): Promise<ReadonlySet<string>> {
  const ofRoles = Object.values(run.models.roles).flatMap(({ model, fallbacks = [] }) => [model, ...fallbacks]);
  return new Set([...ofRoles, ...run.agent_models, ...(await embeddingModels(services, workflow, run))]);
}

function priceErrors(services: Pick<Services, "providers">, run: ModelUse, names: Iterable<string>): FieldError[] {
  if (run.max_cost_usd === null) return [];
  const unpriced = unpricedOf(services, names);
  if (!unpriced.length) return [];
  const message = `No price is configured for ${unpriced.join(", ")}, so the cost of the run cannot be limited; use max_tokens.`;
  return [{ path: "limits.max_cost_usd", code: "no_price", message }];
}

const unpricedOf = ({ providers }: Pick<Services, "providers">, names: Iterable<string>): string[] =>
  [...names].filter((name) => name !== MOCK_MODEL && !hasPrice(name, providers));

/** The models that embed for a run that retrieves evidence: its own, and those of its corpora. */
async function embeddingModels(
  { store }: Pick<Services, "store">,
  workflow: WorkflowDefinition,
  { owner, models, input }: ModelUse,
): Promise<string[]> {
  if (!workflow.corpora || input === undefined || models.embedding === null) return [];
  const corpora = await store.passages.pools(owner, workflow.corpora(input));
  return [models.embedding, ...corpora.flatMap(({ embedding_model }) => embedding_model ?? [])];
}

function hasPrice(name: string, providers: Providers): boolean {
  const slash = name.indexOf("/");
  return providers.byName.get(name.slice(0, slash))?.models.get(name.slice(slash + 1))?.price !== undefined;
}
