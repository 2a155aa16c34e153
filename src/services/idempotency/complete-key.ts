import type { Secrets } from "#core/secrets";
import { withRetry } from "#core/retry";
import type { Services } from "../services";
import type { AuditEntry } from "#store/audit";
import type { Claim, RequestCompletion, SealedResponse } from "#store/idempotency";
import { responseSealContext, type StoredResponse } from "./claim-key";

export type { RequestCompletion } from "#store/idempotency";

/** Makes what the transaction of a new thing stores under the key of its request. */
export type Complete<T> = (thing: T) => RequestCompletion;

/** Errors that a repeated request may not get again: 401, 403, 429 and 5xx (design: api.md, "Conventions"). */
const isTransient = (status: number) => [401, 403, 429].includes(status) || status >= 500;

/** Stores the answer for equal requests; releases the key instead when the answer is a transient error. */
export async function completeKey({ store, secrets }: Services, claim: Claim, answer: StoredResponse): Promise<void> {
  if (isTransient(answer.status)) await withRetry(() => store.idempotency.release(claim));
  else await withRetry(() => store.idempotency.storeResponse(claim, sealed(secrets, claim, answer)));
}

/** Like `completeKey`, but keeps nothing of a request that wrote nothing: its caller needs no API key, so no quota bounds what it stores. */
export async function completeWrittenKey(services: Services, claim: Claim, answer: StoredResponse): Promise<void> {
  if (await withRetry(() => services.store.idempotency.forgetUnwritten(claim))) return;
  await completeKey(services, claim, answer);
}

/** Completes a key with the answer that shows a new thing. */
export const completeWithResponse = (
  secrets: Secrets,
  audit: AuditEntry,
  claim: Claim,
  { made, answer }: { made: string; answer: StoredResponse },
): RequestCompletion => ({ audit, claim, made, answer: sealed(secrets, claim, answer) });

/**
 * Completes a key with the id of what is made or changed: the answer follows, and if it does not, a repeated request makes it.
 * @param claim null: the request has no key
 */
export const completeWithId = (audit: AuditEntry, claim: Claim | null, made: string): RequestCompletion => ({
  audit,
  claim,
  made,
  answer: null,
});

/** An answer as it is stored: encrypted, because it may show a secret or a capability. */
const sealed = (secrets: Secrets, claim: Claim, { status, headers, body }: StoredResponse): SealedResponse => ({
  run_id: /json/.test(headers["content-type"] ?? "") ? runOf(body) : null,
  status,
  headers: JSON.stringify(headers),
  body: secrets.seal(body, responseSealContext(claim)),
});

/** The run that an answer shows, or that its resource belongs to. */
function runOf(body: string): string | null {
  const shown = JSON.parse(body) as { object?: string; id?: string; run_id?: string | null };
  return (shown.object === "run" ? shown.id : shown.run_id) ?? null;
}
