import { randomUUID } from "node:crypto";
import { Problem } from "#core/errors";
import { withRetry } from "#core/retry";
import { SealError, type Secrets, type SealContext } from "#core/secrets";
import type { Services } from "../services";
import type { Claim } from "#store/idempotency";

export type { Claim } from "#store/idempotency";
export { isClaimLost, keyScope } from "#store/idempotency";

/** How long an answer is stored; after that the key is free again. Milliseconds. */
export const TTL_MS = 24 * 60 * 60_000;

/** A request without an answer after this time counts as dead; an equal request takes its key. Milliseconds. */
export const IN_FLIGHT_TTL_MS = 60_000;

/** The HTTP answer to a request. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The key that a request holds. */
export interface HeldKey {
  claim: Claim;
  /** Id of what an earlier, equal request has made or changed without being answered: this one only shows it. Otherwise null. */
  made: string | null;
}

/**
 * Claims the key of a request, or finds the answer to an equal request.
 * @throws Problem `idempotency_key_reused`, `idempotency_key_in_flight`, `idempotency_answer_unreadable`
 */
export async function claimKey(
  { store, secrets }: Services,
  request: Pick<Claim, "scope" | "path" | "key" | "fingerprint">,
): Promise<{ held: HeldKey } | { answer: StoredResponse }> {
  const now = Date.now();
  const claim = { ...request, owner: randomUUID(), claimed_at: now, expires_at: now + TTL_MS };
  const row = await withRetry(() => store.idempotency.claim(claim, now - IN_FLIGHT_TTL_MS));
  if (row.owner === claim.owner) return { held: { claim, made: row.made } };
  if (row.fingerprint !== claim.fingerprint) {
    throw new Problem("idempotency_key_reused", "Another request to this path was made with this Idempotency-Key.");
  }
  if (row.status === null) throw inFlight(row.claimed_at + IN_FLIGHT_TTL_MS - now);
  const body = openResponse(secrets, await withRetry(() => store.idempotency.body(row)), claim);
  return { answer: { status: row.status, headers: JSON.parse(row.headers!), body } };
}

/** @throws Problem `idempotency_answer_unreadable` when the secret that sealed it is gone */
function openResponse(secrets: Secrets, sealed: string, claim: Claim): string {
  try {
    return secrets.open(sealed, responseSealContext(claim));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new Problem(
      "idempotency_answer_unreadable",
      "An equal request was answered before, and its answer was sealed with a secret that the service no longer has.",
    );
  }
}

/** @param ms the longest time until the key can be taken */
export const inFlight = (ms: number): Problem =>
  new Problem(
    "idempotency_key_in_flight",
    "The first request with this Idempotency-Key has not been answered yet.",
    [],
    Math.max(1, Math.ceil(ms / 1000)),
  );

/** The place of the sealed answer under a key. */
export const responseSealContext = ({ scope, path, key }: Pick<Claim, "scope" | "path" | "key">): SealContext => ({
  table: "idempotency_keys",
  tenant: scope,
  id: JSON.stringify([path, key]),
  purpose: "answer",
});
