import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { Fault } from "#core/errors";
import type { Providers, ResolvedModels } from "#llm";
import { REHEARSAL } from "#llm";
import type { Services } from "../services";
import type { Mode } from "#core/vocabulary";

/** A limit in dollars needs a price for every model, those of agents and of corpora too; rehearsals cost nothing. */
export function priceFaults(
  max_cost_usd: number | null,
  models: ResolvedModels,
  others: readonly string[],
  providers: Providers,
  mode: Mode,
): Fault[] {
  if (max_cost_usd === null || mode === "test") return [];
  const names = new Set([...Object.values(models.roles).map(({ model }) => model), ...others]);
  const unpriced = [...names].filter((name) => name !== REHEARSAL && !hasPrice(name, providers));
  if (!unpriced.length) return [];
  const message = `No price is configured for ${unpriced.join(", ")}, so what the run costs cannot be bounded; use max_tokens.`;
  return [{ path: "limits.max_cost_usd", code: "no_price", message }];
}

/** What a run that looks for evidence has texts embedded with: its own model, and those of its corpora. */
export async function embeddingModelsOf(
  { store }: Pick<Services, "store">,
  workflow: WorkflowDefinition,
  run: { tenant_id: string; mode: Mode; models: ResolvedModels; input: unknown },
): Promise<string[]> {
  if (!workflow.corpora || run.models.embedding === null) return [];
  const corpora = await store.passages.pools(run.tenant_id, workflow.corpora(run.input));
  return [
    run.models.embedding,
    ...corpora.flatMap(({ mode, embedding_model }) => (mode === run.mode && embedding_model) || []),
  ];
}

function hasPrice(name: string, providers: Providers): boolean {
  const slash = name.indexOf("/");
  return providers.byName.get(name.slice(0, slash))?.models.get(name.slice(slash + 1))?.price !== undefined;
}
