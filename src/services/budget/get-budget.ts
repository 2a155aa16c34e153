import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { PresentedBudget } from "./schema";

/** A dollar in picodollars. */
const DOLLAR = 1e12;

/** The tenant's budget and what live mode has spent of it this month, in UTC. */
export async function getBudget({ store }: Pick<Services, "store">, tenant_id: string): Promise<PresentedBudget> {
  const now = new Date();
  const month = now.toISOString().slice(0, 7);
  const days = { from: `${month}-01`, to: `${month}-31` };
  const [budget, { cost_usd }] = await Promise.all([
    store.budgets.get(tenant_id, month),
    store.usage.total({ tenant_id, mode: "live" }, days),
  ]);
  return {
    object: "budget",
    amount_usd: budget && budget.picodollars / DOLLAR,
    at_limit: budget?.at_limit ?? "alarm",
    month,
    spent_usd: cost_usd ?? 0,
    reached: budget?.reached ?? [],
    resets_at: toTime(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)),
  };
}
