import type { Services } from "../services";
import type { Page } from "#core/page";
import type { DeliveryStatus } from "#core/vocabulary";
import { findEndpoint } from "./find-endpoint";
import { type PresentedDelivery, presentDeliveries, type Viewer } from "./present-delivery";

/** The log of an endpoint, newest first. */
export async function listDeliveries(
  services: Services,
  tenant: string,
  endpoint: string,
  filter: { status?: DeliveryStatus; run_id?: string },
  limit: number,
  after: string | null,
  viewer: Viewer,
): Promise<Page<PresentedDelivery>> {
  await findEndpoint(services, tenant, endpoint);
  const { rows, next } = await services.store.webhooks.deliveries(endpoint, filter, limit, after);
  return { rows: await presentDeliveries(services, rows, viewer), next };
}
