import type { Secrets } from "#core/secrets";
import type { Services } from "../services";
import type { Claim, StoredAnswer } from "#store/idempotency";
import type { Answer } from "./claim-key";

/** Errors that an equal request may not meet again: of the key, of the rate, and of ours (design: api.md, "Conventions"). */
const isPassing = (status: number) => status === 401 || status === 429 || status >= 500;

/** Has equal requests answered like this one from now on; or gives the key back, when the answer is one that may pass. */
export async function settleKey({ store, secrets }: Services, claim: Claim, answer: Answer): Promise<void> {
  if (isPassing(answer.status)) await store.idempotency.release(claim);
  else await store.idempotency.storeAnswer(settlement(secrets, claim, answer));
}

/** An answer as it is stored: sealed, for it may show a secret or a capability. */
export const settlement = (secrets: Secrets, claim: Claim, { status, headers, body }: Answer): StoredAnswer => ({
  claim,
  run_id: /json/.test(headers["content-type"] ?? "") ? runOf(body) : null,
  status,
  headers: JSON.stringify(headers),
  body: secrets.seal(body),
});

/** The run that an answer shows, or shows a part of. */
function runOf(body: string): string | null {
  const shown = JSON.parse(body) as { object?: string; id?: string; run_id?: string | null };
  return (shown.object === "run" ? shown.id : shown.run_id) ?? null;
}
