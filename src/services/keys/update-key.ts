import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { validationProblem } from "../fields/faults";
import { noSuchKey } from "./get-key";
import { presentKey } from "./present-key";
import { BOUND_ADMIN, type PresentedKey, type UpdateKey } from "./schema";

/**
 * Renames a key or sets its scopes. A key cannot remove `admin` from itself: there might be no other key to restore it.
 * @param request.caller the key that makes the request
 */
export async function updateKey(
  { store }: Services,
  request: { caller: Owner & { id: string }; id: string; change: UpdateKey },
  settlement?: Settlement,
): Promise<PresentedKey> {
  const { caller, id, change } = request;
  if (id === caller.id && change.scopes && !change.scopes.includes("admin")) {
    throw new Problem("key_in_use", "A key cannot take the scope admin from itself.");
  }
  // The workflows of a key never change, so that this is still true when the scopes are written.
  if (change.scopes?.includes("admin") && (await store.keys.get(caller, id))?.workflows)
    throw validationProblem([{ path: "scopes", code: "invalid_value", message: BOUND_ADMIN }]);
  const scopes = change.scopes && JSON.stringify(change.scopes);
  const row = await store.keys.update(caller, id, { name: change.name, scopes }, settlement);
  if (!row) throw noSuchKey(id);
  return presentKey(row);
}
