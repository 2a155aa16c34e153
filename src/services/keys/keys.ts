import { toTime, toTimeOrNull } from "../fields/time";
import type { KeyRow } from "#store/rows";
import { scopesOf, workflowsOf } from "./authenticate";
import { type PresentedKey, BOUND_ADMIN, type UpdateKey } from "./schema";
import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import type { RequestCompletion } from "../idempotency/complete-key";
import { validationProblem } from "../fields/field-errors";

/** Shows a key without its text, which is not stored. */
export const presentKey = (row: KeyRow): PresentedKey => ({
  object: "key",
  id: row.id,
  name: row.name,
  mode: row.mode,
  scopes: scopesOf(row),
  workflows: workflowsOf(row),
  hint: row.hint,
  created_at: toTime(row.created_at),
  last_used_at: toTimeOrNull(row.last_used_at),
  expires_at: toTimeOrNull(row.expires_at),
  revoked_at: toTimeOrNull(row.revoked_at),
  rolled_to: row.rolled_to,
});

export const noSuchKey = (id: string) => new Problem("not_found", `There is no key ${id}.`);

export async function getKey(services: Services, owner: Owner, id: string): Promise<PresentedKey> {
  const row = await services.store.keys.get(owner, id);
  if (!row) throw noSuchKey(id);
  return presentKey(row);
}

/** Newest first, revoked keys included. */
export async function listKeys({ store }: Services, { owner, limit, after }: PageRequest): Promise<Page<PresentedKey>> {
  const { rows, next } = await store.keys.list(owner, limit, after);
  return { rows: rows.map(presentKey), next };
}

/**
 * Renames a key or sets its scopes. A key cannot remove `admin` from itself: there might be no other key to restore it.
 * @param request.caller the key that makes the request
 */
export async function updateKey(
  { store }: Services,
  request: { caller: Owner & { id: string }; id: string; change: UpdateKey },
  completion?: RequestCompletion,
): Promise<PresentedKey> {
  const { caller, id, change } = request;
  if (id === caller.id && change.scopes && !change.scopes.includes("admin")) {
    throw new Problem("key_in_use", "A key cannot take the scope admin from itself.");
  }
  // The workflows of a key never change, so that this is still true when the scopes are written.
  if (change.scopes?.includes("admin") && (await store.keys.get(caller, id))?.workflows)
    throw validationProblem([{ path: "scopes", code: "invalid_value", message: BOUND_ADMIN }]);
  const scopes = change.scopes && JSON.stringify(change.scopes);
  const row = await store.keys.update(caller, id, { name: change.name, scopes }, completion);
  if (!row) throw noSuchKey(id);
  return presentKey(row);
}

/** Revokes a key permanently; lists still show it. A key cannot revoke itself. @param caller the key that makes the request */
export async function revokeKey(
  services: Services,
  caller: Owner & { id: string },
  id: string,
  completion?: RequestCompletion,
): Promise<void> {
  if (id === caller.id) throw new Problem("key_in_use", "A key cannot revoke itself.");
  if (!(await services.store.keys.revoke(caller, id, completion))) throw noSuchKey(id);
}
