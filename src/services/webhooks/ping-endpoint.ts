import { newId } from "#core/ids";
import type { Services } from "../services";
import { PING } from "#core/vocabulary";
import { wakeSender, armKeeper } from "../wake";
import { findEndpoint, notEnabled } from "./find-endpoint";
import { type PresentedDelivery, presentDelivery } from "./present-delivery";

/**
 * Sends a message of type `webhook.ping`, whatever the endpoint asks for, on the way that every delivery takes.
 * @throws Problem `not_found`, `webhook_endpoint_disabled`
 */
export async function pingEndpoint(services: Services, tenant: string, id: string): Promise<PresentedDelivery> {
  const endpoint = await findEndpoint(services, tenant, id);
  if (endpoint.status === "disabled") throw notEnabled(id);
  await armKeeper(services);
  const data = { endpoint: { id, run_id: endpoint.run_id } };
  const told = await services.store.webhooks.enqueueMessage(endpoint, { id: newId("evt"), type: PING, data });
  if (!told) throw notEnabled(id); // disabled meanwhile
  await wakeSender(services, id);
  return presentDelivery(services, told, { may_answer: true });
}
