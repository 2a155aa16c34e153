import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { EndpointRow } from "#store/rows";
import type { Services } from "../services";
import { findEndpoint } from "./find-endpoint";

/** The owner's endpoint with this id, whose deliveries are polled. @throws Problem `not_found`, `webhook_endpoint_pushes` */
export async function findPolledEndpoint(services: Services, owner: Owner, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(services, owner, id);
  if (endpoint.delivery === "push")
    throw new Problem("webhook_endpoint_pushes", `Deliveries of the webhook endpoint ${id} are sent to its URL.`);
  return endpoint;
}
