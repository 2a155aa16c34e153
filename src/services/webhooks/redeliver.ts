import type { Services } from "../services";
import { wakeSender, armKeeper } from "../wake";
import { findDelivery } from "./find-delivery";
import { notEnabled } from "./find-endpoint";
import { type PresentedDelivery, presentDelivery } from "./present-delivery";

/**
 * Sends a delivery once more, whatever became of it: the same id and body, signed anew, with all retries before it.
 * @throws Problem `not_found`, `webhook_endpoint_disabled`
 */
export async function redeliver(services: Services, tenant: string, id: string): Promise<PresentedDelivery> {
  const { delivery } = await findDelivery(services, tenant, id);
  await armKeeper(services);
  const told = await services.store.webhooks.redeliver(tenant, id);
  if (!told) throw notEnabled(delivery.endpoint_id);
  await wakeSender(services, delivery.endpoint_id);
  return presentDelivery(services, told, { may_answer: true });
}
