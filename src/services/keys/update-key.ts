import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import { noSuchKey } from "./get-key";
import { presentKey } from "./present-key";
import type { PresentedKey, UpdateKey } from "./schema";

/**
 * Renames a key or sets its scopes. A key cannot remove `admin` from itself: there might be no other key to restore it.
 * @param request.caller the key that makes the request
 */
export async function updateKey(
  { store }: Services,
  request: { caller: Owner & { id: string }; id: string; change: UpdateKey },
): Promise<PresentedKey> {
  const { caller, id, change } = request;
  if (id === caller.id && change.scopes && !change.scopes.includes("admin")) {
    throw new Problem("key_in_use", "A key cannot take the scope admin from itself.");
  }
  const scopes = change.scopes && JSON.stringify(change.scopes);
  const row = await store.keys.update(caller, id, { name: change.name, scopes });
  if (!row) throw noSuchKey(id);
  return presentKey(row);
}
