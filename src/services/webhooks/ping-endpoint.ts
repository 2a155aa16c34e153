import { newId } from "#core/ids";
import type { Services } from "../services";
import { PING } from "#core/vocabulary";
import { wakeSender } from "../wake";
import { findEndpoint, notEnabled } from "./find-endpoint";
import { presentDelivery } from "./present-delivery";
import type { PresentedDelivery } from "./schema";

/**
 * Sends a message of type `webhook.ping` like any other delivery, whatever types the endpoint asks for.
 * @throws Problem `not_found`, `webhook_endpoint_disabled`
 */
export async function pingEndpoint(services: Services, tenant: string, id: string): Promise<PresentedDelivery> {
  const endpoint = await findEndpoint(services, tenant, id);
  if (endpoint.status === "disabled") throw notEnabled(id);
  await services.platform.armKeeper();
  const data = { endpoint: { id, run_id: endpoint.run_id } };
  const delivery = await services.store.webhooks.enqueueMessage(endpoint, { id: newId("evt"), type: PING, data });
  if (!delivery) throw notEnabled(id); // disabled meanwhile
  await wakeSender(services, id);
  return presentDelivery(services, delivery, { may_answer: true });
}
