import type { Services } from "../services";
import type { Page } from "#core/page";
import { presentKey } from "./present-key";
import type { PresentedKey } from "./schema";

/** Newest first, revoked keys included. */
export async function listKeys(
  { store }: Services,
  { tenant, limit, after }: { tenant: string; limit: number; after: string | null },
): Promise<Page<PresentedKey>> {
  const { rows, next } = await store.keys.list(tenant, limit, after);
  return { rows: rows.map(presentKey), next };
}
