import type { Services } from "../services";
import { noSuchEndpoint } from "./find-endpoint";

/** Removes an endpoint with its secrets and its log. What is being sent at this moment still arrives. */
export async function deleteEndpoint({ store }: Services, tenant: string, id: string): Promise<void> {
  if (!(await store.webhooks.remove(tenant, id))) throw noSuchEndpoint(id);
}
