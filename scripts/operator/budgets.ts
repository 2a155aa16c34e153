// SQL and not src/store: it works on databases without a Worker (`Database`).
import { UsageError } from "../lib/command.ts";
import type { Database, Row } from "../lib/database.ts";
import { sqlValue } from "../lib/sql.ts";

/** A dollar in picodollars, in which costs are stored. */
const DOLLAR = 1e12;
const MOST_USD = 1_000_000;

/** The budgets of the tenants of a database, with what live mode has spent of them this month. */
export const budgetsIn = (db: Database): Promise<Row[]> =>
  db.query(
    `SELECT t.id, t.name, b.picodollars / 1e12 AS amount_usd, b.at_limit,
       COALESCE(SUM(u.picodollars), 0) / 1e12 AS spent_usd, COALESCE(SUM(u.unpriced_calls), 0) AS unpriced_calls
     FROM tenants t LEFT JOIN budgets b ON b.tenant_id = t.id
     LEFT JOIN usage_days u ON u.tenant_id = t.id AND u.mode = 'live' AND u.day >= strftime('%Y-%m-01', 'now')
     WHERE t.removed_at IS NULL AND t.moving_to IS NULL GROUP BY t.id ORDER BY t.created_at`,
  );

/** SQL that sets a budget as `PUT /v1/budget` does, or removes it. @throws UsageError */
export function budgetSql(tenant: string, amount: string | undefined, at_limit: string): string {
  const id = sqlValue(tenant);
  if (amount === "none") return `DELETE FROM budgets WHERE tenant_id = ${id};\n`;
  const dollars = Number(amount);
  if (!amount || !(dollars > 0 && dollars <= MOST_USD))
    throw new UsageError(`set-budget needs dollars for a month, at most ${MOST_USD}, or none.`);
  if (at_limit !== "alarm" && at_limit !== "refuse")
    throw new UsageError(`--at-limit must be alarm or refuse, not ${at_limit}.`);
  return (
    `INSERT INTO budgets (tenant_id, picodollars, at_limit, month, spent, updated_at)
     SELECT ${id}, ${Math.round(dollars * DOLLAR)}, '${at_limit}', strftime('%Y-%m', 'now'), COALESCE(SUM(picodollars), 0), ${Date.now()} FROM usage_days
     WHERE tenant_id = ${id} AND mode = 'live' AND day >= strftime('%Y-%m-01', 'now')
     ON CONFLICT DO UPDATE SET picodollars = excluded.picodollars, at_limit = excluded.at_limit, updated_at = excluded.updated_at;\n` +
    `DELETE FROM budget_alarms WHERE tenant_id = ${id} AND EXISTS (SELECT 1 FROM budgets b WHERE b.tenant_id = ${id}
       AND b.month = budget_alarms.month AND b.spent * 1.0 < b.picodollars * (percent / 100.0));\n`
  );
}
