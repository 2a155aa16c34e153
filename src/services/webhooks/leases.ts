import { newId } from "#core/ids";
import type { Owner } from "#core/owner";
import { withRetry } from "#core/retry";
import type { EndpointRow } from "#store/rows";
import { toTime } from "../fields/time";
import type { RequestCompletion } from "../idempotency/complete-key";
import type { Services } from "../services";
import { composeDelivery } from "./delivery/compose";
import { notEnabled, findPolledEndpoint } from "./endpoints";
import type { LeaseRequest } from "./requests";
import type { LeasedDeliveries, Acknowledged } from "./schema";

export const newLease = (): string => newId("lea");

/**
 * Leases deliveries of an endpoint: until the lease ends no other lease gets them.
 * @param request.lease id of the new lease
 * @throws Problem `not_found`, `webhook_endpoint_pushes`, `webhook_endpoint_disabled`
 */
export async function leaseDeliveries(
  services: Services,
  { owner, id, lease, request }: { owner: Owner; id: string; lease: string; request: LeaseRequest },
  completion?: RequestCompletion,
): Promise<LeasedDeliveries> {
  const endpoint = await findPolledEndpoint(services, owner, id);
  if (endpoint.status === "disabled") throw notEnabled(id);
  const now = Date.now();
  const { limit, lease_seconds } = request;
  const until = now + lease_seconds * 1000;
  await services.store.leases.take({ id: lease, endpoint: id, limit, now, until }, completion);
  return withRetry(() => showLeased(services, endpoint, lease));
}

/** The deliveries of a lease that have not ended. @throws Problem `not_found`, `webhook_endpoint_pushes` */
export async function showLease(
  services: Services,
  owner: Owner,
  id: string,
  lease: string,
): Promise<LeasedDeliveries> {
  return showLeased(services, await findPolledEndpoint(services, owner, id), lease);
}

async function showLeased(services: Services, endpoint: EndpointRow, lease: string): Promise<LeasedDeliveries> {
  const leased = await services.store.deliveries.leased(lease);
  const at = new Date();
  return {
    object: "leased_deliveries",
    data: leased.map((loaded) => {
      const { delivery } = loaded;
      return {
        id: delivery.id,
        event_id: delivery.event_id,
        run_id: delivery.run_id,
        type: delivery.type,
        attempt: delivery.attempts,
        leased_until: toTime(delivery.leased_until!),
        ...composeDelivery(services, endpoint, loaded)(at),
      };
    }),
  };
}

/**
 * Acknowledges deliveries that a consumer has taken, whichever lease gave them to it. Safe to repeat.
 * @throws Problem `not_found`, `webhook_endpoint_pushes`
 */
export async function acknowledgeDeliveries(
  services: Services,
  { owner, id, deliveries }: { owner: Owner; id: string; deliveries: readonly string[] },
  completion?: RequestCompletion,
): Promise<Acknowledged> {
  const { leases } = services.store;
  await findPolledEndpoint(services, owner, id);
  await leases.acknowledge(id, deliveries, completion);
  const delivered = new Set(await withRetry(() => leases.delivered(id, deliveries)));
  return {
    object: "acknowledged_deliveries",
    acknowledged: deliveries.filter((delivery) => delivered.has(delivery)),
    unknown: deliveries.filter((delivery) => !delivered.has(delivery)),
  };
}
