import { Problem } from "#core/errors";
import { batch } from "./batch";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import type { BudgetRow } from "./rows";

/** A dollar in picodollars, in which usage is summed. */
const DOLLAR = 1e12;

/** Budgets of tenants. Triggers count what is spent, write the alarms and refuse runs (migrations/0010_usage_and_limits.sql). */
export class BudgetStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /** The tenant's budget, with the alarms of a month, YYYY-MM. */
  async get(tenant: string, month: string): Promise<(BudgetRow & { reached: number[] }) | null> {
    const row = await this.db
      .prepare(
        `SELECT b.*, (SELECT json_group_array(percent) FROM budget_alarms a WHERE a.tenant_id = b.tenant_id AND a.month = ?2)
           AS reached FROM budgets b WHERE tenant_id = ?1`,
      )
      .bind(tenant, month)
      .first<BudgetRow & { reached: string }>();
    return row && { ...row, reached: (JSON.parse(row.reached) as number[]).toSorted((a, b) => a - b) };
  }

  /** Whether the tenant has a budget that refuses new runs at its limit. */
  async refuses(tenant: string): Promise<boolean> {
    const found = await this.db
      .prepare("SELECT 1 FROM budgets WHERE tenant_id = ? AND at_limit = 'refuse'")
      .bind(tenant)
      .first();
    return found !== null;
  }

  /**
   * Sets a budget; one that is new has spent what the tenant's live mode has used this month. Alarms that a larger budget has not reached are due
   * again.
   */
  async set(
    tenant: string,
    { amount_usd, at_limit }: { amount_usd: number; at_limit: BudgetRow["at_limit"] },
    completion?: RequestCompletion,
  ): Promise<void> {
    const set = this.db
      .prepare(
        `INSERT INTO budgets (tenant_id, picodollars, at_limit, month, spent, updated_at)
         SELECT ?1, ?2, ?3, strftime('%Y-%m', 'now'), COALESCE(SUM(picodollars), 0), ?4 FROM usage_days
         WHERE tenant_id = ?1 AND mode = 'live' AND day >= strftime('%Y-%m-01', 'now')
         ON CONFLICT DO UPDATE SET picodollars = excluded.picodollars, at_limit = excluded.at_limit, updated_at = excluded.updated_at`,
      )
      .bind(tenant, Math.round(amount_usd * DOLLAR), at_limit, Date.now());
    await batch(this.db, {
      budget: await this.idempotency.withCompletion(set, completion),
      alarms: this.db
        .prepare(
          `DELETE FROM budget_alarms WHERE tenant_id = ?1 AND EXISTS (SELECT 1 FROM budgets b WHERE b.tenant_id = ?1
             AND b.month = budget_alarms.month AND b.spent * 1.0 < b.picodollars * (percent / 100.0))`,
        )
        .bind(tenant),
    });
  }

  async remove(tenant: string, completion?: RequestCompletion): Promise<void> {
    const remove = this.db.prepare("DELETE FROM budgets WHERE tenant_id = ?").bind(tenant);
    await this.idempotency.write(remove, completion);
  }
}

/** Seconds until the next calendar month begins, in UTC. */
const untilNextMonth = (now: Date): number =>
  Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000);

/** The error of creating a run when the tenant's budget is spent. @throws Problem `budget_reached` */
export async function orBudgetReached<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Problem || !error.message.includes("budget_reached")) throw error;
    const detail =
      "The tenant's budget for this month is spent: new live runs are refused until the next one begins, in UTC.";
    throw new Problem("budget_reached", detail, [], untilNextMonth(new Date()));
  }
}
