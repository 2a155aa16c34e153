import type { Services } from "../services";
import { wakeSender } from "../wake";
import { findDelivery } from "./find-delivery";
import { notEnabled } from "./find-endpoint";
import { presentDelivery } from "./present-delivery";
import type { PresentedDelivery } from "./schema";

/**
 * Sends a delivery again, whatever its status: the same id and body, a new signature, and all retries available again.
 * @throws Problem `not_found`, `webhook_endpoint_disabled`
 */
export async function redeliver(services: Services, tenant: string, id: string): Promise<PresentedDelivery> {
  const { delivery } = await findDelivery(services, tenant, id);
  await services.platform.armKeeper();
  const renewed = await services.store.webhooks.redeliver(tenant, id);
  if (!renewed) throw notEnabled(delivery.endpoint_id);
  await wakeSender(services, delivery.endpoint_id);
  return presentDelivery(services, renewed, { may_answer: true });
}
