import type { Owner } from "#core/owner";
import { parseBody, validationProblem } from "../fields/faults";
import { DEFAULT_ENDPOINT_TYPES, DEFAULT_NOTICE_TYPES } from "#core/vocabulary";
import { newId } from "#core/ids";
import type { Services } from "../services";
import type { Settle } from "../idempotency/settle-key";
import { makeSecret } from "./delivery/sign";
import { sendsMail, targetOf } from "./target";
import { presentEndpoint } from "./present-endpoint";
import type { EndpointWithSecret } from "./schema";
import type { EndpointRow } from "#store/rows";
import { createEndpointSchema } from "./requests";

/**
 * Adds an endpoint for the events of all runs of its owner. Only this answer shows its secret.
 * @throws Problem with every fault of the body, `not_configured` among them; `quota_exceeded`
 */
export async function createEndpoint(
  services: Services,
  owner: Owner,
  body: unknown,
  settle?: Settle<EndpointWithSecret>,
): Promise<EndpointWithSecret> {
  const { store, settings } = services;
  const {
    kind,
    delivery,
    url = "",
    events = kind === "http" ? DEFAULT_ENDPOINT_TYPES : DEFAULT_NOTICE_TYPES,
    description,
    secret = makeSecret(),
  } = parseBody(createEndpointSchema(settings.url_policy), body);
  if (kind === "email" && !sendsMail(services))
    throw validationProblem([{ path: "kind", code: "not_configured", message: "This deployment sends no mail." }]);
  const now = Date.now();
  const id = newId("whe");
  const row: EndpointRow = {
    id,
    tenant_id: owner.tenant_id,
    mode: owner.mode,
    run_id: null,
    delivery,
    kind,
    ...targetOf(services, { ...owner, id, kind }, url, secret),
    events: JSON.stringify(events),
    description,
    previous_secret: null,
    previous_secret_until: null,
    status: "enabled",
    disabled_because: null,
    disabled_at: null,
    created_at: now,
    updated_at: now,
  };
  const created = { ...presentEndpoint(row), secret: kind === "http" ? secret : null };
  await store.webhooks.create(row, settle?.(created));
  return created;
}
