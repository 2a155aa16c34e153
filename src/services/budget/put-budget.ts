import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { getBudget } from "./get-budget";
import type { PresentedBudget, PutBudget } from "./schema";

/** Sets or removes the budget of a tenant's live mode. @throws Problem `wrong_mode` */
export async function putBudget(
  services: Services,
  { tenant_id, mode }: Owner,
  { amount_usd, at_limit }: PutBudget,
  settlement?: Settlement,
): Promise<PresentedBudget> {
  if (mode === "test") throw new Problem("wrong_mode", "Only live mode has a budget.");
  await services.platform.armKeeper(); // it sends the alarms that a smaller budget causes
  if (amount_usd === null) await services.store.budgets.remove(tenant_id, settlement);
  else await services.store.budgets.set(tenant_id, { amount_usd, at_limit }, settlement);
  return getBudget(services, tenant_id);
}
