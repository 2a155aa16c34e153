import type { Fault } from "../errors";
import type { Providers, ResolvedModels } from "../llm";
import { REHEARSAL } from "../llm";
import type { Mode } from "../vocabulary";

/** A limit in dollars needs a price for every model, those that agents have of their own too; rehearsals cost nothing. */
export function priceFaults(
  max_cost_usd: number | null,
  models: ResolvedModels,
  ofAgents: readonly string[],
  providers: Providers,
  mode: Mode,
): Fault[] {
  if (max_cost_usd === null || mode === "test") return [];
  const names = new Set([...Object.values(models.roles).map(({ model }) => model), ...ofAgents]);
  const unpriced = [...names].filter((name) => name !== REHEARSAL && !hasPrice(name, providers));
  if (!unpriced.length) return [];
  const message = `No price is configured for ${unpriced.join(", ")}, so what the run costs cannot be bounded; use max_tokens.`;
  return [{ path: "limits.max_cost_usd", code: "no_price", message }];
}

function hasPrice(name: string, providers: Providers): boolean {
  const slash = name.indexOf("/");
  return providers.byName.get(name.slice(0, slash))?.models.get(name.slice(slash + 1))?.price !== undefined;
}
