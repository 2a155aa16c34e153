import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { noSuchKey } from "./get-key";

/** Revokes a key permanently; lists still show it. A key cannot revoke itself. @param caller the key that makes the request */
export async function revokeKey(
  services: Services,
  caller: Owner & { id: string },
  id: string,
  settlement?: Settlement,
): Promise<void> {
  if (id === caller.id) throw new Problem("key_in_use", "A key cannot revoke itself.");
  if (!(await services.store.keys.revoke(caller, id, settlement))) throw noSuchKey(id);
}
