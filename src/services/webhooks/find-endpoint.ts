import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { EndpointRow } from "#store/rows";

export const noSuchEndpoint = (id: string) => new Problem("not_found", `There is no webhook endpoint ${id}.`);

/** The owner's endpoint with this id; it may be the webhook of a run. @throws Problem `not_found` */
export async function findEndpoint({ store }: Services, owner: Owner, id: string): Promise<EndpointRow> {
  const row = await store.endpoints.get(id);
  if (row?.tenant_id !== owner.tenant_id || row.mode !== owner.mode) throw noSuchEndpoint(id);
  return row;
}

export const notEnabled = (id: string) =>
  new Problem("webhook_endpoint_disabled", `The webhook endpoint ${id} is disabled: nothing is sent to it.`);
