import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { EndpointRow } from "#store/rows";

export const noSuchEndpoint = (id: string) => new Problem("not_found", `There is no webhook endpoint ${id}.`);

/** The tenant's endpoint with this id; it may be the webhook of a run. @throws Problem `not_found` */
export async function findEndpoint({ store }: Services, tenant: string, id: string): Promise<EndpointRow> {
  const row = await store.webhooks.endpoint(id);
  if (row?.tenant_id !== tenant) throw noSuchEndpoint(id);
  return row;
}

export const notEnabled = (id: string) =>
  new Problem("webhook_endpoint_disabled", `The webhook endpoint ${id} is disabled: nothing is sent to it.`);
