import { randomUUID } from "node:crypto";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { Claim } from "#store/idempotency";

export type { Claim } from "#store/idempotency";

/** How long an answer is stored; after that the key is free again. Milliseconds. */
export const KEPT_FOR = 24 * 60 * 60_000;

/** A request without an answer after this time counts as dead; an equal request takes its key. Milliseconds. */
export const IN_FLIGHT_FOR = 60_000;

/** The HTTP answer to a request. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Claims the key of a request, or finds the answer to an equal request.
 * @param request.fingerprint differs between different requests with the same key
 * @throws Problem `idempotency_key_reused`, `idempotency_key_in_flight`
 */
export async function claimKey(
  { store, secrets }: Services,
  request: Omit<Claim, "owner"> & { fingerprint: string },
): Promise<{ claim: Claim } | { answer: StoredResponse }> {
  const { fingerprint, ...place } = request;
  const claim = { ...place, owner: randomUUID() };
  const now = Date.now();
  const times = { now, expires_at: now + KEPT_FOR, abandoned_before: now - IN_FLIGHT_FOR };
  const row = await store.idempotency.claim(claim, fingerprint, times);
  if (row.owner === claim.owner) return { claim };
  if (row.fingerprint !== fingerprint) {
    throw new Problem("idempotency_key_reused", "Another request to this path was made with this Idempotency-Key.");
  }
  if (row.status === null) throw inFlight(row.claimed_at + IN_FLIGHT_FOR - now);
  const body = secrets.open(await store.idempotency.body(row));
  return { answer: { status: row.status, headers: JSON.parse(row.headers!), body } };
}

/** @param ms the longest time until the key can be taken */
export const inFlight = (ms: number): Problem =>
  new Problem(
    "idempotency_key_in_flight",
    "The first request with this Idempotency-Key has not been answered yet.",
    [],
    Math.max(1, Math.ceil(ms / 1000)),
  );
