import { toTime, toTimeOrNull } from "../fields/time";
import type { EndpointRow } from "#store/rows";
import type { WebhookType } from "#core/vocabulary";
import type { PresentedEndpoint } from "./schema";

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
