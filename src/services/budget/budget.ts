import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { PresentedBudget, PutBudget } from "./schema";
import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { RequestCompletion } from "../idempotency/complete-key";

/** A dollar in picodollars. */
const DOLLAR = 1e12;

/** The tenant's budget and what live mode has spent of it this month, in UTC. */
export async function getBudget({ store }: Pick<Services, "store">, tenant_id: string): Promise<PresentedBudget> {
  const now = new Date();
  const month = now.toISOString().slice(0, 7);
  const days = { from: `${month}-01`, to: `${month}-31` };
  const [budget, { cost_usd, unpriced_calls }] = await Promise.all([
    store.budgets.get(tenant_id, month),
    store.usage.total({ tenant_id, mode: "live" }, days),
  ]);
  return {
    object: "budget",
    amount_usd: budget && budget.picodollars / DOLLAR,
    at_limit: budget?.at_limit ?? "alarm",
    month,
    spent_usd: cost_usd ?? 0,
    unpriced_calls,
    reached: budget?.reached ?? [],
    resets_at: toTime(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)),
  };
}

/** Sets or removes the budget of a tenant's live mode. @throws Problem `wrong_mode` */
export async function putBudget(
  services: Services,
  { tenant_id, mode }: Owner,
  { amount_usd, at_limit }: PutBudget,
  completion?: RequestCompletion,
): Promise<PresentedBudget> {
  if (mode === "test") throw new Problem("wrong_mode", "Only live mode has a budget.");
  await services.platform.armMaintenance(); // it sends the alarms that a smaller budget causes
  if (amount_usd === null) await services.store.budgets.remove(tenant_id, completion);
  else await services.store.budgets.set(tenant_id, { amount_usd, at_limit }, completion);
  return getBudget(services, tenant_id);
}
