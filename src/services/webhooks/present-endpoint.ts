import { toTime, toTimeOrNull } from "../fields/time";
import type { EndpointRow } from "#store/rows";
import type { DisabledBecause, WebhookType } from "#core/vocabulary";

export interface PresentedEndpoint {
  object: "webhook_endpoint";
  id: string;
  run_id: string | null;
  url: string;
  events: WebhookType[];
  description: string;
  status: "enabled" | "disabled";
  disabled_because: DisabledBecause | null;
  disabled_at: string | null;
  previous_secret_expires_at: string | null;
  created_at: string;
  updated_at: string;
}

/** Shows an endpoint without its secrets. */
export const presentEndpoint = (row: EndpointRow): PresentedEndpoint => ({
  object: "webhook_endpoint",
  id: row.id,
  run_id: row.run_id,
  url: row.url,
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
