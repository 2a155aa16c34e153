import type { Owner } from "#core/owner";

/** By what usage can be grouped: columns of `usage_days`. */
export const USAGE_GROUPS = ["day", "workflow", "role", "model"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Sums of usage. */
export interface UsageSum {
  llm_calls: number;
  /** Of them, those whose cost is not known. */
  unpriced_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  /** null when no cost of these calls is known. */
  cost_usd: number | null;
}
export type GroupedUsage = UsageSum & Partial<Record<UsageGroup, string>>;

/** Days from `from` to `to`, both included, as YYYY-MM-DD in UTC. */
export interface Days {
  from: string;
  to: string;
}

const SUMS = `COALESCE(SUM(llm_calls), 0) AS llm_calls, COALESCE(SUM(unpriced_calls), 0) AS unpriced_calls,
  COALESCE(SUM(input_tokens), 0) AS input_tokens, COALESCE(SUM(cached_input_tokens), 0) AS cached_input_tokens,
  COALESCE(SUM(output_tokens), 0) AS output_tokens, COALESCE(SUM(reasoning_tokens), 0) AS reasoning_tokens,
  iif(SUM(llm_calls - unpriced_calls) > 0 OR SUM(picodollars) <> 0, SUM(picodollars) / 1e12, NULL) AS cost_usd`;
const OF_DAYS = "usage_days WHERE tenant_id = ?1 AND mode = ?2 AND day BETWEEN ?3 AND ?4";

/** Usage of an owner's runs and corpora by day. Triggers add each change of it (run_used and corpus_used). */
export class UsageStore {
  constructor(private readonly db: D1Database) {}

  /** The sum over some days, deleted runs included. */
  async total(owner: Owner, days: Days): Promise<UsageSum> {
    return (await this.select(owner, days, `SELECT ${SUMS} FROM ${OF_DAYS}`).first<UsageSum>())!;
  }

  /** Sums by the given groups, in their order; '' stands for none, or one that is not known. At most `limit` rows. */
  async grouped(owner: Owner, days: Days, groups: readonly UsageGroup[], limit: number): Promise<GroupedUsage[]> {
    const by = groups.join(", ");
    const query = `SELECT ${by}, ${SUMS} FROM ${OF_DAYS} GROUP BY ${by} ORDER BY ${by} LIMIT ?5`;
    return (await this.select(owner, days, query, limit).all<GroupedUsage>()).results;
  }

  private select({ tenant_id, mode }: Owner, { from, to }: Days, query: string, ...more: unknown[]) {
    return this.db.prepare(query).bind(tenant_id, mode, from, to, ...more);
  }
}
