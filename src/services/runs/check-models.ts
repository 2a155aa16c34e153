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
  const ofRoles = Object.values(run.models.roles).flatMap(({ model, fallbacks = [] }) => [model, ...fallbacks]);
  const ofEmbeddings = await embeddingModels(services, workflow, run);
  const names = new Set([...ofRoles, ...run.agent_models, ...ofEmbeddings]);
  return [...priceErrors(services, run, names), ...(await keyErrors(services, run.owner, names, "models"))];
}

function priceErrors({ providers }: Pick<Services, "providers">, run: ModelUse, names: Iterable<string>): FieldError[] {
  if (run.max_cost_usd === null) return [];
  const unpriced = [...names].filter((name) => name !== MOCK_MODEL && !hasPrice(name, providers));
  if (!unpriced.length) return [];
  const message = `No price is configured for ${unpriced.join(", ")}, so the cost of the run cannot be limited; use max_tokens.`;
  return [{ path: "limits.max_cost_usd", code: "no_price", message }];
}

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
