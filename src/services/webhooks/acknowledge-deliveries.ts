import type { Owner } from "#core/owner";
import { withRetry } from "#core/retry";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { findPolledEndpoint } from "./find-polled-endpoint";
import type { Acknowledged } from "./schema";

/**
 * Settles deliveries that a consumer has taken, whichever lease gave them to it. Safe to repeat.
 * @throws Problem `not_found`, `webhook_endpoint_pushes`
 */
export async function acknowledgeDeliveries(
  services: Services,
  { owner, id, deliveries }: { owner: Owner; id: string; deliveries: readonly string[] },
  settlement?: Settlement,
): Promise<Acknowledged> {
  const { leases } = services.store;
  await findPolledEndpoint(services, owner, id);
  await leases.acknowledge(id, deliveries, settlement);
  const delivered = new Set(await withRetry(() => leases.delivered(id, deliveries)));
  return {
    object: "acknowledged_deliveries",
    acknowledged: deliveries.filter((delivery) => delivered.has(delivery)),
    unknown: deliveries.filter((delivery) => !delivered.has(delivery)),
  };
}
