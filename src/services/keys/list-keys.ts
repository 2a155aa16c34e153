import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { presentKey } from "./present-key";
import type { PresentedKey } from "./schema";

/** Newest first, revoked keys included. */
export async function listKeys({ store }: Services, { owner, limit, after }: PageRequest): Promise<Page<PresentedKey>> {
  const { rows, next } = await store.keys.list(owner, limit, after);
  return { rows: rows.map(presentKey), next };
}
