import { Problem } from "#core/errors";
import { refused, toFaults } from "../fields/faults";
import { newId } from "#core/ids";
import type { Services } from "../services";
import { makeSecret } from "./delivery/sign";
import { type PresentedEndpoint, presentEndpoint } from "./present-endpoint";
import { createEndpointSchema } from "./requests";

/** Of a tenant, those of its runs not counted: every run looks at all of them. */
const MOST_ENDPOINTS = 20;

/**
 * Adds an endpoint for the events of all the tenant's runs. The answer shows its secret, this once.
 * @throws Problem with every fault of the body; `too_many_webhook_endpoints`
 */
export async function createEndpoint(
  { store, settings, secrets }: Services,
  tenant: string,
  body: unknown,
): Promise<PresentedEndpoint & { secret: string }> {
  const parsed = createEndpointSchema(settings.url_policy).safeParse(body);
  if (!parsed.success) throw refused(toFaults(parsed.error, body));
  const { url, events, description, secret = makeSecret() } = parsed.data;
  const row = await store.webhooks.create(
    {
      id: newId("whe"),
      tenant_id: tenant,
      url,
      events: JSON.stringify(events),
      description,
      secret: secrets.seal(secret),
      created_at: Date.now(),
    },
    MOST_ENDPOINTS,
  );
  if (!row) {
    throw new Problem(
      "too_many_webhook_endpoints",
      `There are ${MOST_ENDPOINTS} webhook endpoints, and no more are possible.`,
    );
  }
  return { ...presentEndpoint(row), secret };
}
