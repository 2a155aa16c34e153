import { newId } from "#core/ids";
import type { Services } from "../services";
import { makeKey } from "./make-key";
import { presentKey } from "./present-key";
import type { CreatedKey, CreateKey } from "./schema";

/** Creates a key of the tenant. Only this answer shows its text, which is not stored. */
export async function createKey(
  services: Services,
  tenant: string,
  { name, mode, scopes }: CreateKey,
): Promise<CreatedKey> {
  const { text, hash, hint } = makeKey(mode);
  const row = await services.store.keys.create({
    id: newId("key"),
    tenant_id: tenant,
    name,
    mode,
    hash,
    hint,
    scopes: JSON.stringify(scopes),
    created_at: Date.now(),
  });
  return { ...presentKey(row), key: text };
}
