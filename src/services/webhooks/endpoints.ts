import { toTime, toTimeOrNull } from "../fields/time";
import type { EndpointRow } from "#store/rows";
import type { WebhookType } from "#core/vocabulary";
import type { PresentedEndpoint } from "./schema";
import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { parseBody, validationProblem } from "../fields/field-errors";
import type { RequestCompletion } from "../idempotency/complete-key";
import { assertSendsMail, targetOf } from "./target";
import { POLLED_HAS_NO_URL, updateEndpointSchema } from "./requests";

/** Shows an endpoint without its secrets. */
export const presentEndpoint = (row: EndpointRow): PresentedEndpoint => ({
  object: "webhook_endpoint",
  id: row.id,
  run_id: row.run_id,
  kind: row.kind,
  delivery: row.delivery,
  format: row.format,
  url: row.delivery === "poll" ? null : row.url,
  events: JSON.parse(row.events) as WebhookType[],
  description: row.description,
  status: row.status,
  disabled_because: row.disabled_because,
  disabled_at: toTimeOrNull(row.disabled_at),
  previous_secret_expires_at:
    (row.previous_secret_until ?? 0) > Date.now() ? toTimeOrNull(row.previous_secret_until) : null,
  created_at: toTime(row.created_at),
  updated_at: toTime(row.updated_at),
});

export const noSuchEndpoint = (id: string) => new Problem("not_found", `There is no webhook endpoint ${id}.`);

/** The owner's endpoint with this id; it may be the webhook of a run. @throws Problem `not_found` */
export async function findEndpoint({ store }: Services, owner: Owner, id: string): Promise<EndpointRow> {
  const row = await store.endpoints.get(id);
  if (row?.tenant_id !== owner.tenant_id || row.mode !== owner.mode) throw noSuchEndpoint(id);
  return row;
}

export const notEnabled = (id: string) =>
  new Problem("webhook_endpoint_disabled", `The webhook endpoint ${id} is disabled: nothing is sent to it.`);

/** The owner's endpoint with this id, whose deliveries are polled. @throws Problem `not_found`, `webhook_endpoint_pushes` */
export async function findPolledEndpoint(services: Services, owner: Owner, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(services, owner, id);
  if (endpoint.delivery === "push")
    throw new Problem("webhook_endpoint_pushes", `Deliveries of the webhook endpoint ${id} are sent to its URL.`);
  return endpoint;
}

export const getEndpoint = async (services: Services, owner: Owner, id: string): Promise<PresentedEndpoint> =>
  presentEndpoint(await findEndpoint(services, owner, id));

/** Newest first: the endpoints of the whole tenant, or with `run_id` those of that run. */
export async function listEndpoints(
  { store }: Services,
  request: PageRequest & { filter: { run_id?: string; status?: PresentedEndpoint["status"] } },
): Promise<Page<PresentedEndpoint>> {
  const { owner, filter, limit, after } = request;
  const { rows, next } = await store.endpoints.list(owner, filter, limit, after);
  return { rows: rows.map(presentEndpoint), next };
}

/**
 * Changes the fields in the body. Pending deliveries go to the new URL; disabling the endpoint fails them.
 * @throws Problem with every error of the body; `not_found`
 */
export async function updateEndpoint(
  services: Services,
  { owner, id, body }: { owner: Owner; id: string; body: unknown },
  completion?: RequestCompletion,
): Promise<PresentedEndpoint> {
  const endpoint = await findEndpoint(services, owner, id);
  const { events, url, ...change } = parseBody(updateEndpointSchema(services.settings.url_policy, endpoint.kind), body);
  if (endpoint.delivery === "poll" && url !== undefined)
    throw validationProblem([{ path: "url", code: "invalid_value", message: POLLED_HAS_NO_URL }]);
  if (endpoint.kind === "email" && url !== undefined) assertSendsMail(services, owner, url);
  const fields = {
    ...change,
    ...(url !== undefined && (endpoint.kind === "slack" ? targetOf(services, endpoint, url) : { url })),
    ...(events && { events: JSON.stringify(events) }),
  };
  const row = await services.store.endpoints.update(owner, id, fields, completion);
  if (!row) throw noSuchEndpoint(id);
  return presentEndpoint(row);
}

/** Deletes an endpoint with its secrets and deliveries. Requests in flight still arrive. @throws Problem `not_found` */
export async function deleteEndpoint(
  { store }: Services,
  owner: Owner,
  id: string,
  completion?: RequestCompletion,
): Promise<void> {
  if (!(await store.endpoints.remove(owner, id, completion))) throw noSuchEndpoint(id);
}
