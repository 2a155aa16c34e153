import type { Owner } from "#core/owner";
import { parseBody } from "../fields/faults";
import { newId } from "#core/ids";
import type { Services } from "../services";
import type { Settle } from "../idempotency/settle-key";
import { makeSecret } from "./delivery/sign";
import { signingSecretOf } from "./signing-secret";
import { presentEndpoint } from "./present-endpoint";
import type { EndpointWithSecret } from "./schema";
import type { EndpointRow } from "#store/rows";
import { createEndpointSchema } from "./requests";

/**
 * Adds an endpoint for the events of all runs of its owner. Only this answer shows its secret.
 * @throws Problem with every fault of the body; `quota_exceeded`
 */
export async function createEndpoint(
  { store, settings, secrets }: Services,
  owner: Owner,
  body: unknown,
  settle?: Settle<EndpointWithSecret>,
): Promise<EndpointWithSecret> {
  const {
    delivery,
    url = "",
    events,
    description,
    secret = makeSecret(),
  } = parseBody(createEndpointSchema(settings.url_policy), body);
  const now = Date.now();
  const id = newId("whe");
  const row: EndpointRow = {
    id,
    tenant_id: owner.tenant_id,
    mode: owner.mode,
    run_id: null,
    delivery,
    url,
    events: JSON.stringify(events),
    description,
    secret: secrets.seal(secret, signingSecretOf({ tenant_id: owner.tenant_id, id })),
    previous_secret: null,
    previous_secret_until: null,
    status: "enabled",
    disabled_because: null,
    disabled_at: null,
    created_at: now,
    updated_at: now,
  };
  const created = { ...presentEndpoint(row), secret };
  await store.webhooks.create(row, settle?.(created));
  return created;
}
