import { Problem } from "#core/errors";
import type { Services } from "../services";
import { noSuchKey } from "./get-key";

/** Revokes a key for good; it stays in the list. A key cannot revoke itself. */
export async function revokeKey(
  services: Services,
  caller: { id: string; tenant_id: string },
  id: string,
): Promise<void> {
  if (id === caller.id) throw new Problem("key_in_use", "A key cannot revoke itself.");
  if (!(await services.store.keys.revoke(caller.tenant_id, id))) throw noSuchKey(id);
}
