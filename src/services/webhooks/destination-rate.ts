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
    isMail(destination.url)
      ? "As many mails have been sent as a tenant may send within a minute. Those that wait are sent later."
      : `${hostOf(destination.url)} has been sent as many webhooks as one host gets within a minute. Those that wait are sent later.`,
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
  const { of_all, of_tenant: of_host } = settings.webhook_rates;
  const of_tenant = isMail(url) ? settings.mail.per_minute : of_host;
  const ofTenant = { name: `webhooks_${tenant_id}_${host}`, limit: of_tenant };
  const ofAll = { name: `webhooks_${host}`, limit: of_all };
  // The host is asked first without counting: what it refuses must not use up the rate of the tenant.
  const checks = [{ ...ofAll, count: 0 } as const, { ...ofTenant, count }, ...(count ? [{ ...ofAll, count }] : [])];
  for (const { name, limit, count: counted } of checks) {
    const admission: Admission | null = limit === 0 ? null : await platform.admit(name, limit, counted);
    if (admission && !admission.admitted) return admission.resets_in_ms;
  }
  return null;
}

const isMail = (url: string): boolean => url.startsWith("mailto:");

/** Without the port: all ports of a host share its rate. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, "") || "mail";
