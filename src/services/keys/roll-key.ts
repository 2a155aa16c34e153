import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import { newId } from "#core/ids";
import type { Complete } from "../idempotency/complete-key";
import type { Services } from "../services";
import { endOf, type KeyRow } from "./authenticate";
import { noSuchKey, presentKey } from "./keys";
import { makeKey } from "./make-key";
import type { CreatedKey, RollKey } from "./schema";

/** Seconds. A key that rolls itself stays valid so long at least: its caller must be able to repeat the request. */
const MIN_OWN_OVERLAP = 60;

/**
 * Replaces a key by a new one with the same name, mode, scopes, workflows and lifetime. The replaced key expires at the end of the overlap.
 * @param request.caller the key that makes the request
 * @throws Problem `not_found`, `key_ended`, `key_in_use`
 */
export async function rollKey(
  { store }: Services,
  request: { caller: Owner & { id: string }; id: string; roll: RollKey },
  complete?: Complete<CreatedKey>,
): Promise<CreatedKey> {
  const { caller, id, roll } = request;
  if (id === caller.id && roll.overlap_seconds < MIN_OWN_OVERLAP)
    throw new Problem("key_in_use", `A key that rolls itself needs an overlap of ${MIN_OWN_OVERLAP} seconds or more.`);
  const old = await store.keys.get(caller, id);
  if (!old) throw noSuchKey(id);
  const now = Date.now();
  const { text, hash, hint } = makeKey(old.mode);
  const row: KeyRow = {
    ...old,
    id: newId("key"),
    hash,
    hint,
    created_at: now,
    last_used_at: null,
    expires_at: old.expires_at === null ? null : now + (old.expires_at - old.created_at),
  };
  const created = { ...presentKey(row), key: text };
  const replaced = { tenant_id: old.tenant_id, id, ends_at: now + roll.overlap_seconds * 1000 };
  if (old.rolled_to !== null || !(await store.keys.roll(replaced, row, complete?.(created))))
    throw cannotRoll((await store.keys.get(caller, id)) ?? old);
  return created;
}

function cannotRoll(key: KeyRow): Problem {
  if (key.rolled_to !== null)
    return new Problem("key_ended", `The key ${key.id} was rolled to ${key.rolled_to} already.`);
  return new Problem("key_ended", endOf(key)?.detail ?? `The key ${key.id} has ended.`);
}
