import type { EndpointRow } from "#store/rows";
import type { LoadedDelivery } from "#store/deliveries";
import { addressRefusal, modeRefusal } from "../../mail-settings";
import type { Services } from "../../services";
import { addressOf, slackUrl } from "../target";
import type { DeliveryRequest } from "./attempt";
import { composeDelivery } from "./compose";
import { mailOf } from "./mail";
import { noticeOf } from "./notice";
import { bodyOf } from "./payload";
import { slackMessage } from "./slack";

type RequestServices = Pick<Services, "secrets" | "settings" | "platform">;

/** How a delivery is sent, by the kind of its endpoint. */
export function requestOf(
  services: RequestServices,
  endpoint: EndpointRow,
  loaded: LoadedDelivery,
): (at: Date) => DeliveryRequest {
  const { url } = endpoint;
  if (endpoint.kind === "http") {
    const compose = composeDelivery(services, endpoint, loaded);
    return (at) => ({ url, ...compose(at) });
  }
  const { content, delivery } = loaded;
  const notice = noticeOf(
    JSON.parse(bodyOf(loaded, services.secrets)),
    content.is === "event" ? content.run.origin : services.settings.public_url,
  );
  const headers = { "content-type": "application/json", "user-agent": `Parley/${services.settings.version}` };
  if (endpoint.kind === "slack") {
    const body = JSON.stringify(slackMessage(notice));
    return () => ({ url, headers, body, hidden: { url: slackUrl(services, endpoint), headers: {} } });
  }
  return () => {
    const { mail: settings } = services.settings;
    const { from, api } = settings;
    const { sendMail } = services.platform;
    if (from === null) throw new Error("this deployment has no EMAIL_FROM.");
    const to = notice.assignee_email ?? addressOf(endpoint);
    const refused = modeRefusal(settings, endpoint.mode) ?? addressRefusal(settings, to);
    if (refused) throw new Error(refused);
    const mail = mailOf(notice, from, to);
    const body = JSON.stringify(mail);
    if (!api) {
      if (!sendMail) throw new Error("this deployment has no mail provider.");
      return { url, headers: {}, body, send: () => sendMail(mail) };
    }
    // The same in each retry, and another one when the delivery is sent again on request.
    const repeated = { "idempotency-key": `${delivery.event_id}/${endpoint.id}/${delivery.round_began_at}` };
    const hidden = { url: api.url, headers: { authorization: `Bearer ${api.token}` } };
    return { url, headers: { ...headers, ...repeated }, body, hidden, is_configured: true };
  };
}
