import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import type { DeliveryStatus } from "#core/vocabulary";
import { findEndpoint } from "./find-endpoint";
import type { Viewer } from "../interactions/show-interaction";
import { presentDeliveries } from "./present-delivery";
import type { PresentedDelivery } from "./schema";

/** The deliveries of an endpoint, newest first. @throws Problem `not_found` */
export async function listDeliveries(
  services: Services,
  request: PageRequest & {
    endpoint: string;
    filter: { status?: DeliveryStatus; run_id?: string };
    viewer: Viewer;
  },
): Promise<Page<PresentedDelivery>> {
  const { owner, endpoint, filter, limit, after, viewer } = request;
  await findEndpoint(services, owner, endpoint);
  const { rows, next } = await services.store.webhooks.deliveries(endpoint, filter, limit, after);
  return { rows: await presentDeliveries(services, rows, viewer), next };
}
