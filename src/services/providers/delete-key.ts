import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";

/**
 * Deletes the owner's own key for a provider. Requests under way keep it.
 * @throws Problem `not_found`
 */
export async function deleteProviderKey(
  { store }: Services,
  owner: Owner,
  provider: string,
  settlement?: Settlement,
): Promise<void> {
  if (!(await store.providerKeys.remove(owner, provider, settlement)))
    throw new Problem("not_found", `There is no key of your own for ${provider}.`);
}
