import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import type { DeliveryStatus } from "#core/vocabulary";
import { PAGE_BYTES } from "#store/bounded-page";
import { findEndpoint } from "./find-endpoint";
import type { Viewer } from "../interactions/show-interaction";
import { presentDeliveries } from "./present-delivery";
import type { PresentedDelivery } from "./schema";

/** Deliveries that are read at once: each with its run, its question and its attempts. */
const BATCH = 20;

/** The deliveries of an endpoint, newest first; a page ends early instead of exceeding `PAGE_BYTES`. @throws Problem `not_found` */
export async function listDeliveries(
  services: Services,
  request: PageRequest & {
    endpoint: string;
    filter: { status?: DeliveryStatus; run_id?: string };
    viewer: Viewer;
  },
): Promise<Page<PresentedDelivery>> {
  const { owner, endpoint, filter, limit, viewer } = request;
  await findEndpoint(services, owner, endpoint);
  const rows: PresentedDelivery[] = [];
  let bytes = 0;
  for (let { after } = request; ;) {
    const size = Math.min(BATCH, limit - rows.length);
    const batch = await services.store.deliveries.list(endpoint, filter, size, after);
    for (const delivery of await presentDeliveries(services, batch.rows, viewer)) {
      bytes += Buffer.byteLength(JSON.stringify(delivery));
      if (bytes > PAGE_BYTES && rows.length > 0) return { rows, next: rows.at(-1)!.id };
      rows.push(delivery);
    }
    if (batch.next === null || rows.length === limit) return { rows, next: batch.next };
    after = batch.next;
  }
}
