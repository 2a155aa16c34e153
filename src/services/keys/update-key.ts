import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { Scope } from "#core/vocabulary";
import { noSuchKey } from "./get-key";
import { type PresentedKey, presentKey } from "./present-key";

/** Renames a key or sets its scopes. A key may not take `admin` from itself: nobody might be left to give it back. */
export async function updateKey(
  services: Services,
  caller: { id: string; tenant_id: string },
  id: string,
  change: { name?: string; scopes?: readonly Scope[] },
): Promise<PresentedKey> {
  if (id === caller.id && change.scopes && !change.scopes.includes("admin")) {
    throw new Problem("key_in_use", "A key cannot take the scope admin from itself.");
  }
  const scopes = change.scopes && JSON.stringify(change.scopes);
  const row = await services.store.keys.update(caller.tenant_id, id, { name: change.name, scopes });
  if (!row) throw noSuchKey(id);
  return presentKey(row);
}
