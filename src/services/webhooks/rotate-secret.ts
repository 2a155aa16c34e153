import { durationMs } from "#core/duration";
import type { Services } from "../services";
import { makeSecret } from "./delivery/sign";
import { noSuchEndpoint } from "./find-endpoint";
import { type PresentedEndpoint, presentEndpoint } from "./present-endpoint";
import type { RotateRequest } from "./requests";

/**
 * Gives an endpoint a new secret, shown this once. The one that was signs beside it for the overlap; one that was still signing
 * from a rotation before ends now: there are never more than two.
 */
export async function rotateSecret(
  { store, secrets }: Services,
  tenant: string,
  id: string,
  { secret = makeSecret(), overlap }: RotateRequest,
): Promise<PresentedEndpoint & { secret: string }> {
  const row = await store.webhooks.rotateSecret(tenant, id, secrets.seal(secret), Date.now() + durationMs(overlap));
  if (!row) throw noSuchEndpoint(id);
  return { ...presentEndpoint(row), secret };
}
