import type { Owner } from "#core/owner";
import type { Services } from "../services";
import type { Settlement } from "../idempotency/settle-key";
import { withRetry } from "#core/retry";
import { whileRestored } from "../while-restored";
import { wakeSender } from "../wake";
import { RETRIED_FOR } from "./delivery/schedule";
import { assertMaySend } from "./destination-rate";
import { findDelivery } from "./find-delivery";
import { findEndpoint, notEnabled } from "./find-endpoint";
import { getDelivery } from "./get-delivery";
import type { PresentedDelivery } from "./schema";

/**
 * Sends a delivery again, whatever its status: the same id and body, a new signature, and all retries available again.
 * @throws Problem `not_found`, `webhook_endpoint_disabled`, `rate_limited`
 */
export async function redeliver(
  services: Services,
  { owner, id }: { owner: Owner; id: string },
  settlement?: Settlement,
): Promise<PresentedDelivery> {
  const { delivery } = await findDelivery(services, owner, id);
  const endpoint = await findEndpoint(services, owner, delivery.endpoint_id);
  if (endpoint.delivery === "push") await assertMaySend(services, endpoint);
  await services.platform.armKeeper();
  const write = async () =>
    (await services.store.deliveries.redeliver(owner, { id, kept_for: RETRIED_FOR }, settlement)) || null;
  const { run_id } = delivery;
  const isDue = run_id === null ? await write() : await whileRestored(services, owner, run_id, write);
  if (!isDue) throw notEnabled(delivery.endpoint_id);
  if (endpoint.delivery === "push") await wakeSender(services, endpoint.id);
  return withRetry(() => getDelivery(services, { owner, id, viewer: { may_answer: true } }));
}
