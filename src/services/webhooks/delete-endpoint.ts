import type { Owner } from "#core/owner";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { noSuchEndpoint } from "./find-endpoint";

/** Deletes an endpoint with its secrets and deliveries. Requests in flight still arrive. @throws Problem `not_found` */
export async function deleteEndpoint(
  { store }: Services,
  owner: Owner,
  id: string,
  settlement?: Settlement,
): Promise<void> {
  if (!(await store.endpoints.remove(owner, id, settlement))) throw noSuchEndpoint(id);
}
