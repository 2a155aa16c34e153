import type { EndpointRow } from "#store/rows";
import type { LoadedDelivery } from "#store/deliveries";
import type { Services } from "../../services";
import { headersOf, signingSecretOf } from "../signing-secret";
import type { DeliveryRequest } from "./attempt";
import { bodyOf } from "./payload";
import { sign } from "./sign";

/** The body of a delivery, and its headers, which are signed anew for each time at which it is sent. */
export function composeDelivery(
  services: Pick<Services, "secrets" | "settings">,
  endpoint: EndpointRow,
  loaded: LoadedDelivery,
): (at: Date) => Omit<DeliveryRequest, "url"> {
  const { secrets } = services;
  const body = bodyOf(loaded, secrets);
  const { delivery, format } = loaded;
  const own = endpoint.headers === null ? {} : JSON.parse(secrets.open(endpoint.headers, headersOf(endpoint)));
  return (at) => ({
    headers: {
      ...own,
      "content-type": format === "a2a" ? "application/a2a+json" : "application/json",
      "user-agent": `Parley/${services.settings.version}`,
      ...sign(signingSecrets(services, endpoint, at), { id: delivery.event_id, at, body }),
    },
    body,
  });
}

/** The newest first; during a rotation's overlap also the previous one. */
function signingSecrets({ secrets }: Pick<Services, "secrets">, endpoint: EndpointRow, at: Date): string[] {
  const { secret, previous_secret, previous_secret_until } = endpoint;
  const both = previous_secret !== null && (previous_secret_until ?? 0) > at.getTime();
  return [secret, ...(both ? [previous_secret] : [])].map((sealed) => secrets.open(sealed, signingSecretOf(endpoint)));
}
