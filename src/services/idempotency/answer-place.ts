import type { SealPlace } from "#core/secrets";
import type { Claim } from "#store/idempotency";

/** The place of the sealed answer under a key. */
export const answerPlace = ({ scope, path, key }: Pick<Claim, "scope" | "path" | "key">): SealPlace => ({
  table: "idempotency_keys",
  tenant: scope,
  id: JSON.stringify([path, key]),
  purpose: "answer",
});
