import { createHash } from "node:crypto";
import { Problem } from "#core/errors";
import type { Admission } from "../platform";
import type { Services } from "../services";

type RateServices = Pick<Services, "platform" | "settings">;
type Destination = { tenant_id: string; url: string };

/** Counts one request to the destination. @returns milliseconds to wait when its host takes no more now; null: it may be sent */
export const countDelivery = (services: RateServices, destination: Destination): Promise<number | null> =>
  waitFor(services, destination, 1);

/**
 * Refuses a request that would be sent at once, while the host takes no more. It is counted when it is sent.
 * @throws Problem `rate_limited`
 */
export async function assertMaySend(services: RateServices, destination: Destination): Promise<void> {
  const wait = await waitFor(services, destination, 0);
  if (wait === null) return;
  throw new Problem(
    "rate_limited",
    `${hostOf(destination.url)} has been sent as many webhooks as one host gets within a minute. Those that wait are sent later.`,
    [],
    Math.max(1, Math.ceil(wait / 1000)),
  );
}

async function waitFor(
  { platform, settings }: RateServices,
  { tenant_id, url }: Destination,
  count: 0 | 1,
): Promise<number | null> {
  // A hash, because names are logged and a host may be a secret of its owner.
  const host = createHash("sha256").update(hostOf(url)).digest("hex").slice(0, 32);
  const { of_tenant, of_all } = settings.webhook_rates;
  const limits: [string, number][] = [
    [`webhooks_${tenant_id}_${host}`, of_tenant],
    [`webhooks_${host}`, of_all],
  ];
  for (const [name, limit] of limits) {
    const admission: Admission | null = limit === 0 ? null : await platform.admit(name, limit, count);
    if (admission && !admission.admitted) return admission.resets_in_ms;
  }
  return null;
}

/** Without the port: all ports of a host share its rate. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, "");
