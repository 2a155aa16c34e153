import { urlRefusal, type TextPolicy } from "#core/outbound/url-policy";
import type { Owner } from "#core/owner";
import type { EndpointKind } from "#core/vocabulary";
import type { EndpointRow } from "#store/rows";
import { validationProblem } from "../fields/field-errors";
import { mailAddress } from "../interactions/requests";
import { addressRefusal, modeRefusal } from "../mail-settings";
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

/**
 * Refuses an endpoint to which no mail would be sent.
 * @param url `mailto:` and an address
 * @throws Problem `validation_failed`
 */
export function assertSendsMail(
  { settings: { mail }, platform }: Pick<Services, "settings" | "platform">,
  { mode }: Pick<Owner, "mode">,
  url: string,
): void {
  const sendsMail = mail.from !== null && (mail.api !== null || platform.sendMail !== null);
  const off = sendsMail ? modeRefusal(mail, mode) : "This deployment sends no mail.";
  if (off) throw validationProblem([{ path: "kind", code: "not_configured", message: off }]);
  const refused = addressRefusal(mail, url);
  if (refused) throw validationProblem([{ path: "url", code: "address_refused", message: refused }]);
}
