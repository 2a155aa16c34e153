import type { Owner } from "#core/owner";
import { parseBody, validationProblem } from "../fields/faults";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { findEndpoint, noSuchEndpoint } from "./find-endpoint";
import { targetOf } from "./target";
import { presentEndpoint } from "./present-endpoint";
import type { PresentedEndpoint } from "./schema";
import { POLLED_HAS_NO_URL, updateEndpointSchema } from "./requests";

/**
 * Changes the fields in the body. Pending deliveries go to the new URL; disabling the endpoint fails them.
 * @throws Problem with every fault of the body; `not_found`
 */
export async function updateEndpoint(
  services: Services,
  { owner, id, body }: { owner: Owner; id: string; body: unknown },
  settlement?: Settlement,
): Promise<PresentedEndpoint> {
  const endpoint = await findEndpoint(services, owner, id);
  const { events, url, ...change } = parseBody(updateEndpointSchema(services.settings.url_policy, endpoint.kind), body);
  if (endpoint.delivery === "poll" && url !== undefined)
    throw validationProblem([{ path: "url", code: "invalid_value", message: POLLED_HAS_NO_URL }]);
  const fields = {
    ...change,
    ...(url !== undefined && (endpoint.kind === "slack" ? targetOf(services, endpoint, url) : { url })),
    ...(events && { events: JSON.stringify(events) }),
  };
  const row = await services.store.endpoints.update(owner, id, fields, settlement);
  if (!row) throw noSuchEndpoint(id);
  return presentEndpoint(row);
}
