import { parseBody } from "../fields/faults";
import type { Services } from "../services";
import { findEndpoint, noSuchEndpoint } from "./find-endpoint";
import { presentEndpoint } from "./present-endpoint";
import type { PresentedEndpoint } from "./schema";
import { updateEndpointSchema } from "./requests";

/**
 * Changes the fields in the body. Pending deliveries go to the new URL; disabling the endpoint fails them.
 * @throws Problem with every fault of the body; `not_found`
 */
export async function updateEndpoint(
  services: Services,
  { tenant, id, body }: { tenant: string; id: string; body: unknown },
): Promise<PresentedEndpoint> {
  await findEndpoint(services, tenant, id);
  const { events, ...change } = parseBody(updateEndpointSchema(services.settings.url_policy), body);
  const row = await services.store.webhooks.update(tenant, id, {
    ...change,
    ...(events && { events: JSON.stringify(events) }),
  });
  if (!row) throw noSuchEndpoint(id);
  return presentEndpoint(row);
}
