import type { Owner } from "#core/owner";
import type { Services } from "../services";
import type { RequestCompletion } from "../idempotency/complete-key";
import { withRetry } from "#core/retry";
import { PING } from "#core/vocabulary";
import { wakeSender } from "../wake";
import { assertMaySend } from "./destination-rate";
import { findEndpoint, notEnabled } from "./endpoints";
import { presentDelivery } from "./deliveries";
import type { PresentedDelivery } from "./schema";

/**
 * Sends a message of type `webhook.ping` like any other delivery, whatever types the endpoint asks for.
 * @param request.message id of the message
 * @throws Problem `not_found`, `webhook_endpoint_disabled`, `rate_limited`
 */
export async function pingEndpoint(
  services: Services,
  { owner, id, message }: { owner: Owner; id: string; message: string },
  completion?: RequestCompletion,
): Promise<PresentedDelivery> {
  const endpoint = await findEndpoint(services, owner, id);
  if (endpoint.status === "disabled") throw notEnabled(id);
  if (endpoint.delivery === "push") await assertMaySend(services, endpoint);
  await services.platform.armMaintenance();
  const data = { endpoint: { id, run_id: endpoint.run_id } };
  if (!(await services.store.deliveries.enqueueMessage(endpoint, { id: message, type: PING, data }, completion))) {
    await findEndpoint(services, owner, id);
    throw notEnabled(id);
  }
  if (endpoint.delivery === "push") await wakeSender(services, id);
  return withRetry(() => showPing(services, id, message));
}

/** The delivery of a ping. @throws Problem `webhook_endpoint_disabled` when the endpoint was disabled meanwhile */
export async function showPing(services: Services, endpoint: string, message: string): Promise<PresentedDelivery> {
  const delivery = await services.store.deliveries.ofMessage(message);
  if (!delivery) throw notEnabled(endpoint);
  return presentDelivery(services, delivery, { may_answer: true });
}
