import type { Secrets } from "#core/secrets";
import type { Services } from "../services";
import type { Claim, StoredAnswer } from "#store/idempotency";
import type { StoredResponse } from "./claim-key";

/** Errors that a repeated request may not get again: 401, 429 and 5xx (design: api.md, "Conventions"). */
const isTransient = (status: number) => status === 401 || status === 429 || status >= 500;

/** Stores the answer for equal requests; releases the key instead when the answer is a transient error. */
export async function settleKey({ store, secrets }: Services, claim: Claim, answer: StoredResponse): Promise<void> {
  if (isTransient(answer.status)) await store.idempotency.release(claim);
  else await store.idempotency.storeAnswer(settlement(secrets, claim, answer));
}

/** An answer as it is stored: encrypted, because it may show a secret or a capability. */
export const settlement = (
  secrets: Secrets,
  claim: Claim,
  { status, headers, body }: StoredResponse,
): StoredAnswer => ({
  claim,
  run_id: /json/.test(headers["content-type"] ?? "") ? runOf(body) : null,
  status,
  headers: JSON.stringify(headers),
  body: secrets.seal(body),
});

/** The run that an answer shows, or that its resource belongs to. */
function runOf(body: string): string | null {
  const shown = JSON.parse(body) as { object?: string; id?: string; run_id?: string | null };
  return (shown.object === "run" ? shown.id : shown.run_id) ?? null;
}
