import { urlRefusal, type TextPolicy } from "#core/outbound/url-policy";
import type { EndpointKind } from "#core/vocabulary";
import type { EndpointRow } from "#store/rows";
import { mailAddress } from "../interactions/requests";
import type { Services } from "../services";
import { makeSecret } from "./delivery/sign";
import { signingSecretOf } from "./signing-secret";

const MAILTO = "mailto:";

/** The error of a URL for an endpoint of this kind, with its code; null when it has none. */
export function targetError(
  kind: EndpointKind,
  url: string,
  policy: TextPolicy,
): { code: string; message: string } | null {
  if (kind !== "email") {
    const message = urlRefusal(url, policy);
    return message === null ? null : { code: "url_refused", message };
  }
  const isAddress = url.startsWith(MAILTO) && mailAddress.safeParse(url.slice(MAILTO.length)).success;
  return isAddress ? null : { code: "invalid_value", message: "Write mailto: and one address." };
}

/**
 * The columns that say where an endpoint's messages go. A Slack URL is itself a secret, so it is sealed in the place of the signing secret,
 * which only webhooks have; the column `url` then has its origin.
 * @param secret that signs; by default one is made
 */
export function targetOf(
  { secrets }: Pick<Services, "secrets">,
  endpoint: Pick<EndpointRow, "id" | "tenant_id" | "kind">,
  url: string,
  secret = makeSecret(),
): Pick<EndpointRow, "url" | "secret"> {
  const isSlack = endpoint.kind === "slack";
  return {
    url: isSlack ? `${new URL(url).origin}/…` : url,
    secret: secrets.seal(isSlack ? url : secret, signingSecretOf(endpoint)),
  };
}

export const slackUrl = ({ secrets }: Pick<Services, "secrets">, endpoint: EndpointRow): string =>
  secrets.open(endpoint.secret, signingSecretOf(endpoint));

export const addressOf = ({ url }: Pick<EndpointRow, "url">): string => url.slice(MAILTO.length);

/** Whether this deployment can send mail. */
export const sendsMail = ({ settings, platform }: Pick<Services, "settings" | "platform">): boolean =>
  settings.mail.from !== null && (settings.mail.api !== null || platform.sendMail !== null);
