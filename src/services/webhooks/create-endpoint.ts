import { Problem } from "#core/errors";
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

/** Of a tenant, without the webhooks of its runs. Every event of a run is matched against all of them. */
const MOST_ENDPOINTS = 20;

/**
 * Adds an endpoint for the events of all the tenant's runs. Only this answer shows its secret.
 * @throws Problem with every fault of the body; `too_many_webhook_endpoints`
 */
export async function createEndpoint(
  { store, settings, secrets }: Services,
  tenant: string,
  body: unknown,
  settle?: Settle<EndpointWithSecret>,
): Promise<EndpointWithSecret> {
  const {
    url,
    events,
    description,
    secret = makeSecret(),
  } = parseBody(createEndpointSchema(settings.url_policy), body);
  const now = Date.now();
  const owner = { id: newId("whe"), tenant_id: tenant };
  const row: EndpointRow = {
    ...owner,
    run_id: null,
    url,
    events: JSON.stringify(events),
    description,
    secret: secrets.seal(secret, signingSecretOf(owner)),
    previous_secret: null,
    previous_secret_until: null,
    status: "enabled",
    disabled_because: null,
    disabled_at: null,
    created_at: now,
    updated_at: now,
  };
  const created = { ...presentEndpoint(row), secret };
  if (!(await store.webhooks.create(row, MOST_ENDPOINTS, settle?.(created)))) {
    throw new Problem(
      "too_many_webhook_endpoints",
      `The tenant already has ${MOST_ENDPOINTS} webhook endpoints, the maximum.`,
    );
  }
  return created;
}
