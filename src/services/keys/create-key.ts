import { newId } from "#core/ids";
import type { Services } from "../services";
import type { Mode, Scope } from "#core/vocabulary";
import { makeKey } from "./make-key";
import { type PresentedKey, presentKey } from "./present-key";

/** Makes a key of the tenant; its text is in the answer, and nowhere else. */
export async function createKey(
  services: Services,
  tenant: string,
  request: { name: string; mode: Mode; scopes: readonly Scope[] },
): Promise<PresentedKey & { key: string }> {
  const { text, hash, hint } = makeKey(request.mode);
  const row = await services.store.keys.create({
    id: newId("key"),
    tenant_id: tenant,
    name: request.name,
    mode: request.mode,
    hash,
    hint,
    scopes: JSON.stringify(request.scopes),
    created_at: Date.now(),
  });
  return { ...presentKey(row), key: text };
}
