import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import { durationMs } from "#core/duration";
import type { Services } from "../services";
import type { RequestCompletion } from "../idempotency/complete-key";
import { makeSecret } from "./delivery/sign";
import { findEndpoint, noSuchEndpoint, presentEndpoint } from "./endpoints";
import { signingSecretOf } from "./signing-secret";
import type { EndpointWithSecret } from "./schema";
import type { RotateRequest } from "./requests";

/**
 * Gives an endpoint a new secret, which only this answer shows. During the overlap the previous secret signs too; a secret from an
 * earlier rotation stops now, so there are never more than two.
 */
export async function rotateSecret(
  services: Services,
  { owner, id, request }: { owner: Owner; id: string; request: RotateRequest },
  completion?: RequestCompletion,
): Promise<EndpointWithSecret> {
  const { store, secrets } = services;
  const { kind } = await findEndpoint(services, owner, id);
  if (kind !== "http") throw new Problem("webhook_endpoint_unsigned", `Endpoints of kind ${kind} are not signed.`);
  const { secret = makeSecret(), overlap } = request;
  const change = {
    secret: secrets.seal(secret, signingSecretOf({ tenant_id: owner.tenant_id, id })),
    until: Date.now() + durationMs(overlap),
  };
  const row = await store.endpoints.rotateSecret(owner, id, change, completion);
  if (!row) throw noSuchEndpoint(id);
  return { ...presentEndpoint(row), secret };
}

/** Shows an endpoint whose secret was rotated by an earlier request under the same key, which was not answered. */
export async function getEndpointWithSecret(services: Services, owner: Owner, id: string): Promise<EndpointWithSecret> {
  const row = await findEndpoint(services, owner, id);
  return { ...presentEndpoint(row), secret: services.secrets.open(row.secret, signingSecretOf(row)) };
}
