import { durationMs } from "#core/duration";
import type { Services } from "../services";
import { makeSecret } from "./delivery/sign";
import { noSuchEndpoint } from "./find-endpoint";
import { presentEndpoint } from "./present-endpoint";
import type { EndpointWithSecret } from "./schema";
import type { RotateRequest } from "./requests";

/**
 * Gives an endpoint a new secret, which only this answer shows. During the overlap the previous secret signs too; a secret from an
 * earlier rotation stops now, so there are never more than two.
 */
export async function rotateSecret(
  { store, secrets }: Services,
  { tenant, id, request }: { tenant: string; id: string; request: RotateRequest },
): Promise<EndpointWithSecret> {
  const { secret = makeSecret(), overlap } = request;
  const row = await store.webhooks.rotateSecret(tenant, id, secrets.seal(secret), Date.now() + durationMs(overlap));
  if (!row) throw noSuchEndpoint(id);
  return { ...presentEndpoint(row), secret };
}
