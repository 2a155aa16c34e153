import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";

/**
 * Deletes the owner's own key for a provider. Requests under way keep it.
 * @throws Problem `not_found`
 */
export async function deleteProviderKey({ store }: Services, owner: Owner, provider: string): Promise<void> {
  if (!(await store.providerKeys.remove(owner, provider)))
    throw new Problem("not_found", `There is no key of your own for ${provider}.`);
}
