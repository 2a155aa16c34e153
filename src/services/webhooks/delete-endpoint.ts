import type { Services } from "../services";
import { noSuchEndpoint } from "./find-endpoint";

/** Deletes an endpoint with its secrets and deliveries. Requests in flight still arrive. @throws Problem `not_found` */
export async function deleteEndpoint({ store }: Services, tenant: string, id: string): Promise<void> {
  if (!(await store.webhooks.remove(tenant, id))) throw noSuchEndpoint(id);
}
