import type { Owner } from "#core/owner";
import { parseBody } from "../fields/field-errors";
import { DEFAULT_ENDPOINT_TYPES, DEFAULT_NOTICE_TYPES } from "#core/vocabulary";
import { newId } from "#core/ids";
import type { Services } from "../services";
import type { Complete } from "../idempotency/complete-key";
import { makeSecret } from "./delivery/sign";
import { headersOf } from "./signing-secret";
import { assertSendsMail, targetOf } from "./target";
import { presentEndpoint } from "./endpoints";
import type { EndpointWithSecret } from "./schema";
import type { EndpointRow } from "#store/rows";
import { Problem } from "#core/errors";
import type { Secrets } from "#core/secrets";
import { createEndpointSchema } from "./requests";

/**
 * Adds an endpoint for the events of all runs of its owner, or for those of one A2A task. Only this answer shows its secret.
 * @throws Problem with every error of the body, `not_configured` among them; `not_found` of the task; `quota_exceeded`
 */
export async function createEndpoint(
  services: Services,
  owner: Owner,
  body: unknown,
  complete?: Complete<EndpointWithSecret>,
): Promise<EndpointWithSecret> {
  const { store, settings, secrets } = services;
  const {
    a2a,
    kind,
    delivery,
    url = "",
    events = kind === "http" ? DEFAULT_ENDPOINT_TYPES : DEFAULT_NOTICE_TYPES,
    description,
    secret = makeSecret(),
  } = parseBody(createEndpointSchema(settings.url_policy), body);
  if (a2a) await assertRoom(services, owner, a2a.run_id);
  if (kind === "email") assertSendsMail(services, owner, url);
  const now = Date.now();
  const id = newId("whe");
  const row: EndpointRow = {
    id,
    tenant_id: owner.tenant_id,
    mode: owner.mode,
    run_id: a2a?.run_id ?? null,
    delivery,
    format: a2a ? "a2a" : "events",
    headers: a2a ? sealHeaders(secrets, { tenant_id: owner.tenant_id, id }, a2a) : null,
    kind,
    ...targetOf(services, { tenant_id: owner.tenant_id, id, kind }, url, secret),
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
  await store.endpoints.create(row, complete?.(created));
  return created;
}

/** Most endpoints of one run. */
const MAX_ENDPOINTS_PER_RUN = 10;

/** @throws Problem `not_found` of the run, or that it has too many endpoints */
async function assertRoom(services: Services, owner: Owner, run_id: string): Promise<void> {
  if (!(await services.store.runs.get(owner, run_id))) throw new Problem("not_found", `There is no run ${run_id}.`);
  const { rows } = await services.store.endpoints.list(owner, { run_id }, MAX_ENDPOINTS_PER_RUN, null);
  if (rows.length < MAX_ENDPOINTS_PER_RUN) return;
  const message = `The run has ${MAX_ENDPOINTS_PER_RUN} webhook endpoints; delete one.`;
  throw new Problem("validation_failed", message, [{ path: "a2a.run_id", code: "invalid_value", message }]);
}

function sealHeaders(
  secrets: Secrets,
  endpoint: Pick<EndpointRow, "tenant_id" | "id">,
  { authorization, token }: { authorization?: string | undefined; token?: string | undefined },
): string | null {
  const headers = { ...(authorization && { authorization }), ...(token && { "x-a2a-notification-token": token }) };
  return Object.keys(headers).length ? secrets.seal(JSON.stringify(headers), headersOf(endpoint)) : null;
}
