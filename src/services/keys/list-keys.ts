import type { Services } from "../services";
import type { Page } from "#core/page";
import { type PresentedKey, presentKey } from "./present-key";

/** Newest first, revoked ones too. */
export async function listKeys(
  services: Services,
  tenant: string,
  limit: number,
  after: string | null,
): Promise<Page<PresentedKey>> {
  const { rows, next } = await services.store.keys.list(tenant, limit, after);
  return { rows: rows.map(presentKey), next };
}
